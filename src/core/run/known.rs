//! Text that comes again and again, kept once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher as StdHasher};

use super::batch::store::{Store, Text, place};
use crate::decision::ids::Hasher;

/// Which texts and lists of names a batch has. What is not known again by its hash is kept once
/// more, which costs room and nothing else.
#[derive(Debug)]
pub(super) struct Known {
    hasher: Hasher,
    texts: HashMap<u64, Text, BuildHasherDefault<Identity>>,
    /// Where the names of a distribution stand, and how many there are.
    lists: HashMap<u64, (u32, usize), BuildHasherDefault<Identity>>,
    /// The texts of the item before this one, one after the other: most come again.
    before: Vec<Text>,
    at: usize,
    names: Vec<Text>,
}

/// Takes hashes for what they are.
#[derive(Debug, Default)]
struct Identity(u64);

impl StdHasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Known {
    pub(super) fn new() -> Self {
        Self {
            hasher: Hasher::quick(),
            texts: HashMap::default(),
            lists: HashMap::default(),
            before: Vec::new(),
            at: 0,
            names: Vec::new(),
        }
    }

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
        let hash = self.hasher.hash(text.as_bytes()).part();
        let known = self.texts.get(&hash).copied();
        let place = known
            .filter(|&known| store.text("", known) == text)
            .unwrap_or_else(|| {
                let kept = store.keep(text);
                self.texts.insert(hash, kept);
                kept
            });
        match self.before.get_mut(at) {
            Some(before) => *before = place,
            None => self.before.push(place),
        }
        place
    }

    /// The place of a list of names in a store, which it is added to where it is new.
    pub(super) fn list<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        store: &mut Store,
    ) -> u32 {
        let mut list = std::mem::take(&mut self.names);
        list.clear();
        list.extend(names.map(|name| self.text(name, store)));
        let hash = list.iter().fold(list.len() as u64, |hash, &name| {
            (hash ^ name.number())
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        });
        let known = self.lists.get(&hash).copied();
        let is_same = |&(start, length): &(u32, usize)| {
            let start = start as usize;
            store.names.get(start..start + length) == Some(list.as_slice())
        };
        let start = if let Some((start, _)) = known.filter(is_same) {
            start
        } else {
            let start = place(store.names.len());
            store.names.extend_from_slice(&list);
            self.lists.insert(hash, (start, list.len()));
            start
        };
        self.names = list;
        start
    }
}
