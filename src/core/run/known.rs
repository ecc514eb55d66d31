//! Text that comes again and again, kept once.

use std::collections::HashMap;

use super::batch::{Store, Text, place};

/// Which texts and lists of names a batch has.
#[derive(Debug, Default)]
pub(super) struct Known {
    texts: HashMap<Box<str>, Text>,
    /// Where the names of a distribution stand, by those names.
    lists: HashMap<Box<[Text]>, u32>,
    /// The texts of the item before this one, one after the other: most come again.
    before: Vec<Text>,
    at: usize,
}

impl Known {
    /// Begins an item.
    pub(super) fn begin(&mut self) {
        self.at = 0;
    }

    /// The place of a text in a store, which it is added to where it is new.
    pub(super) fn text(&mut self, text: &str, store: &mut Store) -> Text {
        let at = self.at;
        self.at += 1;
        if let Some(&before) = self.before.get(at)
            && store.text("", before) == text
        {
            return before;
        }
        let place = if let Some(&known) = self.texts.get(text) {
            known
        } else {
            let kept = store.keep(text);
            self.texts.insert(text.into(), kept);
            kept
        };
        match self.before.get_mut(at) {
            Some(before) => *before = place,
            None => self.before.push(place),
        }
        place
    }

    /// The place of a list of names in a store, which it is added to where it is new.
    pub(super) fn list(&mut self, names: &[Text], store: &mut Store) -> u32 {
        if let Some(&known) = self.lists.get(names) {
            return known;
        }
        let start = place(store.names.len());
        store.names.extend_from_slice(names);
        self.lists.insert(names.into(), start);
        start
    }
}
