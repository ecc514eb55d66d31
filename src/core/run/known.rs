//! Text that comes again and again, kept once, and what most likely comes next.
//!
//! The answers of a run are alike: the same keys in the same order, each with the same options. So
//! a reader compares what it meets with what stood there the last time, and looks for it in a table
//! only where that fails. A wrong guess costs time and nothing else.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher as StdHasher};

use super::batch::store::{Store, Text, place};
use crate::decision::ids::Hasher;

/// A key under which answers were given, as its place among all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u32);

/// Stands for no slot.
const NONE: Slot = Slot(u32::MAX);

type Map<T> = HashMap<u64, T, BuildHasherDefault<Identity>>;

/// Which texts, keys and lists of names a batch has.
#[derive(Clone, Debug)]
pub(super) struct Known {
    hasher: Hasher,
    /// Texts by their hash, or by the next number that is free.
    texts: Map<Text>,
    /// Where the names of a distribution stand, and how many there are, likewise.
    lists: Map<(u32, u32)>,
    keys: Map<Slot>,
    slots: Vec<Asked>,
    /// The key that the item before began with.
    first: Slot,
    /// The key of this item that was met last.
    last: Slot,
    /// How many items were begun.
    item: u32,
    model: Text,
}

/// What is known of a key.
#[derive(Clone, Copy, Debug)]
struct Asked {
    key: Text,
    /// The key that followed it.
    next: Slot,
    /// The last item that has it.
    item: u32,
    /// The option that was chosen.
    option: Text,
    /// The names of the distribution.
    names: (u32, u32),
}

/// Takes hashes for what they are.
#[derive(Clone, Debug, Default)]
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

impl Default for Known {
    fn default() -> Self {
        Self {
            hasher: Hasher::quick(),
            texts: Map::default(),
            lists: Map::default(),
            keys: Map::default(),
            slots: Vec::new(),
            first: NONE,
            last: NONE,
            item: 0,
            model: Text::default(),
        }
    }
}

impl Known {
    /// Forgets everything, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.texts.clear();
        self.lists.clear();
        self.keys.clear();
        self.slots.clear();
        self.first = NONE;
        self.item = 0;
        self.model = Text::default();
    }

    /// Begins an item.
    pub(super) fn begin(&mut self) {
        self.item += 1;
        self.last = NONE;
    }

    /// The key that most likely comes next.
    pub(super) fn guess(&self) -> Option<(Slot, Text)> {
        let next = self.asked(self.last).map_or(self.first, |last| last.next);
        self.asked(next).map(|asked| (next, asked.key))
    }

    /// Goes on to a key; false where the item has it already.
    pub(super) fn enter(&mut self, slot: Slot) -> bool {
        match self.slots.get_mut(self.last.0 as usize) {
            Some(last) => last.next = slot,
            None => self.first = slot,
        }
        self.last = slot;
        let item = self.item;
        let asked = self.slots.get_mut(slot.0 as usize);
        asked.is_some_and(|asked| std::mem::replace(&mut asked.item, item) != item)
    }

    /// The slot of a key.
    pub(super) fn slot(&mut self, key: Text) -> Slot {
        let new = Slot(place(self.slots.len()));
        let slot = *self.keys.entry(mixed(0, key.number())).or_insert(new);
        if slot == new {
            self.slots.push(Asked {
                key,
                next: NONE,
                item: 0,
                option: Text::default(),
                names: (0, 0),
            });
        }
        slot
    }

    pub(super) fn key(&self, slot: Slot) -> Text {
        self.asked(slot).map_or(Text::default(), |asked| asked.key)
    }

    /// The option that was chosen the last time.
    pub(super) fn option(&self, slot: Slot) -> Text {
        self.asked(slot)
            .map_or(Text::default(), |asked| asked.option)
    }

    pub(super) fn set_option(&mut self, slot: Slot, option: Text) {
        if let Some(asked) = self.slots.get_mut(slot.0 as usize) {
            asked.option = option;
        }
    }

    /// Where the names of the last distribution stand, and how many there are.
    pub(super) fn names(&self, slot: Slot) -> (u32, u32) {
        self.asked(slot).map_or((0, 0), |asked| asked.names)
    }

    pub(super) fn set_names(&mut self, slot: Slot, names: (u32, u32)) {
        if let Some(asked) = self.slots.get_mut(slot.0 as usize) {
            asked.names = names;
        }
    }

    /// The model that answered the last time.
    pub(super) fn model(&self) -> Text {
        self.model
    }

    pub(super) fn set_model(&mut self, model: Text) {
        self.model = model;
    }

    /// The place of a text in a store, which it is added to where it is new.
    pub(super) fn text(&mut self, text: &str, store: &mut Store) -> Text {
        let mut hash = self.hasher.hash(text.as_bytes()).part();
        loop {
            match self.texts.entry(hash) {
                Entry::Vacant(free) => return *free.insert(store.keep(text)),
                Entry::Occupied(known) if store.text("", *known.get()) == text => {
                    return *known.get();
                }
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
            }
        }
    }

    /// Where the list of names that stands last in a store, from a place on, is to be found, and
    /// how long it is. Where there is one like it, it is taken out again.
    pub(super) fn list(&mut self, start: usize, store: &mut Store) -> (u32, u32) {
        let names = store.names.get(start..).unwrap_or_default();
        let length = place(names.len());
        let numbers = names.iter().map(|name| name.number());
        let mut hash = numbers.fold(length.into(), mixed);
        loop {
            match self.lists.entry(hash) {
                Entry::Vacant(free) => return *free.insert((place(start), length)),
                Entry::Occupied(known) => {
                    let (first, length) = *known.get();
                    let range = first as usize..(first + length) as usize;
                    if store.names.get(range) == store.names.get(start..) {
                        store.names.truncate(start);
                        return *known.get();
                    }
                    hash = hash.wrapping_add(1);
                }
            }
        }
    }

    fn asked(&self, slot: Slot) -> Option<&Asked> {
        self.slots.get(slot.0 as usize)
    }
}

/// A number for a number and those before it; another one for each.
fn mixed(before: u64, number: u64) -> u64 {
    (before ^ number)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}
