//! What a batch holds, as it is looked at.

use super::Batch;
use super::raw::{RawAnswer, RawDistribution, RawItem};
use super::store::Text;
use crate::decision::question::Kind;
use crate::run::item::AnswerRecord;

impl Batch {
    pub(in crate::run) fn answers(&self, raw: &RawItem) -> Answers<'_> {
        Answers {
            batch: self,
            raw: self.raw_answers(raw).iter(),
        }
    }

    pub(in crate::run) fn raw_answers(&self, raw: &RawItem) -> &[RawAnswer] {
        let range = raw.answers.0 as usize..raw.answers.1 as usize;
        self.store.answers.get(range).unwrap_or_default()
    }

    pub(in crate::run) fn values(&self, distribution: RawDistribution) -> &[f64] {
        let start = distribution.values as usize;
        let end = start + distribution.length as usize;
        self.store.values.get(start..end).unwrap_or_default()
    }

    /// The names of a choice's distribution; none of a score's.
    pub(in crate::run) fn names(&self, distribution: RawDistribution) -> &[Text] {
        let start = distribution.names as usize;
        let end = start + distribution.length as usize;
        self.store.names.get(start..end).unwrap_or_default()
    }

    fn record(&self, raw: &RawAnswer) -> AnswerRecord<'_> {
        let known = |number: f64| Some(number).filter(|number| !number.is_nan());
        match raw.kind {
            Kind::Noul => AnswerRecord::Noul {
                probability: raw.number,
            },
            Kind::Choice => AnswerRecord::Choice {
                option: self.text(raw.option),
                confidence: known(raw.number),
                probabilities: raw.distribution.map(|distribution| Options {
                    batch: self,
                    names: self.names(distribution),
                    values: self.values(distribution),
                }),
            },
            Kind::Score => AnswerRecord::Score {
                level: raw.level,
                confidence: known(raw.number),
                expected_level: known(raw.expected_level),
                probabilities: raw
                    .distribution
                    .map(|distribution| Levels(self.values(distribution))),
            },
        }
    }
}

/// The answers of an item, each with the key of its question.
#[derive(Clone, Debug)]
pub struct Answers<'b> {
    batch: &'b Batch,
    raw: std::slice::Iter<'b, RawAnswer>,
}

impl<'b> Iterator for Answers<'b> {
    type Item = (&'b str, AnswerRecord<'b>);

    fn next(&mut self) -> Option<Self::Item> {
        self.nth(0)
    }

    fn nth(&mut self, place: usize) -> Option<Self::Item> {
        let raw = self.raw.nth(place)?;
        Some((self.batch.text(raw.key), self.batch.record(raw)))
    }
}

impl ExactSizeIterator for Answers<'_> {
    fn len(&self) -> usize {
        self.raw.len()
    }
}

/// The probabilities of options, in the order they stand.
#[derive(Clone, Copy, Debug)]
pub struct Options<'b> {
    batch: &'b Batch,
    names: &'b [Text],
    values: &'b [f64],
}

impl<'b> Options<'b> {
    /// Each option with its probability.
    pub fn iter(&self) -> impl Iterator<Item = (&'b str, f64)> {
        let batch = self.batch;
        self.names
            .iter()
            .zip(self.values)
            .map(|(&name, &value)| (batch.text(name), value))
    }

    /// How many options have a probability.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no option has a probability.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// The probabilities of levels from 0 on.
#[derive(Clone, Copy, Debug)]
pub struct Levels<'b>(&'b [f64]);

impl<'b> Levels<'b> {
    /// Each level's probability; None where it was left out.
    pub fn iter(&self) -> impl Iterator<Item = Option<f64>> + use<'b> {
        self.0
            .iter()
            .map(|&value| Some(value).filter(|value| !value.is_nan()))
    }

    /// How many levels there are, those without a probability counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no level.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
