//! Items without the lines they were read from, for as long as they are wanted.

use super::Batch;
use super::raw::{NO_NAMES, RawAnswer, RawDistribution, RawError, RawItem};
use super::store::{Store, Text, place};
use crate::run::known::Known;
use crate::run::record::ItemResult;

impl Batch {
    /// The items of another batch without their lines; text that comes again is kept once.
    pub(in crate::run) fn compact(other: &Self) -> Self {
        let mut batch = Self::default();
        batch.store.items.reserve_exact(other.store.items.len());
        batch.store.answers.reserve_exact(other.store.answers.len());
        batch.store.values.reserve_exact(other.store.values.len());
        let mut known = Known::new();
        for item in other.iter() {
            known.begin();
            batch.adopt(&item, &mut known);
        }
        batch.store.unescaped.shrink_to_fit();
        batch
    }

    /// Adds an item of another batch, its text without its line.
    fn adopt(&mut self, item: &ItemResult<'_>, known: &mut Known) {
        let (from, raw) = (item.batch, item.raw);
        let store = &mut self.store;
        let mut again = |text: Text| known.text(from.text(text), store);
        let error = raw.error.map(|error| RawError {
            message: again(error.message),
            ..error
        });
        let model = raw.model.map(&mut again);
        let start = store.answers.len();
        for answer in from.raw_answers(raw) {
            let distribution = answer
                .distribution
                .map(|distribution| store.adopt_distribution(from, distribution, known));
            let mut again = |text: Text| known.text(from.text(text), store);
            let answer = RawAnswer {
                key: again(answer.key),
                option: again(answer.option),
                distribution,
                ..*answer
            };
            store.answers.push(answer);
        }
        let item = RawItem {
            id: store.keep(from.text(raw.id)),
            answers: (place(start), place(store.answers.len())),
            error,
            model,
            request_id: raw.request_id.map(|id| store.keep(from.text(id))),
            ..raw.clone()
        };
        store.items.push(item);
    }
}

impl Store {
    /// Takes a distribution over from another batch; its names are kept once for all like it.
    fn adopt_distribution(
        &mut self,
        from: &Batch,
        distribution: RawDistribution,
        known: &mut Known,
    ) -> RawDistribution {
        let names = from.names(distribution);
        let names = if names.is_empty() {
            NO_NAMES
        } else {
            known.list(names.iter().map(|&name| from.text(name)), self)
        };
        let values = place(self.values.len());
        self.values.extend_from_slice(from.values(distribution));
        RawDistribution {
            names,
            values,
            ..distribution
        }
    }
}
