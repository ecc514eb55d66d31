//! Results files.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use minos_core::input::Input;
use minos_core::run::render::{push_header, push_item};
use minos_core::run::{self, results};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};
use crate::errors::{input_error, io_error};
use crate::gil;

/// Files up to this many bytes are read where they are asked for, without a thread.
const SHORT: usize = 1 << 20;

/// What a load gives: results, or what is wrong with their file.
#[derive(IntoPyObject)]
pub(crate) enum Outcome {
    Results(Results),
    Problems(Vec<Told>),
}

impl From<results::Loaded> for Outcome {
    fn from(loaded: results::Loaded) -> Self {
        match loaded {
            Ok(core) => Self::Results(Results {
                core: Arc::new(core),
            }),
            Err(told) => Self::Problems(problems(told)),
        }
    }
}

/// The results of a run.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct Results {
    pub(crate) core: Arc<run::Results>,
}

#[pymethods]
impl Results {
    /// Read a file.
    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a path is converted from Python"
    )]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Outcome> {
        let threads = gil::threads(0).get();
        let read = gil::run(py, |cancel| {
            run::Results::read(Input::open(&path, cancel)?, threads, cancel)
        })?;
        let loaded = read.map_err(|error| input_error(py, error, Some(&path)))?;
        Ok(loaded.into())
    }

    /// Read a file that is in memory.
    #[staticmethod]
    fn parse(py: Python<'_>, data: &Bound<'_, PyBytes>, is_text: bool) -> PyResult<Outcome> {
        let file = data.as_bytes();
        let parsed = if file.len() <= SHORT {
            let never = AtomicBool::new(false);
            py.detach(|| run::Results::parse(file, is_text, &never))
        } else {
            gil::run(py, |cancel| run::Results::parse(file, is_text, cancel))?
        };
        let loaded = parsed.map_err(|error| input_error(py, error, None))?;
        Ok(loaded.into())
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn header_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut json = String::new();
        push_header(&mut json, self.core.header());
        PyBytes::new(py, json.as_bytes())
    }

    fn item_json<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let item = self.core.get(index);
        let item = item.ok_or_else(|| PyIndexError::new_err("there is no item at that index"))?;
        let mut json = String::new();
        push_item(&mut json, &item);
        Ok(PyBytes::new(py, json.as_bytes()))
    }

    /// Write the file, whole or not at all.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a path is converted from Python"
    )]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        gil::run(py, |cancel| self.core.save(&path, cancel))?
            .map_err(|error| io_error(py, error, Some(&path)))
    }
}

/// Writes a results file line by line.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct ResultsWriter {
    /// None once it is finished or given up.
    core: Mutex<Option<run::ResultsWriter>>,
    path: PathBuf,
}

#[pymethods]
impl ResultsWriter {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, header_json: &[u8]) -> PyResult<Self> {
        let core = py.detach(|| run::ResultsWriter::create(&path, header_json));
        let core = core.map_err(|error| io_error(py, error, Some(&path)))?;
        Ok(Self {
            core: Mutex::new(Some(core)),
            path,
        })
    }

    /// Add item lines.
    fn push(&self, py: Python<'_>, lines: &[u8]) -> PyResult<()> {
        let pushed = py.detach(|| self.with(|core| core.as_mut().map(|core| core.push(lines))));
        let pushed = pushed.ok_or_else(is_over)?;
        pushed.map_err(|error| io_error(py, error, Some(&self.path)))
    }

    /// Put the file in its place, or give its problems.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<Told>> {
        let finished = py.detach(|| self.with(Option::take).map(run::ResultsWriter::finish));
        let finished = finished.ok_or_else(is_over)?;
        let told = finished.map_err(|error| io_error(py, error, Some(&self.path)))?;
        Ok(problems(told.err().unwrap_or_default()))
    }

    /// Write nothing.
    fn abort(&self) {
        self.with(|core| *core = None);
    }
}

impl ResultsWriter {
    fn with<T>(&self, work: impl FnOnce(&mut Option<run::ResultsWriter>) -> T) -> T {
        let mut core = self
            .core
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        work(&mut core)
    }
}

fn is_over() -> PyErr {
    PyRuntimeError::new_err("the file is finished")
}
