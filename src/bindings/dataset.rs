//! Decision data sets.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use minos_core::decision::dataset::{self, ItemView, Loaded, Written};
use minos_core::input::{Input, InputError};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};
use crate::errors::{input_error, io_error};
use crate::gil;
use crate::stream::Stream;

/// Files up to this many bytes are read where they are asked for, without a thread.
const SHORT: usize = 1 << 20;

/// What a load gives: a data set, or what is wrong with its file.
#[derive(IntoPyObject)]
pub(crate) enum Outcome {
    Dataset(Dataset),
    Problems(Vec<Told>),
}

impl From<Loaded> for Outcome {
    fn from(loaded: Loaded) -> Self {
        match loaded {
            Ok(core) => Self::Dataset(Dataset {
                core: Arc::new(core),
            }),
            Err(told) => Self::Problems(problems(told)),
        }
    }
}

/// A right answer: a truth value, an option's key, or a level.
#[derive(IntoPyObject)]
pub(crate) enum Answer {
    Noul(bool),
    Choice(String),
    Score(u32),
}

/// The items of a decision data set.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct Dataset {
    pub(crate) core: Arc<dataset::Dataset>,
}

#[pymethods]
impl Dataset {
    /// Read a file that is in memory.
    #[staticmethod]
    fn parse(py: Python<'_>, data: &Bound<'_, PyBytes>, is_text: bool) -> PyResult<Outcome> {
        let file = data.as_bytes();
        let parsed = if file.len() <= SHORT {
            let never = AtomicBool::new(false);
            py.detach(|| dataset::Dataset::parse(file, is_text, &never))
        } else {
            gil::run(py, |cancel| dataset::Dataset::parse(file, is_text, cancel))?
        };
        let loaded = parsed.map_err(|error| input_error(py, error, None))?;
        Ok(loaded.into())
    }

    /// Read a file.
    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a path is converted from Python"
    )]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Outcome> {
        let read = gil::run(py, |cancel| {
            dataset::Dataset::read(Input::open(&path, cancel)?, cancel)
        })?;
        let loaded = read.map_err(|error| input_error(py, error, Some(&path)))?;
        Ok(loaded.into())
    }

    /// Read a binary stream from where it stands to its end, on this thread.
    #[staticmethod]
    fn read(py: Python<'_>, stream: Py<PyAny>) -> PyResult<Outcome> {
        let never = AtomicBool::new(false);
        let read = py.detach(|| -> Result<Loaded, InputError> {
            dataset::Dataset::read(Input::from_reader(Stream(stream))?, &never)
        });
        let loaded = read.map_err(|error| input_error(py, error, None))?;
        Ok(loaded.into())
    }

    /// Write the lines of the items, in a file that appears whole or not at all.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a path is converted from Python"
    )]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        gil::run(py, |cancel| self.core.save(&path, cancel))?
            .map_err(|error| io_error(py, error, Some(&path)))
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn id(&self, index: usize) -> PyResult<String> {
        Ok(self.item(index)?.id().into_owned())
    }

    fn line(&self, index: usize) -> PyResult<u64> {
        Ok(self.item(index)?.line())
    }

    fn line_json<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.item(index)?.bytes()))
    }

    fn state_json<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.item(index)?.state().as_bytes()))
    }

    fn source(&self, index: usize) -> PyResult<Option<String>> {
        Ok(self.item(index)?.source())
    }

    fn expected(&self, index: usize) -> PyResult<Vec<(String, Answer)>> {
        let answers = self.item(index)?.expected().into_iter();
        Ok(answers
            .map(|(key, answer)| match answer {
                Written::Noul(yes) => (key, Answer::Noul(yes)),
                Written::Choice(option) => (key, Answer::Choice(option)),
                Written::Score(level) => (key, Answer::Score(level)),
            })
            .collect())
    }

    /// The number of the item's question set; items with equal sets have one number.
    fn question_set(&self, index: usize) -> PyResult<u32> {
        Ok(self.item(index)?.set())
    }

    /// A question set as JSON, by its number.
    fn question_set_json<'py>(
        &self,
        py: Python<'py>,
        number: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let set = self.core.set(number).ok_or_else(out_of_range)?;
        Ok(PyBytes::new(py, set.json.as_bytes()))
    }

    /// Some of the items; their bytes are shared.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a Python list is copied anyway"
    )]
    fn select(&self, indices: Vec<usize>) -> PyResult<Self> {
        let core = self.core.select(&indices).ok_or_else(out_of_range)?;
        let core = Arc::new(core);
        Ok(Self { core })
    }
}

impl Dataset {
    fn item(&self, index: usize) -> PyResult<ItemView<'_>> {
        self.core.get(index).ok_or_else(out_of_range)
    }
}

fn out_of_range() -> PyErr {
    PyIndexError::new_err("the data set has no item at that index")
}
