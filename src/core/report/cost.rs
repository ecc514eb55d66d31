//! What a run cost, how long its answers took, and which models gave them.

use std::collections::HashMap;

use crate::price::PriceTable;
use crate::run::{ErrorKind, ItemResult};
use crate::stats::key::{femtodollars, nanoseconds};
use crate::stats::rank::Ranked;

/// What a run cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// In 10⁻¹⁵ dollars.
    pub(super) total: u128,
    pub(super) reported: u64,
    pub(super) priced: u64,
    pub(super) unknown: u64,
    pub(super) cached: u64,
}

/// What is counted of items, whatever they were asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Requests {
    pub(super) cost: Cost,
    /// Of answered items that did not come from a cache, in nanoseconds.
    pub(super) latency: Ranked,
    /// Answered items that came from a cache.
    pub(super) cached: u64,
    pub(super) errors: HashMap<ErrorKind, u64>,
    /// Items by the model that served them.
    pub(super) models: HashMap<Box<str>, u64>,
    /// Items that were served by no model in particular.
    pub(super) nameless: u64,
}

impl Requests {
    /// Counts an item.
    pub(super) fn add(&mut self, item: &ItemResult<'_>, prices: &PriceTable) {
        if let Some(error) = item.error() {
            *self.errors.entry(error.kind).or_default() += 1;
        } else if item.is_cached() {
            self.cached += 1;
        } else if let Some(latency) = item.latency_ms() {
            self.latency.add(nanoseconds(latency));
        }
        if item.is_served() {
            self.add_model(item.model());
        }
        self.add_cost(item, prices);
    }

    fn add_model(&mut self, model: Option<&str>) {
        let Some(model) = model else {
            self.nameless += 1;
            return;
        };
        if let Some(count) = self.models.get_mut(model) {
            *count += 1;
        } else {
            self.models.insert(model.into(), 1);
        }
    }

    fn add_cost(&mut self, item: &ItemResult<'_>, prices: &PriceTable) {
        let cost = &mut self.cost;
        if item.is_cached() {
            cost.cached += 1;
        } else if let Some(dollars) = item.cost() {
            cost.reported += 1;
            cost.total = cost.total.saturating_add(femtodollars(dollars));
        } else if item.is_served() {
            let price = item.model().and_then(|model| prices.find(model));
            match (price, item.input_tokens(), item.output_tokens()) {
                (Some(price), Some(input), Some(output)) => {
                    cost.priced += 1;
                    cost.total = cost.total.saturating_add(price.cost(input, output));
                }
                _ => cost.unknown += 1,
            }
        }
    }

    /// Adds the counts of other items.
    pub(super) fn merge(&mut self, other: Self) {
        self.cost.total = self.cost.total.saturating_add(other.cost.total);
        self.cost.reported += other.cost.reported;
        self.cost.priced += other.cost.priced;
        self.cost.unknown += other.cost.unknown;
        self.cost.cached += other.cost.cached;
        self.latency.merge(other.latency);
        self.cached += other.cached;
        for (kind, count) in other.errors {
            *self.errors.entry(kind).or_default() += count;
        }
        for (model, count) in other.models {
            *self.models.entry(model).or_default() += count;
        }
        self.nameless += other.nameless;
    }
}
