//! A data set in memory: the bytes of its lines, a table of lines, and shared question sets.
//!
//! Nothing is kept twice: what an item holds is read from its line again when it is asked for.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::diagnose::diagnose;
use super::loader::Loader;
use super::question::{QuestionSet, RenderedSet};
use super::stream::Item;
use crate::input::{Input, InputError};
use crate::json::{Kind, Tree, unescape};
use crate::lines::{LineReader, split};
use crate::problem::Problem;

/// Where something stands in a line. Lines are at most 256 MiB long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(super) fn of(range: &Range<usize>) -> Self {
        let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            start: offset(range.start),
            end: offset(range.end),
        }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line in the table.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) block: u32,
    /// Where the line stands in its block.
    pub(super) bytes: Span,
    /// The index of its question set.
    pub(super) set: u32,
    /// The id between its quotes, the state and the questions, in the line.
    pub(super) id: Span,
    pub(super) state: Span,
    pub(super) questions: Span,
}

/// The bytes of a file's lines and, for each question set, a line that has it.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) blocks: Vec<Vec<u8>>,
    pub(super) sets: Vec<(u32, Span)>,
}

impl Content {
    fn line(&self, block: u32, bytes: Span) -> &[u8] {
        self.blocks
            .get(block as usize)
            .and_then(|block| block.get(bytes.range()))
            .unwrap_or_default()
    }

    pub(super) fn questions(&self, row: &Row) -> &[u8] {
        self.line(row.block, row.bytes)
            .get(row.questions.range())
            .unwrap_or_default()
    }
}

/// A data set, or everything that is wrong with its file.
pub type Loaded = Result<Dataset, Vec<Problem>>;

/// The items of a file in which nothing is wrong, or some of them.
#[derive(Clone, Debug)]
pub struct Dataset {
    content: Arc<Content>,
    rows: Vec<Row>,
}

impl Dataset {
    pub(super) fn new(content: Content, rows: Vec<Row>) -> Self {
        let content = Arc::new(content);
        Self { content, rows }
    }

    /// Reads a file that is already in memory. Where it `is_text`, bytes that are not UTF-8 are
    /// the surrogates of a Python string, and are told as such.
    ///
    /// Setting `cancel` ends the reading with an error, here as in [`Dataset::read`].
    pub fn parse(file: &[u8], is_text: bool, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        let mut loader = Loader::new(is_text);
        for line in split(file) {
            loader.push(&line);
            if cancel.load(Ordering::Relaxed) {
                return Err(InputError::Cancelled);
            }
        }
        Ok(loader.finish())
    }

    /// Reads an input to its end.
    pub fn read(input: Input, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        let mut lines = LineReader::new(input);
        let mut loader = Loader::new(false);
        while let Some(line) = lines.next_line()? {
            loader.push(&line);
            if cancel.load(Ordering::Relaxed) {
                return Err(InputError::Cancelled);
            }
        }
        Ok(loader.finish())
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The item at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ItemView<'_>> {
        let row = self.rows.get(index)?;
        let line = self.content.line(row.block, row.bytes);
        Some(ItemView { row, line })
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = ItemView<'_>> {
        (0..self.rows.len()).filter_map(|index| self.get(index))
    }

    /// Some of the items, in the order of `indices`; None where an index is too large. The bytes
    /// are shared.
    #[must_use]
    pub fn select(&self, indices: &[usize]) -> Option<Self> {
        let rows = indices
            .iter()
            .map(|&index| self.rows.get(index).cloned())
            .collect::<Option<_>>()?;
        Some(Self {
            content: Arc::clone(&self.content),
            rows,
        })
    }

    /// Question set `index`, as [`ItemView::set`] counts them.
    #[must_use]
    pub fn set(&self, index: u32) -> Option<RenderedSet> {
        let &(block, bytes) = self.content.sets.get(index as usize)?;
        let line = self.content.line(block, bytes);
        diagnose(line, 1, &mut Vec::new()).item.map(|item| item.set)
    }

    /// The items as a report takes them.
    #[must_use]
    pub fn items(&self) -> Items<'_> {
        Items {
            dataset: self,
            next: 0,
            last_set: None,
        }
    }
}

/// An item, read from its line as it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct ItemView<'d> {
    row: &'d Row,
    line: &'d [u8],
}

/// A right answer by what is written, without its question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// Yes or no.
    Noul(bool),
    /// The key of an option.
    Choice(String),
    /// The index of a level.
    Score(u32),
}

impl Written {
    /// The answer as text, as a table shows it: `true`, an option's key, or a level's digits.
    #[must_use]
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Noul(true) => Cow::Borrowed("true"),
            Self::Noul(false) => Cow::Borrowed("false"),
            Self::Choice(option) => Cow::Borrowed(option),
            Self::Score(level) => Cow::Owned(level.to_string()),
        }
    }
}

impl<'d> ItemView<'d> {
    fn text(&self, span: Span) -> &'d str {
        self.line
            .get(span.range())
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.row.line
    }

    /// The bytes of the line, without its break.
    #[must_use]
    pub fn bytes(&self) -> &'d [u8] {
        self.line
    }

    /// The id, unescaped.
    #[must_use]
    pub fn id(&self) -> Cow<'d, str> {
        unescape(self.text(self.row.id))
    }

    /// The state as it stands in the line.
    #[must_use]
    pub fn state(&self) -> &'d str {
        self.text(self.row.state)
    }

    /// The questions as they stand in the line.
    #[must_use]
    pub fn questions(&self) -> &'d str {
        self.text(self.row.questions)
    }

    /// The index of the question set; equal sets have one index.
    #[must_use]
    pub fn set(&self) -> u32 {
        self.row.set
    }

    /// The right answers in the order they stand, each with the key of its question.
    #[must_use]
    pub fn expected(&self) -> Vec<(String, Written)> {
        let Ok(tree) = Tree::read(self.line, &["state"]) else {
            return Vec::new();
        };
        let Some(expected) = tree.root().member("expected") else {
            return Vec::new();
        };
        let written = expected.members().filter_map(|(key, value)| {
            let answer = match value.kind() {
                Kind::True => Written::Noul(true),
                Kind::False => Written::Noul(false),
                // `-0` is level 0, and no unsigned number.
                Kind::Number => Written::Score(value.literal().parse().unwrap_or(0)),
                _ => Written::Choice(value.string()?.into_owned()),
            };
            Some((key.into_owned(), answer))
        });
        written.collect()
    }

    /// Where the item came from, where it says so.
    #[must_use]
    pub fn source(&self) -> Option<String> {
        let tree = Tree::read(self.line, &["state"]).ok()?;
        let source = tree.root().member("source")?;
        source.string().map(Cow::into_owned)
    }
}

/// The items of a data set with their questions and right answers.
#[derive(Debug)]
pub struct Items<'d> {
    dataset: &'d Dataset,
    next: usize,
    last_set: Option<(u32, Arc<QuestionSet>)>,
}

impl Iterator for Items<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let view = self.dataset.get(self.next)?;
        self.next += 1;
        let item = diagnose(view.line, view.line(), &mut Vec::new()).item?;
        let set = match &self.last_set {
            Some((index, set)) if *index == view.set() => Arc::clone(set),
            _ => Arc::new(item.set.set),
        };
        self.last_set = Some((view.set(), Arc::clone(&set)));
        Some(Item {
            line: view.line(),
            id: item.id,
            set,
            expected: item.expected,
        })
    }
}
