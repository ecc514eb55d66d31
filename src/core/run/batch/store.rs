//! Where the items of a batch and their text are kept.

use super::raw::{RawAnswer, RawItem};
use crate::json::plain_end;

/// Text of a batch: where it starts and how long it is.
///
/// The highest bit of the start tells text that is kept beside the lines, and the next one that it
/// reads as it is written there, between quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::run) struct Text {
    start: u32,
    length: u32,
}

/// Marks text that does not stand in the lines themselves.
const KEPT: u32 = 1 << 31;

/// Marks such text that need not be escaped.
const PLAIN: u32 = 1 << 30;

/// What was read from the lines of a batch.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Store {
    /// Text that comes again, and text that is written otherwise than it reads; each between
    /// quotes. There is less of it than of the lines.
    kept: String,
    pub(in crate::run) items: Vec<RawItem>,
    pub(in crate::run) answers: Vec<RawAnswer>,
    pub(in crate::run) names: Vec<Text>,
    /// Probabilities; NaN where a level has none.
    pub(in crate::run) values: Vec<f64>,
}

/// How full a batch is, to come back to.
#[derive(Clone, Copy, Debug)]
pub(in crate::run) struct Mark {
    answers: usize,
    values: usize,
}

impl Store {
    /// Takes everything out and keeps the room.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.items.clear();
        self.answers.clear();
        self.names.clear();
        self.values.clear();
    }

    /// Takes everything out, and makes room for as much again.
    pub(super) fn take(&mut self) -> Self {
        let more = |length: usize| length + length / 16;
        let next = Self {
            kept: String::with_capacity(more(self.kept.len())),
            items: Vec::with_capacity(more(self.items.len())),
            answers: Vec::with_capacity(more(self.answers.len())),
            names: Vec::with_capacity(more(self.names.len())),
            values: Vec::with_capacity(more(self.values.len())),
        };
        let mut full = std::mem::replace(self, next);
        full.kept.shrink_to_fit();
        full.items.shrink_to_fit();
        full.answers.shrink_to_fit();
        full.names.shrink_to_fit();
        full.values.shrink_to_fit();
        full
    }

    pub(in crate::run) fn text<'s>(&'s self, source: &'s str, text: Text) -> &'s str {
        text.of_lines(if text.is_kept() { &self.kept } else { source })
    }

    /// Text as it is written, with its quotes; None where that is not at hand.
    #[inline]
    pub(in crate::run) fn quoted<'s>(&'s self, source: &'s str, text: Text) -> Option<&'s str> {
        let from = if text.start & PLAIN != 0 {
            &self.kept
        } else if text.is_kept() {
            return None;
        } else {
            source
        };
        let start = text.start();
        from.get(start.checked_sub(1)?..=start + text.length as usize)
    }

    /// Keeps text.
    pub(in crate::run) fn keep(&mut self, text: &str) -> Text {
        let is_plain = plain_end(text.as_bytes(), 0) == text.len();
        self.kept.push('"');
        let start = place(self.kept.len());
        self.kept.push_str(text);
        self.kept.push('"');
        Text {
            start: start | KEPT | if is_plain { PLAIN } else { 0 },
            length: place(text.len()),
        }
    }

    pub(in crate::run) fn mark(&self) -> Mark {
        Mark {
            answers: self.answers.len(),
            values: self.values.len(),
        }
    }

    /// Takes out the answers that were added since, and what was kept for them alone.
    pub(in crate::run) fn back_to(&mut self, mark: Mark) {
        self.answers.truncate(mark.answers);
        self.values.truncate(mark.values);
    }
}

impl Text {
    /// A number that no other text of the batch has.
    pub(in crate::run) fn number(self) -> u64 {
        u64::from(self.start) << 32 | u64::from(self.length)
    }

    /// Whether it does not stand in the lines.
    pub(in crate::run) fn is_kept(self) -> bool {
        self.start & KEPT != 0
    }

    /// Text that stands in the lines.
    pub(in crate::run) fn of_lines(self, lines: &str) -> &str {
        let start = self.start();
        lines
            .get(start..start + self.length as usize)
            .unwrap_or_default()
    }

    fn start(self) -> usize {
        (self.start & !(KEPT | PLAIN)) as usize
    }

    pub(in crate::run) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Text that stands in the lines.
    pub(in crate::run) fn plain(start: usize, length: usize) -> Self {
        Self {
            start: place(start),
            length: place(length),
        }
    }
}

/// A place in a batch, which is smaller than 2³⁰ bytes.
pub(in crate::run) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
