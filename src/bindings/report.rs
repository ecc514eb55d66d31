//! Reports.

use std::path::PathBuf;
use std::sync::Arc;

use minos_core::price::PriceTable;
use minos_core::report::files::{self, Failure};
use minos_core::report::objects;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};
use crate::dataset::Dataset;
use crate::errors::input_error;
use crate::gil;
use crate::results::Results;

/// What two files give: a report, or what has problems and which.
#[derive(IntoPyObject)]
pub(crate) enum FromFiles<'py> {
    Json(Bound<'py, PyBytes>),
    Problems((&'static str, Vec<Told>)),
}

/// What two objects give: a report, or why they do not fit.
#[derive(IntoPyObject)]
pub(crate) enum FromObjects<'py> {
    Json(Bound<'py, PyBytes>),
    Problems(Vec<Told>),
}

/// Make a report from two files.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "paths are converted from Python"
)]
pub(crate) fn report_from_files<'py>(
    py: Python<'py>,
    results_path: PathBuf,
    dataset_path: PathBuf,
    prices_json: Option<&[u8]>,
    threads: usize,
) -> PyResult<FromFiles<'py>> {
    let prices = price_table(prices_json)?;
    let threads = gil::threads(threads).get();
    let made = gil::run(py, |cancel| {
        files::report(&results_path, &dataset_path, &prices, threads, cancel)
    })?;
    match made {
        Ok(json) => Ok(FromFiles::Json(PyBytes::new(py, json.as_bytes()))),
        Err(Failure::Problems(what, told)) => {
            Ok(FromFiles::Problems((what.as_str(), problems(told))))
        }
        Err(Failure::Results(error)) => Err(input_error(py, error, Some(&results_path))),
        Err(Failure::Dataset(error)) => Err(input_error(py, error, Some(&dataset_path))),
    }
}

/// Make a report from two objects.
#[pyfunction]
pub(crate) fn report_from_objects<'py>(
    py: Python<'py>,
    results: &Results,
    dataset: &Dataset,
    prices_json: Option<&[u8]>,
) -> PyResult<FromObjects<'py>> {
    let prices = price_table(prices_json)?;
    let (results, dataset) = (&results.core, &dataset.core);
    let made = gil::run(py, |cancel| {
        objects::report(results, dataset, &prices, cancel)
    })?;
    match made.map_err(|error| input_error(py, error, None))? {
        Ok(json) => Ok(FromObjects::Json(PyBytes::new(py, json.as_bytes()))),
        Err(told) => Ok(FromObjects::Problems(problems(told))),
    }
}

fn price_table(json: Option<&[u8]>) -> PyResult<Arc<PriceTable>> {
    let table = json.map_or(Ok(PriceTable::default()), PriceTable::parse);
    match table {
        Ok(table) => Ok(Arc::new(table)),
        Err(_) => Err(PyValueError::new_err("the prices were not checked")),
    }
}
