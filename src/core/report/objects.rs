//! The report of results and a data set in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::accumulator::Accumulator;
use super::order::{Items, Join, Joined, Pairs};
use crate::decision::dataset::{self, Dataset};
use crate::decision::stream::Item;
use crate::input::InputError;
use crate::price::PriceTable;
use crate::problem::Problem;
use crate::run::Results;

/// Makes `report.json`; or tells why the results do not fit the data set.
pub fn report(
    results: &Results,
    dataset: &Dataset,
    prices: &Arc<PriceTable>,
    cancel: &AtomicBool,
) -> Result<Result<String, Vec<Problem>>, InputError> {
    let counts = Accumulator::new(Arc::clone(prices));
    let joined = join(results, dataset, counts, cancel)?;
    Ok(joined.map(|joined| joined.pairs.finish(results.header(), joined.items)))
}

/// Gives every item with its result to `pairs`; or tells why the results do not fit the data set.
pub(super) fn join<P: Pairs>(
    results: &Results,
    dataset: &Dataset,
    pairs: P,
    cancel: &AtomicBool,
) -> Result<Result<Joined<P>, Vec<Problem>>, InputError> {
    let items = DatasetItems {
        dataset,
        items: dataset.items(),
        item: None,
    };
    let mut join = Join::new(items, results.header(), pairs);
    for block in results.blocks() {
        for result in block.iter() {
            join.push(&result)?;
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
    }
    let (joined, _) = join.finish()?;
    if !joined.problems.is_empty() {
        return Ok(Err(joined.problems));
    }
    Ok(Ok(joined))
}

struct DatasetItems<'d> {
    dataset: &'d Dataset,
    items: dataset::Items<'d>,
    item: Option<Item>,
}

impl Items for DatasetItems<'_> {
    fn next_item(&mut self) -> Result<Option<&Item>, InputError> {
        self.item = self.items.next();
        Ok(self.item.as_ref())
    }

    fn line_of(&mut self, id: &str) -> Result<Option<u64>, InputError> {
        let item = self.dataset.iter().find(|item| item.id() == id);
        Ok(item.map(|item| item.line()))
    }
}
