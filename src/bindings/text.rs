//! Text: made safe to show, measured and searched.

use minos_core::text::{distance, graphemes, normal, pattern};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Return text that is safe to print.
#[pyfunction]
pub(crate) fn printable(text: &str) -> String {
    minos_core::problem::printable(text)
}

/// Count extended grapheme clusters.
#[pyfunction]
pub(crate) fn grapheme_length(py: Python<'_>, text: &str) -> usize {
    py.detach(|| graphemes::length(text))
}

/// Measure an edit distance over grapheme clusters.
#[pyfunction]
pub(crate) fn edit_distance(py: Python<'_>, first: &str, second: &str) -> PyResult<usize> {
    py.detach(|| distance::edit_distance(first, second))
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Compose a text (NFC).
#[pyfunction]
pub(crate) fn composed(text: &str) -> String {
    normal::composed(text).into_owned()
}

/// Drop the characters that are not seen.
#[pyfunction]
pub(crate) fn without_ignorable(text: &str) -> String {
    normal::without_ignorable(text).into_owned()
}

/// A pattern that is searched for in linear time.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct Pattern(pattern::Pattern);

#[pymethods]
impl Pattern {
    #[new]
    fn new(py: Python<'_>, source: &str) -> PyResult<Self> {
        py.detach(|| pattern::Pattern::new(source))
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Return the first match.
    fn find<'t>(&self, py: Python<'_>, text: &'t str) -> Option<&'t str> {
        py.detach(|| self.0.find(text))
    }
}
