//! Items of a results file as they were read: numbers as numbers, text where it stands.
//!
//! A batch is filled line by line and handed on as a whole, so that reading allocates nothing for
//! an item.

use super::known::Known;
use super::parse;
use super::record::{AnswerRecord, ErrorKind, ItemResult};
use crate::decision::question::Kind;

/// Text of a batch: where it starts and how long it is.
///
/// The highest bit of the start tells text that had to be unescaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    start: u32,
    length: u32,
}

/// Marks text that does not stand in the lines themselves.
const UNESCAPED: u32 = 1 << 31;

/// A failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawError {
    pub(super) kind: ErrorKind,
    pub(super) status_code: Option<u16>,
    pub(super) message: Text,
}

/// An item. A number that is not known is NaN.
#[derive(Clone, Debug)]
pub(super) struct RawItem {
    pub(super) line: u64,
    pub(super) id: Text,
    pub(super) answers: (u32, u32),
    pub(super) error: Option<RawError>,
    pub(super) latency_ms: f64,
    pub(super) model: Option<Text>,
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) cost: f64,
    pub(super) is_cached: bool,
    pub(super) request_id: Option<Text>,
    pub(super) tries: u64,
}

/// An answer. A number that is not known is NaN.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawAnswer {
    pub(super) key: Text,
    pub(super) kind: Kind,
    /// The option of a choice.
    pub(super) option: Text,
    /// The level of a score.
    pub(super) level: u64,
    /// The probability of a noul, the confidence of the others.
    pub(super) number: f64,
    pub(super) expected_level: f64,
    pub(super) distribution: Option<RawDistribution>,
}

/// Stands for the names of a distribution over levels, which have none.
pub(super) const NO_NAMES: u32 = u32::MAX;

/// Where a distribution stands in the lists of names (of a choice) and values.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawDistribution {
    pub(super) names: u32,
    pub(super) values: u32,
    pub(super) length: u32,
}

impl RawItem {
    /// An item of which nothing is known but its line.
    pub(super) fn of(line: u64) -> Self {
        Self {
            line,
            id: Text::default(),
            answers: (0, 0),
            error: None,
            latency_ms: f64::NAN,
            model: None,
            input_tokens: None,
            output_tokens: None,
            cost: f64::NAN,
            is_cached: false,
            request_id: None,
            tries: 1,
        }
    }
}

impl RawAnswer {
    /// An answer of which nothing is known but its kind.
    pub(super) fn of(key: Text, kind: Kind) -> Self {
        Self {
            key,
            kind,
            option: Text::default(),
            level: 0,
            number: f64::NAN,
            expected_level: f64::NAN,
            distribution: None,
        }
    }
}

impl RawDistribution {
    /// A distribution over options.
    pub(super) fn of_options(names: usize, values: usize, length: usize) -> Self {
        Self {
            names: place(names),
            ..Self::of_levels(values, length)
        }
    }

    /// A distribution over levels.
    pub(super) fn of_levels(values: usize, length: usize) -> Self {
        Self {
            names: NO_NAMES,
            values: place(values),
            length: place(length),
        }
    }
}

/// Items in file order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The lines, one behind the other.
    source: String,
    store: Store,
}

/// What was read from the lines of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    /// Text that is written otherwise than it reads.
    unescaped: String,
    pub(super) items: Vec<RawItem>,
    pub(super) answers: Vec<RawAnswer>,
    pub(super) names: Vec<Text>,
    /// Probabilities; NaN where a level has none.
    pub(super) values: Vec<f64>,
}

/// How full a batch is, to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    unescaped: usize,
    answers: usize,
    names: usize,
    values: usize,
}

impl Batch {
    /// Takes everything out and keeps the room.
    pub fn clear(&mut self) {
        self.source.clear();
        self.store.unescaped.clear();
        self.store.items.clear();
        self.store.answers.clear();
        self.store.names.clear();
        self.store.values.clear();
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.items.len()
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.items.is_empty()
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

    /// The item at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ItemResult<'_>> {
        let raw = self.store.items.get(index)?;
        Some(ItemResult { batch: self, raw })
    }

    /// The item that was added last.
    #[must_use]
    pub fn last(&self) -> Option<ItemResult<'_>> {
        let raw = self.store.items.last()?;
        Some(ItemResult { batch: self, raw })
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = ItemResult<'_>> {
        let items = self.store.items.iter();
        items.map(|raw| ItemResult { batch: self, raw })
    }

    /// Adds the item of a line; false where something is wrong with the line.
    pub fn push(&mut self, line: &str, number: u64) -> bool {
        let start = self.source.len();
        self.source.push_str(line);
        let is_item = self.push_at(start, number) == Some(self.source.len());
        if !is_item {
            self.source.truncate(start);
        }
        is_item
    }

    /// Takes lines to read items from.
    pub(super) fn set_source(&mut self, lines: &str) {
        self.source.clear();
        self.source.push_str(lines);
    }

    /// Adds the item of the line that starts at a byte of the source, and gives the end of the
    /// line; None where something is wrong with it.
    pub(super) fn push_at(&mut self, start: usize, number: u64) -> Option<usize> {
        parse::item(&self.source, start, number, &mut self.store)
    }

    /// Counts the lines of the items on from a number.
    pub(super) fn count_from(&mut self, before: u64) {
        for item in &mut self.store.items {
            item.line += before;
        }
    }

    /// The items of another batch without their lines; text that comes again is kept once.
    pub(super) fn compact(other: &Self) -> Self {
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

    pub(super) fn text(&self, text: Text) -> &str {
        self.store.text(&self.source, text)
    }

    pub(super) fn answers(&self, raw: &RawItem) -> Answers<'_> {
        Answers {
            batch: self,
            raw: self.raw_answers(raw).iter(),
        }
    }

    fn raw_answers(&self, raw: &RawItem) -> &[RawAnswer] {
        let range = raw.answers.0 as usize..raw.answers.1 as usize;
        self.store.answers.get(range).unwrap_or_default()
    }

    fn values(&self, distribution: RawDistribution) -> &[f64] {
        let start = distribution.values as usize;
        let end = start + distribution.length as usize;
        self.store.values.get(start..end).unwrap_or_default()
    }

    /// The names of a choice's distribution; none of a score's.
    fn names(&self, distribution: RawDistribution) -> &[Text] {
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

impl Store {
    pub(super) fn text<'s>(&'s self, source: &'s str, text: Text) -> &'s str {
        let (from, start) = if text.start & UNESCAPED == 0 {
            (source, text.start as usize)
        } else {
            (self.unescaped.as_str(), (text.start ^ UNESCAPED) as usize)
        };
        from.get(start..start + text.length as usize)
            .unwrap_or_default()
    }

    /// Keeps text that was unescaped.
    pub(super) fn keep(&mut self, text: &str) -> Text {
        let start = place(self.unescaped.len()) | UNESCAPED;
        self.unescaped.push_str(text);
        Text {
            start,
            length: place(text.len()),
        }
    }

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

    pub(super) fn mark(&self) -> Mark {
        Mark {
            unescaped: self.unescaped.len(),
            answers: self.answers.len(),
            names: self.names.len(),
            values: self.values.len(),
        }
    }

    /// Takes out what was added since.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.unescaped.truncate(mark.unescaped);
        self.answers.truncate(mark.answers);
        self.names.truncate(mark.names);
        self.values.truncate(mark.values);
    }
}

impl Text {
    /// A number that no other text of the batch has.
    pub(super) fn number(self) -> u64 {
        u64::from(self.start) << 32 | u64::from(self.length)
    }

    pub(super) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Text that stands in the lines.
    pub(super) fn plain(start: usize, length: usize) -> Self {
        Self {
            start: place(start),
            length: place(length),
        }
    }
}

/// A place in a batch, which is smaller than 2³¹ bytes.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
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
