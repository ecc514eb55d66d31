//! Text made safe to show.

use pyo3::prelude::*;

/// Return text that is safe to print.
#[pyfunction]
pub(crate) fn printable(text: &str) -> String {
    minos_core::problem::printable(text)
}
