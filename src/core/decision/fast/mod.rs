//! The fast way to know that nothing is wrong with a line.
//!
//! One typed pass over marked bytes, without a message and without an allocation per line. The law
//! that holds it to [`diagnose`](super::diagnose()): a line is accepted here exactly where the
//! diagnosis finds nothing. What is not accepted is diagnosed.

#![allow(
    clippy::inline_always,
    reason = "reading a value is a few instructions; a call in between costs as much again"
)]

mod block;
mod expected;
mod item;
mod masks;
mod names;
mod questions;
mod sets;
mod text;
mod value;

use std::ops::Range;
use std::sync::Arc;

use self::block::Block;
use self::item::{Found, Memory};
use self::masks::{Masks, Means};
use self::questions::Questions;
use self::sets::KnownSet;
use super::question::{Expected, QuestionSet};

/// What accepting lines needs, kept from line to line.
#[derive(Debug)]
pub struct Scratch {
    means: Means,
    masks: Masks,
    memory: Memory,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            means: Means::widest(),
            masks: Masks::default(),
            memory: Memory::default(),
        }
    }
}

/// A line in which nothing is wrong. Ranges and `end` count from the start of its block.
#[derive(Clone, Debug)]
pub struct Accepted<'a> {
    /// Behind the line, in front of its break.
    pub end: usize,
    /// The id, unescaped.
    pub id: &'a str,
    /// Where the id stands, without its quotes and with its escapes.
    pub id_span: Range<usize>,
    /// Where the state stands.
    pub state: Range<usize>,
    /// Where the questions stand.
    pub questions: Range<usize>,
    /// The right answers in the order they stand, each with the index of its question.
    pub expected: &'a [(u32, Expected)],
    /// Where the source stands, without its quotes and with its escapes.
    pub source: Option<Range<usize>>,
    /// The questions.
    pub set: AcceptedSet<'a>,
}

/// The questions of an accepted line.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedSet<'a> {
    /// Whether their bytes were compared with those of another line instead of read.
    pub is_known: bool,
    kept: Option<&'a KnownSet>,
    questions: &'a Questions,
    block: &'a [u8],
}

impl AcceptedSet<'_> {
    /// The question set. Lines whose questions are the same bytes share one, as long as their set
    /// is among those that are remembered.
    #[must_use]
    pub fn shared(self) -> Arc<QuestionSet> {
        match self.kept {
            Some(known) => known.shared(),
            None => Arc::new(self.questions.set(self.block)),
        }
    }
}

/// Accepts a line exactly where the diagnosis finds nothing wrong with it.
pub fn accept<'a>(line: &'a [u8], scratch: &'a mut Scratch) -> Option<Accepted<'a>> {
    scratch.mark(line);
    scratch
        .accept_at(line, 0)
        .filter(|accepted| accepted.end == line.len())
}

impl Scratch {
    /// Prepares to read the lines of a block.
    pub fn mark(&mut self, block: &[u8]) {
        self.masks.mark(block, self.means);
    }

    /// Accepts the line that starts at `start` in the block that was marked last, up to its break
    /// or the end of the block.
    pub fn accept_at<'a>(&'a mut self, block: &'a [u8], start: usize) -> Option<Accepted<'a>> {
        let bytes = block;
        let block = Block::new(bytes, &self.masks);
        let Found {
            end,
            id,
            state,
            questions,
            source,
        } = self.memory.accept(block, start)?;
        let id_span = id.start..id.end;
        let id = if id.has_escapes {
            self.memory.id.clear();
            block.unescape(id, &mut self.memory.id);
            &self.memory.id
        } else {
            block.raw(id)
        };
        Some(Accepted {
            end,
            // The line was seen to be UTF-8; this looks at a few bytes again instead of trusting.
            id: simdutf8::basic::from_utf8(id).ok()?,
            id_span,
            state,
            questions,
            expected: &self.memory.answers.list,
            source: source.map(|text| text.start..text.end),
            set: AcceptedSet {
                is_known: self.memory.is_known,
                kept: self.memory.known.as_deref(),
                questions: &self.memory.questions,
                block: bytes,
            },
        })
    }
}
