//! The items of a file one after the other, without keeping it.

use std::collections::HashMap;
use std::sync::Arc;

use super::diagnose::{diagnose, duplicate_id};
use super::question::{Expected, QuestionSet};
use crate::input::{Input, InputError};
use crate::json::Fault;
use crate::lines::{Content, LineReader, is_blank};
use crate::problem::Problem;

/// How many question sets are remembered by their bytes.
const REMEMBERED_SETS: usize = 1024;

/// An item of a data set, as far as its answers need it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The line, counted from 1.
    pub line: u64,
    /// The id, unescaped.
    pub id: String,
    /// The questions; one and the same for items whose questions are the same bytes.
    pub set: Arc<QuestionSet>,
    /// The right answers in the order they stand, each with the index of its question.
    pub expected: Vec<(u32, Expected)>,
}

/// Reads the items of a file in order. Lines with problems give no item, only their problems.
#[derive(Debug)]
pub struct ItemStream {
    lines: LineReader,
    problems: Vec<Problem>,
    /// The first line of each id.
    ids: HashMap<Box<str>, u64>,
    sets: HashMap<Box<[u8]>, Arc<QuestionSet>>,
    item: Option<Item>,
}

impl ItemStream {
    /// Reads an input from its start.
    #[must_use]
    pub fn new(input: Input) -> Self {
        Self {
            lines: LineReader::new(input),
            problems: Vec::new(),
            ids: HashMap::new(),
            sets: HashMap::new(),
            item: None,
        }
    }

    /// The next item, or None at the end of the file.
    pub fn next_item(&mut self) -> Result<Option<&Item>, InputError> {
        self.item = None;
        while self.item.is_none() {
            let Some(line) = self.lines.next_line()? else {
                return Ok(None);
            };
            let bytes = match line.content {
                Content::Bytes(bytes) if is_blank(bytes) => continue,
                Content::Bytes(bytes) => bytes,
                Content::TooLong => {
                    self.problems.push(Fault::TooLong.problem(line.number));
                    continue;
                }
            };
            let diagnosis = diagnose(bytes, line.number, &mut self.problems);
            let Some(id) = diagnosis.id else { continue };
            if let Some(&first) = self.ids.get(id.as_str()) {
                self.problems.push(duplicate_id(line.number, &id, first));
                continue;
            }
            self.ids.insert(id.into(), line.number);
            self.item = diagnosis.item.map(|item| {
                let questions = bytes.get(item.questions.clone()).unwrap_or_default();
                let set = if let Some(known) = self.sets.get(questions) {
                    Arc::clone(known)
                } else {
                    if self.sets.len() >= REMEMBERED_SETS {
                        self.sets.clear();
                    }
                    let set = Arc::new(item.set);
                    self.sets.insert(questions.into(), Arc::clone(&set));
                    set
                };
                Item {
                    line: line.number,
                    id: item.id,
                    set,
                    expected: item.expected,
                }
            });
        }
        Ok(self.item.as_ref())
    }

    /// The line of the first item met so far that has this id.
    #[must_use]
    pub fn line_of(&self, id: &str) -> Option<u64> {
        self.ids.get(id).copied()
    }

    /// Every problem met so far, in line order.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Every problem met so far, in line order.
    #[must_use]
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}
