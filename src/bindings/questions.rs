//! Question sets that are built in Python.

use minos_core::decision::build::build;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};

/// Failures, warnings, and the set as JSON where there is no failure.
type Checked<'py> = (Vec<Told>, Vec<Told>, Option<Bound<'py, PyBytes>>);

/// Check an object of questions by the rules of question sets.
#[pyfunction]
pub(crate) fn check_questions<'py>(py: Python<'py>, json: &Bound<'py, PyBytes>) -> Checked<'py> {
    let json = json.as_bytes();
    let built = py.detach(|| build(json));
    let rendered = built.set.map(|set| PyBytes::new(py, set.json.as_bytes()));
    (problems(built.failures), problems(built.warnings), rendered)
}
