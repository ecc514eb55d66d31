//! The report of a results file and a data set file, both read once and never held.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::accumulator::Accumulator;
use super::order::{Items, Join, Joined, Pairs};
use crate::decision::stream::{Item, ItemStream};
use crate::input::{Input, InputError, Opened};
use crate::price::PriceTable;
use crate::problem::Problem;
use crate::run::RunHeader;
use crate::run::examine::examine;
use crate::run::part::Keep;
use crate::run::stream::{Plan, StreamError, stream};

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

/// Makes `report.json` from two files. An end before its time sets `cancel`.
pub fn report(
    results_path: &Path,
    dataset_path: &Path,
    prices: &Arc<PriceTable>,
    threads: usize,
    cancel: &Arc<AtomicBool>,
) -> Result<String, Failure> {
    let counts = Accumulator::new(Arc::clone(prices));
    let (header, joined) = join(results_path, dataset_path, counts, threads, cancel)?;
    Ok(joined.pairs.finish(&header, joined.items))
}

/// Gives every item of a file with its result to `pairs`. An end before its time sets `cancel`.
pub(super) fn join<P: Pairs>(
    results_path: &Path,
    dataset_path: &Path,
    pairs: P,
    threads: usize,
    cancel: &Arc<AtomicBool>,
) -> Result<(RunHeader, Joined<P>), Failure> {
    // Both are open before one of them is waited for.
    let results = Opened::open(results_path, cancel).map_err(Failure::Results)?;
    let items = Opened::open(dataset_path, cancel).map_err(Failure::Dataset)?;
    let results = results.input().map_err(Failure::Results)?;
    let items = items.input().map_err(Failure::Dataset)?;
    let mut begin = Some((ItemStream::new(items), pairs));
    let mut join = None;
    let plan = Plan {
        threads,
        keep: Keep::Lines,
        keeps_ids: false,
    };
    let read = stream(results.into(), plan, cancel, |ledger, part| {
        let Some(header) = ledger.header().filter(|_| !ledger.has_problems()) else {
            return Ok(());
        };
        if let Some((items, pairs)) = begin.take() {
            join = Some(Join::new(items, header, pairs));
        }
        let mut results = part.batch.iter();
        join.as_mut().map_or(Ok(()), |join| {
            results.try_for_each(|result| join.push(&result))
        })
    });
    let read = read.map_err(|error| match error {
        StreamError::Input(error) => Failure::Results(error),
        StreamError::Taker(error) => Failure::Dataset(error),
    })?;
    let (joined, items) = match (join, begin) {
        (Some(join), _) => {
            let (joined, items) = join.finish().map_err(Failure::Dataset)?;
            (Some(joined), Some(items))
        }
        (None, Some((mut items, _))) => {
            while items.next_item().map_err(Failure::Dataset)?.is_some() {}
            (None, Some(items))
        }
        (None, None) => (None, None),
    };
    let told = items.map(ItemStream::into_problems).unwrap_or_default();
    if !told.is_empty() {
        return Err(Failure::Problems(What::Dataset, told));
    }
    let in_results = |told| Failure::Problems(What::Results, told);
    let header = read.outcome.map_err(in_results)?;
    let Some(joined) = joined else {
        return Err(in_results(Vec::new()));
    };
    if joined.went_apart {
        let told = repeated_ids(results_path, cancel).map_err(Failure::Results)?;
        if !told.is_empty() {
            return Err(in_results(told));
        }
    }
    if !joined.problems.is_empty() {
        return Err(Failure::Problems(What::Fit, joined.problems));
    }
    Ok((header, joined))
}

/// Reads a results file once more, with an eye on ids: where all results are those of an item,
/// ids need not be kept to know that none is repeated.
fn repeated_ids(path: &Path, cancel: &Arc<AtomicBool>) -> Result<Vec<Problem>, InputError> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let examined = examine(Input::open(path, cancel)?, cancel)?;
    Ok(examined.problems)
}

impl Items for ItemStream {
    fn next_item(&mut self) -> Result<Option<&Item>, InputError> {
        Self::next_item(self)
    }

    fn line_of(&mut self, id: &str) -> Result<Option<u64>, InputError> {
        Self::line_of(self, id)
    }
}
