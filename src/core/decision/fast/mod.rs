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
mod means;
mod names;
mod padded;
mod questions;
mod sets;
mod text;
mod value;

use std::ops::Range;
use std::sync::Arc;

use self::block::Block;
use self::item::{Found, Memory};
use self::masks::Masks;
pub use self::padded::Padded;
use self::questions::Questions;
use self::sets::KnownSet;
use super::question::{Expected, QuestionSet};

/// What accepting lines needs, kept from line to line.
#[derive(Debug, Default)]
pub struct Scratch {
    masks: Masks,
    memory: Memory,
    /// A line that came alone.
    line: Vec<u8>,
}

/// A line in which nothing is wrong. Ranges and `end` count from the start of its block.
#[derive(Clone, Debug)]
pub struct Accepted<'a> {
    /// Behind the line, in front of its break.
    pub end: usize,
    /// The id, unescaped, in UTF-8.
    pub id: &'a [u8],
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

impl<'a> Accepted<'a> {
    /// The id as text.
    #[must_use]
    pub fn id(&self) -> &'a str {
        // The line was seen to be UTF-8; this looks again instead of trusting.
        std::str::from_utf8(self.id).unwrap_or_default()
    }
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
pub fn accept<'a>(line: &[u8], scratch: &'a mut Scratch) -> Option<Accepted<'a>> {
    let Scratch {
        masks,
        memory,
        line: own,
    } = scratch;
    own.clear();
    own.extend_from_slice(line);
    let block = Padded::new(own, line.len());
    masks.begin(block.len());
    accepted(block, masks, memory, 0).filter(|accepted| accepted.end == line.len())
}

impl Scratch {
    /// Prepares to read the lines of a block from `start` on.
    pub fn begin(&mut self, block: Padded<'_>, start: usize) {
        self.masks.begin(block.len());
        self.masks.leave_out(start);
    }

    /// Accepts the line that starts at `start` in the block that was begun last, up to its break
    /// or the end of the block.
    #[inline]
    pub fn accept_at<'a>(&'a mut self, block: Padded<'a>, start: usize) -> Option<Accepted<'a>> {
        accepted(block, &self.masks, &mut self.memory, start)
    }
}

#[inline(always)]
fn accepted<'a>(
    text: Padded<'a>,
    masks: &'a Masks,
    memory: &'a mut Memory,
    start: usize,
) -> Option<Accepted<'a>> {
    let block = Block::new(text, masks).filter(|_| start <= text.len())?;
    let Found {
        end,
        id,
        state,
        questions,
        source,
    } = memory.accept(block, start)?;
    let id_span = id.start..id.end;
    let id = if id.has_escapes {
        memory.id.clear();
        block.unescape(id, &mut memory.id);
        &memory.id
    } else {
        block.raw(id)
    };
    Some(Accepted {
        end,
        id,
        id_span,
        state,
        questions,
        expected: &memory.answers.list,
        source: source.map(|text| text.start..text.end),
        set: AcceptedSet {
            is_known: memory.is_known,
            kept: memory.kept(),
            questions: &memory.questions,
            block: block.bytes(),
        },
    })
}
