//! Files that are validated without being kept.

use std::env::temp_dir;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use minos_core::decision::ids::Room;
use minos_core::decision::validate::{Batch, Form, Plan, ValidateError, Watch, validate};
use minos_core::input::{Input, InputError};
use minos_core::lines::{is_blank, split};
use minos_core::run::examine::examine;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};
use crate::errors::{input_error, io_error};
use crate::gil;
use crate::stream::Stream;

/// The most bytes of a first line that are looked at.
const LOOK: usize = 1 << 20;

/// Lines, items, problems and bytes.
type Counts = (u64, u64, u64, u64);

/// What is read: a file, the standard input or a binary stream, from its start to its end, once.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct Source {
    input: Mutex<Option<Input>>,
    path: Option<PathBuf>,
    cancel: Arc<AtomicBool>,
}

/// Where ids may be kept and problems are cut.
#[derive(FromPyObject)]
struct Limits {
    threads: usize,
    memory: usize,
    most_problems: Option<u64>,
    chunk: Option<usize>,
}

#[pymethods]
impl Source {
    /// Open a file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::new(py, Some(path.clone()), move |cancel| {
            Input::open(&path, cancel)
        })
    }

    /// Read the standard input of the process.
    #[staticmethod]
    fn stdin(py: Python<'_>) -> PyResult<Self> {
        Self::new(py, None, Input::stdin)
    }

    /// Read a binary stream.
    #[staticmethod]
    fn of(py: Python<'_>, stream: Py<PyAny>) -> PyResult<Self> {
        Self::new(py, None, move |_| Input::from_reader(Stream(stream)))
    }

    /// The first line that is not blank, or its start where it is long; empty where there is none.
    fn first_line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut input = self.take()?;
        let peek = |_: &dyn Fn(())| {
            let seen = input.peek(|seen| seen.len() >= LOOK || first_line(seen, false).is_some());
            (input, seen)
        };
        let (input, seen) = gil::attend(py, &self.cancel, peek, |_, ()| Ok(()), |_| Ok(()))?;
        self.put(input);
        let seen = seen.map_err(|error| self.error(py, error))?;
        Ok(PyBytes::new(
            py,
            first_line(&seen, true).unwrap_or_default(),
        ))
    }

    /// Everything, decompressed.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut input = self.take()?;
        let work = |_: &dyn Fn(())| input.read_to_end();
        let read = gil::attend(py, &self.cancel, work, |_, ()| Ok(()), |_| Ok(()))?;
        let bytes = read.map_err(|error| self.error(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Find every problem of a decision data set.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the callables are used where the interpreter's lock is not held"
    )]
    fn validate(
        &self,
        py: Python<'_>,
        form: &str,
        before: String,
        limits: Limits,
        on_problems: Py<PyAny>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Counts> {
        let plan = plan(form, before, &limits)?;
        let watch = Watch {
            cancel: Arc::clone(&self.cancel),
            bytes: AtomicU64::new(0),
            lines: AtomicU64::new(0),
        };
        let input = self.take()?;
        let checked = gil::attend(
            py,
            &self.cancel,
            |send| validate(input, &plan, &watch, &mut |batch| send(batch)),
            |py, batch| {
                match batch {
                    Batch::Rendered(text) => on_problems.call1(py, (PyBytes::new(py, &text),)),
                    Batch::Problems(list) => on_problems.call1(py, (problems(list),)),
                }
                .map(drop)
            },
            |py| {
                let bytes = watch.bytes.load(Ordering::Relaxed);
                let lines = watch.lines.load(Ordering::Relaxed);
                match &on_progress {
                    Some(call) => call.call1(py, (bytes, lines)).map(drop),
                    None => Ok(()),
                }
            },
        )?;
        let found = checked.map_err(|error| match error {
            ValidateError::Input(error) => self.error(py, error),
            ValidateError::Spill(error) => io_error(py, error, Some(&plan.room.folder)),
        })?;
        Ok((found.lines, found.items, found.problems, found.bytes))
    }

    /// Find every problem of a results file.
    fn validate_results(&self, py: Python<'_>) -> PyResult<(Counts, Vec<Told>)> {
        let input = self.take()?;
        let work = |_: &dyn Fn(())| examine(input, &self.cancel);
        let examined = gil::attend(py, &self.cancel, work, |_, ()| Ok(()), |_| Ok(()))?;
        let found = examined.map_err(|error| self.error(py, error))?;
        let count = found.problems.len() as u64;
        let counts = (found.lines, found.items, count, found.bytes);
        Ok((counts, problems(found.problems)))
    }
}

impl Source {
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        open: impl FnOnce(&Arc<AtomicBool>) -> Result<Input, InputError> + Send,
    ) -> PyResult<Self> {
        let cancel = Arc::default();
        let opened = {
            let open = |_: &dyn Fn(())| open(&cancel);
            gil::attend(py, &cancel, open, |_, ()| Ok(()), |_| Ok(()))?
        };
        let input = opened.map_err(|error| input_error(py, error, path.as_deref()))?;
        Ok(Self {
            input: Mutex::new(Some(input)),
            path,
            cancel,
        })
    }

    fn take(&self) -> PyResult<Input> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input
            .take()
            .ok_or_else(|| PyValueError::new_err("the source was read already"))
    }

    fn put(&self, input: Input) {
        let mut place = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        *place = Some(input);
    }

    fn error(&self, py: Python<'_>, error: InputError) -> PyErr {
        input_error(py, error, self.path.as_deref())
    }
}

/// The first line that is not blank; where more bytes may follow, only one that ends.
fn first_line(seen: &[u8], is_all: bool) -> Option<&[u8]> {
    let mut lines = split(seen).filter_map(|line| line.content.bytes());
    let line = lines.find(|line| !is_blank(line))?;
    (is_all || lines.next().is_some()).then_some(line)
}

fn plan(form: &str, before: String, limits: &Limits) -> PyResult<Plan> {
    let form = match form {
        "objects" => Form::Objects,
        "text" => Form::Text { before },
        "json" => Form::Json { before },
        _ => return Err(PyValueError::new_err("form is objects, text or json")),
    };
    Ok(Plan {
        threads: gil::threads(limits.threads),
        room: Room {
            memory: limits.memory,
            folder: temp_dir(),
        },
        form,
        most_problems: limits.most_problems.unwrap_or(u64::MAX),
        chunk: limits
            .chunk
            .and_then(NonZeroUsize::new)
            .unwrap_or(Plan::CHUNK),
        longest: Plan::LONGEST,
    })
}
