//! The table of a data set's items: a row an item.

use std::collections::HashMap;

use super::column::{Lists, Numbers};
use super::schema::{Field, Schema, Type};
use super::text::Texts;
use super::{BYTES, Batch, ROWS};
use crate::decision::dataset::{Dataset, ItemView, Written};
use crate::decision::question::{Kind, QuestionSet};

/// The columns of the table.
#[must_use]
pub fn schema() -> Schema {
    Schema(vec![
        Field::full("id", Type::Text),
        Field::full("line", Type::UInt64),
        Field::nullable("source", Type::Dictionary),
        Field::full("state_json", Type::Text),
        Field::list("questions", Type::Dictionary),
        Field::list("kinds", Type::Dictionary),
        Field::list("expected", Type::Dictionary),
    ])
}

/// The table while it is being filled, a batch at a time.
#[derive(Debug)]
struct Items {
    id: Texts,
    line: Numbers<u64>,
    source: Texts,
    state: Texts,
    ends: [Lists; 3],
    questions: Texts,
    kinds: Texts,
    expected: Texts,
}

impl Items {
    fn new(schema: &Schema) -> Self {
        let texts = |name| Texts::of(schema.kind(name));
        let kinds = [Kind::Noul, Kind::Choice, Kind::Score].map(Kind::as_str);
        Self {
            id: texts("id"),
            line: Numbers::default(),
            source: texts("source"),
            state: texts("state_json"),
            ends: Default::default(),
            questions: texts("questions"),
            kinds: Texts::starting_with(schema.kind("kinds"), &kinds),
            expected: texts("expected"),
        }
    }

    fn is_full(&self) -> bool {
        let texts = [&self.id, &self.source, &self.state, &self.questions];
        let text: usize = texts.into_iter().map(Texts::bytes).sum();
        self.line.len() >= ROWS || text + self.questions.len() * size_of::<u64>() >= BYTES
    }

    fn push(&mut self, item: &ItemView<'_>, set: &QuestionSet) {
        self.id.push(Some(&item.id()));
        self.line.push(Some(item.line()));
        self.source.push(item.source().as_deref());
        self.state.push(Some(item.state()));
        let expected: HashMap<String, Written> = item.expected().into_iter().collect();
        for question in &set.questions {
            self.questions.push(Some(&question.key));
            self.kinds.push(Some(question.kind.as_str()));
            let right = expected.get(&*question.key).map(Written::as_text);
            self.expected.push(right.as_deref());
        }
        let entries = self.questions.len();
        for ends in &mut self.ends {
            ends.push(entries, true);
        }
    }

    fn finish(&mut self) -> Batch {
        let [questions, kinds, expected] = &mut self.ends;
        Batch::of_even(vec![
            self.id.finish(),
            self.line.finish(),
            self.source.finish(),
            self.state.finish(),
            questions.finish(self.questions.finish()),
            kinds.finish(self.kinds.finish()),
            expected.finish(self.expected.finish()),
        ])
    }
}

/// The table of a data set, a batch at a time as it is asked for.
#[derive(Debug)]
pub struct Walk<D> {
    dataset: D,
    next: usize,
    items: Items,
    last_set: Option<(u32, QuestionSet)>,
}

impl<D: AsRef<Dataset>> Walk<D> {
    /// Begins at the first item.
    #[must_use]
    pub fn new(dataset: D, schema: &Schema) -> Self {
        Self {
            dataset,
            next: 0,
            items: Items::new(schema),
            last_set: None,
        }
    }
}

impl<D: AsRef<Dataset>> Iterator for Walk<D> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let dataset = self.dataset.as_ref();
        while let Some(item) = dataset.get(self.next) {
            if self.items.is_full() {
                return Some(self.items.finish());
            }
            let number = item.set();
            let last = self.last_set.take().filter(|last| last.0 == number);
            let set = last.or_else(|| Some((number, dataset.set(number)?.set)));
            if let Some((_, set)) = &set {
                self.items.push(&item, set);
            }
            self.last_set = set;
            self.next += 1;
        }
        (self.items.line.len() > 0).then(|| self.items.finish())
    }
}
