//! Tables of files that are not held.

use std::path::PathBuf;
use std::sync::Arc;

use minos_core::arrow::{Batch, files};
use minos_core::input::{Input, InputError};
use minos_core::problem::Problem;
use minos_core::report::answers::from_files;
use minos_core::report::files::{Failure, What};
use pyo3::prelude::*;

use super::table::{TableBatch, answers_schema};
use crate::convert::{Told, problems};
use crate::errors::input_error;
use crate::gil;

/// Give the table of answers of a results file to `on_batch`, with the right answers beside them
/// where the data set is given. None; or what has problems, and which.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "paths are converted from Python"
)]
pub(crate) fn answers_of_files(
    py: Python<'_>,
    results_path: PathBuf,
    dataset_path: Option<PathBuf>,
    threads: usize,
    layout_plain: bool,
    on_batch: &Bound<'_, PyAny>,
) -> PyResult<Option<(&'static str, Vec<Told>)>> {
    let schema = Arc::new(answers_schema(dataset_path.is_some(), layout_plain));
    let threads = gil::threads(threads).get();
    let on_batch = on_batch.clone().unbind();
    let cancel = Arc::default();
    let made = gil::attend(
        py,
        &cancel,
        |take: &dyn Fn(Batch)| match &dataset_path {
            Some(dataset) => from_files(&results_path, dataset, &schema, threads, &cancel, take),
            None => Input::open(&results_path, &cancel)
                .and_then(|input| files::answers(input, &schema, threads, &cancel, take))
                .map_err(Failure::Results)
                .and_then(of_results),
        },
        |py, batch| {
            let batch = TableBatch::new(Arc::clone(&schema), batch);
            on_batch.call1(py, (batch,)).map(drop)
        },
        |_| Ok(()),
    )?;
    let failed = |error: InputError, path: Option<&PathBuf>| {
        Err(input_error(py, error, path.map(PathBuf::as_path)))
    };
    match made {
        Ok(()) => Ok(None),
        Err(Failure::Problems(what, told)) => Ok(Some((what.as_str(), problems(told)))),
        Err(Failure::Results(error)) => failed(error, Some(&results_path)),
        Err(Failure::Dataset(error)) => failed(error, dataset_path.as_ref()),
    }
}

fn of_results(outcome: Result<(), Vec<Problem>>) -> Result<(), Failure> {
    outcome.map_err(|told| Failure::Problems(What::Results, told))
}
