//! Files of cases.

use std::path::PathBuf;

use minos_core::case::{self, Format, Step};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{self, Told};
use crate::errors::{input_error, io_error};
use crate::gil;

type Loaded = (CaseFile, Vec<(Option<usize>, Told)>);

/// A file of cases: JSON text and lines by case.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct CaseFile {
    file: case::CaseFile,
    path: PathBuf,
}

#[derive(FromPyObject)]
enum StepArgument {
    Index(usize),
    Name(String),
}

#[pymethods]
impl CaseFile {
    /// Read a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, file_format: &str) -> PyResult<Loaded> {
        let format = format_named(file_format)?;
        let read = gil::run(py, |cancel| case::CaseFile::load(&path, format, cancel))?;
        let read = read.map_err(|error| input_error(py, error, Some(&path)))?;
        Ok(loaded(read, path))
    }

    /// Read a file that is in memory.
    #[staticmethod]
    fn parse(py: Python<'_>, data: Vec<u8>, file_format: &str) -> PyResult<Loaded> {
        let format = format_named(file_format)?;
        let read = gil::run(py, |_| case::CaseFile::parse(data, format))?;
        Ok(loaded(read, PathBuf::new()))
    }

    fn __len__(&self) -> usize {
        self.file.len()
    }

    /// Return the line of a case.
    fn line(&self, case: usize) -> PyResult<u32> {
        self.file
            .line(case)
            .ok_or_else(|| PyIndexError::new_err("there is no such case"))
    }

    /// Return the text of a case.
    fn json<'py>(&self, py: Python<'py>, case: usize) -> PyResult<Bound<'py, PyBytes>> {
        let json = self.file.json(case);
        let json = json.map_err(|error| io_error(py, error, Some(&self.path)))?;
        Ok(PyBytes::new(py, &json))
    }

    /// Return the lines of a place in a case.
    fn lines(&self, py: Python<'_>, case: usize, path: Vec<StepArgument>) -> PyResult<(u32, u32)> {
        let steps: Vec<Step> = path
            .into_iter()
            .map(|step| match step {
                StepArgument::Index(index) => Step::Index(index),
                StepArgument::Name(name) => Step::Name(name),
            })
            .collect();
        let lines = self.file.lines(case, &steps);
        let lines = lines.map_err(|error| io_error(py, error, Some(&self.path)))?;
        Ok((lines.member, lines.value))
    }
}

fn format_named(name: &str) -> PyResult<Format> {
    match name {
        "json" => Ok(Format::Json),
        "jsonl" => Ok(Format::Jsonl),
        "yaml" => Ok(Format::Yaml),
        "yaml-document" => Ok(Format::YamlDocument),
        _ => Err(PyValueError::new_err(
            "the format is json, jsonl, yaml or yaml-document",
        )),
    }
}

fn loaded((file, told): (case::CaseFile, Vec<case::Told>), path: PathBuf) -> Loaded {
    let told = told
        .into_iter()
        .map(|told| (told.case, convert::problem(told.problem)))
        .collect();
    (CaseFile { file, path }, told)
}
