//! Items of a results file as they were read: numbers as numbers, text where it stands.
//!
//! A batch is filled line by line and handed on as a whole, so that reading allocates nothing for
//! an item.

pub(super) mod raw;
pub(super) mod store;
mod views;

use super::item::ItemResult;
use super::known::Known;
use super::parse;
use super::part::Keep;
use store::{Store, Text};
pub use views::{Answers, Levels, Options};

/// Items in file order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The lines, one behind the other.
    source: String,
    store: Store,
    /// What is expected of the next line.
    known: Known,
}

impl Batch {
    /// Takes everything out and keeps the room.
    pub fn clear(&mut self) {
        self.source.clear();
        self.store.clear();
        self.known.clear();
    }

    /// Takes the items out, which must not need their lines any more.
    pub(super) fn take_items(&mut self) -> Self {
        Self {
            store: self.store.take(),
            ..Self::default()
        }
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
        self.push_line(line, number, Keep::Lines)
    }

    pub(super) fn push_line(&mut self, line: &str, number: u64, keep: Keep) -> bool {
        let start = self.source.len();
        self.source.push_str(line);
        let is_item = self.push_at(start, number, keep) == Some(self.source.len());
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
    pub(super) fn push_at(&mut self, start: usize, number: u64, keep: Keep) -> Option<usize> {
        let known = &mut self.known;
        let mut parser = parse::Parser::new(&self.source, start, &mut self.store, known);
        parser.line(number, keep)
    }

    /// Counts the lines of the items on from a number.
    pub(super) fn count_from(&mut self, before: u64) {
        for item in &mut self.store.items {
            item.line += before;
        }
    }

    /// Text as it is written, with its quotes; None where that is not at hand.
    pub(super) fn quoted(&self, text: Text) -> Option<&str> {
        self.store.quoted(&self.source, text)
    }

    pub(super) fn text(&self, text: Text) -> &str {
        self.store.text(&self.source, text)
    }
}
