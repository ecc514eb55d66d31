//! Where the items of a batch and their text are kept.

use super::raw::{RawAnswer, RawItem};

/// Text of a batch: where it starts and how long it is.
///
/// The highest bit of the start tells text that had to be unescaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::run) struct Text {
    start: u32,
    length: u32,
}

/// Marks text that does not stand in the lines themselves.
const UNESCAPED: u32 = 1 << 31;

/// What was read from the lines of a batch.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Store {
    /// Text that is written otherwise than it reads.
    pub(super) unescaped: String,
    pub(in crate::run) items: Vec<RawItem>,
    pub(in crate::run) answers: Vec<RawAnswer>,
    pub(in crate::run) names: Vec<Text>,
    /// Probabilities; NaN where a level has none.
    pub(in crate::run) values: Vec<f64>,
}

/// How full a batch is, to come back to.
#[derive(Clone, Copy, Debug)]
pub(in crate::run) struct Mark {
    unescaped: usize,
    answers: usize,
    names: usize,
    values: usize,
}

impl Store {
    /// Takes everything out and keeps the room.
    pub(super) fn clear(&mut self) {
        self.unescaped.clear();
        self.items.clear();
        self.answers.clear();
        self.names.clear();
        self.values.clear();
    }

    pub(in crate::run) fn text<'s>(&'s self, source: &'s str, text: Text) -> &'s str {
        let (from, start) = if text.start & UNESCAPED == 0 {
            (source, text.start as usize)
        } else {
            (self.unescaped.as_str(), (text.start ^ UNESCAPED) as usize)
        };
        from.get(start..start + text.length as usize)
            .unwrap_or_default()
    }

    /// Keeps text that was unescaped.
    pub(in crate::run) fn keep(&mut self, text: &str) -> Text {
        let start = place(self.unescaped.len()) | UNESCAPED;
        self.unescaped.push_str(text);
        Text {
            start,
            length: place(text.len()),
        }
    }

    pub(in crate::run) fn mark(&self) -> Mark {
        Mark {
            unescaped: self.unescaped.len(),
            answers: self.answers.len(),
            names: self.names.len(),
            values: self.values.len(),
        }
    }

    /// Takes out what was added since.
    pub(in crate::run) fn back_to(&mut self, mark: Mark) {
        self.unescaped.truncate(mark.unescaped);
        self.answers.truncate(mark.answers);
        self.names.truncate(mark.names);
        self.values.truncate(mark.values);
    }
}

impl Text {
    /// A number that no other text of the batch has.
    pub(in crate::run) fn number(self) -> u64 {
        u64::from(self.start) << 32 | u64::from(self.length)
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

/// A place in a batch, which is smaller than 2³¹ bytes.
pub(in crate::run) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
