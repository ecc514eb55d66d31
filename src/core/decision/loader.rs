//! Lines on their way into a data set in memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use super::dataset::{self, Dataset, Row, Span};
use super::diagnose::{diagnose, duplicate_id};
use super::fast::{Scratch, accept};
use crate::json::Fault;
use crate::lines::{Content, Line, is_blank};
use crate::problem::Problem;

/// Lines are kept in blocks of this many bytes, so that no file has to be copied as it grows.
const BLOCK: usize = 1 << 20;

/// Takes the lines of a file one after the other.
pub(super) struct Loader {
    is_text: bool,
    scratch: Scratch,
    content: dataset::Content,
    rows: Vec<Row>,
    problems: Vec<Problem>,
    /// The first line of each id.
    ids: HashMap<Box<str>, u64>,
    sets: Sets,
}

impl Loader {
    pub(super) fn new(is_text: bool) -> Self {
        Self {
            is_text,
            scratch: Scratch::default(),
            content: dataset::Content::default(),
            rows: Vec::new(),
            problems: Vec::new(),
            ids: HashMap::new(),
            sets: Sets::default(),
        }
    }

    pub(super) fn push(&mut self, line: &Line<'_>) {
        match line.content {
            Content::Bytes(bytes) if is_blank(bytes) => {}
            Content::Bytes(bytes) => self.push_bytes(bytes, line.number),
            Content::TooLong => self.problem(Fault::TooLong.problem(line.number)),
        }
    }

    pub(super) fn finish(mut self) -> Result<Dataset, Vec<Problem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        if let Some(last) = self.content.blocks.last_mut() {
            last.shrink_to_fit();
        }
        self.rows.shrink_to_fit();
        self.content.sets.shrink_to_fit();
        Ok(Dataset::new(self.content, self.rows))
    }

    fn push_bytes(&mut self, bytes: &[u8], number: u64) {
        if self.is_text
            && let Err(error) = simdutf8::compat::from_utf8(bytes)
        {
            let byte = error.valid_up_to();
            self.problem(Fault::UnpairedSurrogate { byte }.problem(number));
            return;
        }
        if let Some(accepted) = accept(bytes, &mut self.scratch) {
            if let Some(&first) = self.ids.get(accepted.id()) {
                let problem = duplicate_id(number, accepted.id(), first);
                self.problem(problem);
                return;
            }
            self.ids.insert(accepted.id().into(), number);
            let (id, state, questions) = (accepted.id_span, accepted.state, accepted.questions);
            if self.problems.is_empty() {
                self.keep(bytes, number, [id, state, questions]);
            }
            return;
        }
        let before = self.problems.len();
        let diagnosis = diagnose(bytes, number, &mut self.problems);
        if let Some(id) = diagnosis.id {
            match self.ids.get(id.as_str()) {
                Some(&first) => self.problems.push(duplicate_id(number, &id, first)),
                None => _ = self.ids.insert(id.into(), number),
            }
        }
        if self.problems.len() > before {
            self.forget();
        } else if let Some(item) = diagnosis.item
            && self.problems.is_empty()
        {
            self.keep(bytes, number, [item.id_span, item.state, item.questions]);
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
        self.forget();
    }

    /// A file with a problem becomes no data set: only its ids are needed from here on.
    fn forget(&mut self) {
        self.content = dataset::Content::default();
        self.rows = Vec::new();
        self.sets = Sets::default();
    }

    fn keep(&mut self, line: &[u8], number: u64, [id, state, questions]: [Range<usize>; 3]) {
        let set = self.set(line, line.get(questions.clone()).unwrap_or_default());
        let (block, bytes) = self.store(line);
        if set as usize == self.content.sets.len() {
            self.content.sets.push((block, bytes));
        }
        self.rows.push(Row {
            line: number,
            block,
            bytes,
            set,
            id: Span::of(&id),
            state: Span::of(&state),
            questions: Span::of(&questions),
        });
    }

    /// The index of the line's question set; the next free one for a new set.
    fn set(&mut self, line: &[u8], questions: &[u8]) -> u32 {
        match self.rows.last() {
            Some(last) if self.content.questions(last) == questions => last.set,
            _ => self.sets.index(questions, || {
                let item = diagnose(line, 1, &mut Vec::new()).item;
                item.map(|item| item.set.json).unwrap_or_default()
            }),
        }
    }

    fn store(&mut self, line: &[u8]) -> (u32, Span) {
        let blocks = &mut self.content.blocks;
        let is_full = blocks
            .last()
            .is_none_or(|block| block.len() + line.len() > BLOCK.max(block.capacity()));
        if is_full {
            // The first block grows as it is filled, since most files are small.
            let capacity = if blocks.is_empty() { 0 } else { BLOCK };
            blocks.push(Vec::with_capacity(capacity.max(line.len())));
        }
        let index = u32::try_from(blocks.len() - 1).unwrap_or(u32::MAX);
        let mut span = 0..0;
        if let Some(block) = blocks.last_mut() {
            span.start = block.len();
            block.extend_from_slice(line);
            span.end = block.len();
        }
        (index, Span::of(&span))
    }
}

/// Question sets by the bytes they were read from and by how they are rendered: keyed 128-bit
/// hashes, for a table of the sets themselves would weigh as much as the file.
#[derive(Default)]
struct Sets {
    keys: (RandomState, RandomState),
    by_bytes: HashMap<u128, u32>,
    by_rendering: HashMap<u128, u32>,
}

impl Sets {
    fn hash(&self, bytes: &[u8]) -> u128 {
        u128::from(self.keys.0.hash_one(bytes)) << 64 | u128::from(self.keys.1.hash_one(bytes))
    }

    fn index(&mut self, bytes: &[u8], render: impl FnOnce() -> Box<str>) -> u32 {
        let by_bytes = self.hash(bytes);
        if let Some(&known) = self.by_bytes.get(&by_bytes) {
            return known;
        }
        let by_rendering = self.hash(render().as_bytes());
        let next = u32::try_from(self.by_rendering.len()).unwrap_or(u32::MAX);
        let index = *self.by_rendering.entry(by_rendering).or_insert(next);
        self.by_bytes.insert(by_bytes, index);
        index
    }
}
