//! The report of a results file and a data set file, both read once and never held.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::order::{Items, Join};
use crate::decision::stream::{Item, ItemStream};
use crate::input::{Input, InputError};
use crate::lines::LineReader;
use crate::price::PriceTable;
use crate::problem::Problem;
use crate::run::batch::Batch;
use crate::run::intake::Intake;

/// What has problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The data set file.
    Dataset,
    /// The results file.
    Results,
    /// The two together.
    Fit,
}

impl What {
    /// The name for Python.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Results => "results",
            Self::Fit => "fit",
        }
    }
}

/// Why there is no report.
#[derive(Debug)]
pub enum Failure {
    /// Something is wrong with the files.
    Problems(What, Vec<Problem>),
    /// The results file could not be read.
    Results(InputError),
    /// The data set file could not be read.
    Dataset(InputError),
}

/// Makes `report.json` from two files.
pub fn report(
    results_path: &Path,
    dataset_path: &Path,
    prices: &Arc<PriceTable>,
    _threads: usize,
    cancel: &Arc<AtomicBool>,
) -> Result<String, Failure> {
    let input = Input::open(results_path, cancel).map_err(Failure::Results)?;
    let mut lines = LineReader::new(input);
    let items = Input::open(dataset_path, cancel).map_err(Failure::Dataset)?;
    let mut items = Some(ItemStream::new(items));
    let mut join = None;
    let mut intake = Intake::without_ids();
    let mut batch = Batch::default();
    while let Some(line) = lines.next_line().map_err(Failure::Results)? {
        batch.clear();
        intake.push(&line, &mut batch);
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Results(InputError::Cancelled));
        }
        if intake.has_problems() {
            continue;
        }
        if let (None, Some(header)) = (&join, intake.header()) {
            let items = items.take();
            join = items.map(|items| Join::new(items, header, Arc::clone(prices)));
        }
        if let (Some(join), Some(result)) = (&mut join, batch.last()) {
            join.push(&result).map_err(Failure::Dataset)?;
        }
    }
    let (joined, items) = match (join, items) {
        (Some(join), _) => {
            let (joined, items) = join.finish().map_err(Failure::Dataset)?;
            (Some(joined), Some(items))
        }
        (None, Some(mut items)) => {
            while items.next_item().map_err(Failure::Dataset)?.is_some() {}
            (None, Some(items))
        }
        (None, None) => (None, None),
    };
    let told = items.map(ItemStream::into_problems).unwrap_or_default();
    if !told.is_empty() {
        return Err(Failure::Problems(What::Dataset, told));
    }
    let header = intake
        .finish()
        .map_err(|told| Failure::Problems(What::Results, told))?;
    let Some(joined) = joined else {
        return Err(Failure::Problems(What::Results, Vec::new()));
    };
    if joined.went_apart {
        let told = repeated_ids(results_path, cancel).map_err(Failure::Results)?;
        if !told.is_empty() {
            return Err(Failure::Problems(What::Results, told));
        }
    }
    if !joined.problems.is_empty() {
        return Err(Failure::Problems(What::Fit, joined.problems));
    }
    Ok(joined.accumulator.finish(&header, joined.items))
}

/// Reads a results file once more, with an eye on ids: where all results are those of an item,
/// ids need not be kept to know that none is repeated.
fn repeated_ids(path: &Path, cancel: &Arc<AtomicBool>) -> Result<Vec<Problem>, InputError> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let mut lines = LineReader::new(Input::open(path, cancel)?);
    let mut intake = Intake::new();
    let mut batch = Batch::default();
    while let Some(line) = lines.next_line()? {
        batch.clear();
        intake.push(&line, &mut batch);
    }
    Ok(intake.finish().err().unwrap_or_default())
}

impl Items for ItemStream {
    fn next_item(&mut self) -> Result<Option<&Item>, InputError> {
        Self::next_item(self)
    }

    fn line_of(&mut self, id: &str) -> Result<Option<u64>, InputError> {
        Self::line_of(self, id)
    }
}
