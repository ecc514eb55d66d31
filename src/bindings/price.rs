//! Prices files.

use minos_core::price::PriceTable;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};

/// What a check gives: the prices as JSON, or what is wrong with them.
#[derive(IntoPyObject)]
pub(crate) enum Checked<'py> {
    Json(Bound<'py, PyBytes>),
    Problems(Vec<Told>),
}

/// Check a prices file.
#[pyfunction]
pub(crate) fn check_prices<'py>(py: Python<'py>, data: &[u8]) -> Checked<'py> {
    match py.detach(|| PriceTable::parse(data)) {
        Ok(table) => Checked::Json(PyBytes::new(py, table.json().as_bytes())),
        Err(told) => Checked::Problems(problems(told)),
    }
}
