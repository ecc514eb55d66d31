//! The items of a file one after the other, without keeping it.

use std::path::PathBuf;
use std::sync::Arc;

use super::diagnose::{diagnose, duplicate_id};
use super::fast::{Scratch, accept};
use super::ids::{Hasher, Id, Ids, Reread, Room};
use super::question::{Expected, QuestionSet};
use crate::input::{Input, InputError};
use crate::json::Fault;
use crate::lines::{Content, LineReader, is_blank};
use crate::problem::Problem;

/// A line is remembered with its place once in so many bytes.
const PLACE_EVERY: u64 = 32 << 10;

/// An item of a data set, as far as its answers need it.
#[derive(Clone, Debug)]
pub struct Item {
    /// The line, counted from 1.
    pub line: u64,
    /// The id, unescaped.
    pub id: String,
    /// The questions; one and the same for items whose questions are the same bytes, as long as
    /// there are not too many sets.
    pub set: Arc<QuestionSet>,
    /// The right answers in the order they stand, each with the index of its question.
    pub expected: Vec<(u32, Expected)>,
}

/// Reads the items of a file in order. Lines with problems give no item, only their problems.
#[derive(Debug)]
pub struct ItemStream {
    lines: LineReader,
    scratch: Scratch,
    problems: Vec<Problem>,
    ids: Ids,
    hasher: Hasher,
    next_place: u64,
    item: Item,
}

impl ItemStream {
    /// Reads an input from its start.
    #[must_use]
    pub fn new(input: Input) -> Self {
        let again = input.file().and_then(|file| file.try_clone().ok());
        let room = Room {
            memory: usize::MAX,
            folder: PathBuf::new(),
        };
        let ids = Ids::new(again.map(Reread::new), room);
        let no_questions = QuestionSet {
            questions: Box::default(),
        };
        Self {
            lines: LineReader::new(input),
            scratch: Scratch::default(),
            problems: Vec::new(),
            hasher: ids.hasher(),
            ids,
            next_place: 0,
            item: Item {
                line: 0,
                id: String::new(),
                set: Arc::new(no_questions),
                expected: Vec::new(),
            },
        }
    }

    /// The next item, or None at the end of the file.
    pub fn next_item(&mut self) -> Result<Option<&Item>, InputError> {
        while let Some(line) = self.lines.next_line()? {
            if line.offset >= self.next_place {
                self.ids.place(line.number, line.offset);
                self.next_place = line.offset + PLACE_EVERY;
            }
            let bytes = match line.content {
                Content::Bytes(bytes) if is_blank(bytes) => continue,
                Content::Bytes(bytes) => bytes,
                Content::TooLong => {
                    self.problems.push(Fault::TooLong.problem(line.number));
                    continue;
                }
            };
            let item = &mut self.item;
            item.line = line.number;
            item.id.clear();
            item.expected.clear();
            let is_right = if let Some(accepted) = accept(bytes, &mut self.scratch) {
                item.id.push_str(accepted.id());
                item.expected.extend_from_slice(accepted.expected);
                item.set = accepted.set.shared();
                true
            } else {
                let diagnosis = diagnose(bytes, line.number, &mut self.problems);
                let Some(id) = diagnosis.id else { continue };
                item.id = id;
                if let Some(parts) = diagnosis.item {
                    item.expected = parts.expected;
                    item.set = Arc::new(parts.set.set);
                    true
                } else {
                    false
                }
            };
            let first_line = self.ids.first_line(Id {
                hash: self.hasher.hash(item.id.as_bytes()),
                text: item.id.as_bytes(),
                line: item.line,
                has_problems: !is_right,
            });
            match first_line.map_err(InputError::Io)? {
                Some(first) => {
                    let problem = duplicate_id(item.line, &item.id, first);
                    self.problems.push(problem);
                }
                None if is_right => return Ok(Some(&self.item)),
                None => {}
            }
        }
        Ok(None)
    }

    /// The first line met so far that has this id.
    pub fn line_of(&mut self, id: &str) -> Result<Option<u64>, InputError> {
        let hash = self.hasher.hash(id.as_bytes());
        let line = self.ids.line_of(hash, id.as_bytes());
        line.map_err(InputError::Io)
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
