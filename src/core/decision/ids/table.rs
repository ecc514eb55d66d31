//! A table of hashes and lines without room to spare.
//!
//! Entries stand in the order of their hashes, near to where an even spread would put them, so that
//! a table can be six sevenths full and grow by a part of itself. There are many such tables, one for each
//! value of a hash's first bits, so that what is copied while one grows is small.

use super::hash::{Hash, high, low};

/// How many bits of a hash choose the table.
const CHOICE_BITS: u32 = 12;
/// The least slots that a table grows by.
const SMALLEST: usize = 8;
/// Slots behind the last one that a hash can ask for.
const SLACK: usize = 8;

/// What stands in a slot. The default is a free slot.
pub(super) trait Entry: Copy + Default {
    /// A table grows by one slot for each so many: less often where an entry is small.
    const SLOTS_A_NEW_ONE: usize;

    /// An entry for a line, which is counted from 1.
    fn new(hash: Hash, line: u64) -> Self;
    /// The line; 0 for a free slot.
    fn line(self) -> u64;
    /// What is left of the hash, in its order: as a part of 2^64.
    fn rest(self) -> u64;
    /// Whether the hashes are equal as far as they are kept.
    fn meets(self, other: Self) -> bool;
    /// The hash as far as it is kept, given what chose the table.
    fn hash(self, choice: usize) -> Hash;
}

/// 24 bits of a hash and a line below 2^40, in 8 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Short(u64);

impl Short {
    const LINE_BITS: u32 = 40;
    /// Lines have to be smaller than this.
    pub(super) const LINES: u64 = (1 << Self::LINE_BITS) - 1;

    /// A hash as far as it is kept.
    pub(super) fn kept(hash: Hash) -> Hash {
        Self::new(hash, 1).hash(choice(hash))
    }
}

impl Entry for Short {
    const SLOTS_A_NEW_ONE: usize = 3;

    fn new(hash: Hash, line: u64) -> Self {
        Self(high(hash.0 << CHOICE_BITS) & !Self::LINES | line)
    }

    fn line(self) -> u64 {
        self.0 & Self::LINES
    }

    fn rest(self) -> u64 {
        self.0 & !Self::LINES
    }

    fn meets(self, other: Self) -> bool {
        self.rest() == other.rest()
    }

    fn hash(self, choice: usize) -> Hash {
        whole(choice, u128::from(self.rest()) << 64)
    }
}

/// The whole hash and any line, in 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Long {
    first: u64,
    second: u64,
    line: u64,
}

impl Entry for Long {
    const SLOTS_A_NEW_ONE: usize = 5;

    fn new(Hash(hash): Hash, line: u64) -> Self {
        let rotated = hash.rotate_left(CHOICE_BITS);
        Self {
            first: high(rotated),
            second: low(rotated),
            line,
        }
    }

    fn line(self) -> u64 {
        self.line
    }

    fn rest(self) -> u64 {
        self.first
    }

    fn meets(self, other: Self) -> bool {
        (self.first, self.second) == (other.first, other.second)
    }

    fn hash(self, _choice: usize) -> Hash {
        let rotated = u128::from(self.first) << 64 | u128::from(self.second);
        Hash(rotated.rotate_right(CHOICE_BITS))
    }
}

/// The hash that chose a table and left this.
fn whole(choice: usize, rest: u128) -> Hash {
    Hash((choice as u128) << (128 - CHOICE_BITS) | rest >> CHOICE_BITS)
}

/// The tables.
#[derive(Debug)]
pub(super) struct Table<E> {
    parts: Vec<Part<E>>,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Part<E> {
    /// As many slots as hashes can ask for, and some behind.
    slots: Vec<E>,
    used: usize,
}

impl<E: Entry> Default for Table<E> {
    fn default() -> Self {
        let part = Part {
            slots: Vec::new(),
            used: 0,
        };
        Self {
            parts: vec![part; 1 << CHOICE_BITS],
            bytes: 0,
        }
    }
}

impl<E: Entry> Table<E> {
    /// The bytes that the slots take.
    #[must_use]
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Asks for the slots that a hash leads to, so that they are near when they are needed.
    pub(super) fn fetch(&self, hash: Hash) {
        let part = self.parts.get(choice(hash));
        let entry = E::new(hash, 1);
        let slot = part.and_then(|part| part.slots.get(home(entry, part.slots.len())));
        if let Some(slot) = slot {
            fetch(slot);
        }
    }

    /// The line that has the id, of those whose hash is the same; adds the entry where none has.
    ///
    /// `has_id` says whether a line, whose hash is equal as far as it is kept, has the id.
    pub(super) fn first_line<R>(
        &mut self,
        hash: Hash,
        entry: E,
        has_id: impl FnMut(u64) -> Result<bool, R>,
    ) -> Result<Option<u64>, R> {
        let Some(part) = self.parts.get_mut(choice(hash)) else {
            return Ok(None);
        };
        match part.search(entry, has_id)? {
            Ok(line) => Ok(Some(line)),
            Err(at) => {
                self.bytes += part.insert(at, entry) * size_of::<E>();
                Ok(None)
            }
        }
    }

    /// The line that has the id; see `first_line`.
    pub(super) fn find<R>(
        &self,
        hash: Hash,
        entry: E,
        has_id: impl FnMut(u64) -> Result<bool, R>,
    ) -> Result<Option<u64>, R> {
        match self.parts.get(choice(hash)) {
            Some(part) => part.search(entry, has_id).map(Result::ok),
            None => Ok(None),
        }
    }

    /// Takes every entry out.
    pub(super) fn drain<R>(
        &mut self,
        mut each: impl FnMut(Hash, u64) -> Result<(), R>,
    ) -> Result<(), R> {
        self.bytes = 0;
        for (choice, part) in self.parts.iter_mut().enumerate() {
            part.used = 0;
            for entry in std::mem::take(&mut part.slots) {
                if entry.line() > 0 {
                    each(entry.hash(choice), entry.line())?;
                }
            }
        }
        Ok(())
    }
}

/// Asks the machine for what stands in a place, without waiting for it.
#[cfg(target_arch = "x86_64")]
fn fetch<E>(place: &E) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 has SSE, and a prefetch changes nothing but what is in the cache.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
}

/// Waits for what stands in a place.
#[cfg(not(target_arch = "x86_64"))]
fn fetch<E: Copy>(place: &E) {
    std::hint::black_box(*place);
}

/// The table that a hash chooses.
fn choice(hash: Hash) -> usize {
    usize::try_from(hash.0 >> (128 - CHOICE_BITS)).unwrap_or(0)
}

/// The first slot that an entry may stand in.
fn home<E: Entry>(entry: E, slots: usize) -> usize {
    let slots = slots.saturating_sub(SLACK) as u128;
    usize::try_from((u128::from(entry.rest()) * slots) >> 64).unwrap_or(0)
}

impl<E: Entry> Part<E> {
    /// The line that has the id, or else where the entry has to stand.
    fn search<R>(
        &self,
        entry: E,
        mut has_id: impl FnMut(u64) -> Result<bool, R>,
    ) -> Result<Result<u64, usize>, R> {
        let mut at = home(entry, self.slots.len());
        while let Some(other) = self.taken(at).filter(|other| other.rest() <= entry.rest()) {
            if other.meets(entry) && has_id(other.line())? {
                return Ok(Ok(other.line()));
            }
            at += 1;
        }
        Ok(Err(at))
    }

    fn taken(&self, at: usize) -> Option<E> {
        self.slots.get(at).copied().filter(|entry| entry.line() > 0)
    }

    /// Puts an entry where its order asks for; returns by how many slots the table has grown.
    fn insert(&mut self, at: usize, entry: E) -> usize {
        // Full where six of seven slots are taken, or where the slots behind are.
        let is_full = (self.used + 1) * 7 > self.slots.len().saturating_sub(SLACK) * 6;
        let left = if is_full {
            Some(entry)
        } else {
            self.shift_in(at, entry)
        };
        self.used += 1;
        left.map_or(0, |entry| self.grow(entry))
    }

    /// Puts an entry in a place and moves those there up to the next free slot; gives what finds no
    /// room.
    fn shift_in(&mut self, at: usize, mut entry: E) -> Option<E> {
        for slot in self.slots.get_mut(at..).unwrap_or_default() {
            let is_free = slot.line() == 0;
            std::mem::swap(slot, &mut entry);
            if is_free {
                return None;
            }
        }
        Some(entry)
    }

    #[cold]
    fn grow(&mut self, entry: E) -> usize {
        let before = self.slots.len();
        let mut slots = before.saturating_sub(SLACK);
        loop {
            slots += (slots / E::SLOTS_A_NEW_ONE).max(SMALLEST);
            if self.spread(slots, entry) {
                return self.slots.len() - before;
            }
        }
    }

    /// Spreads the entries and a new one over more slots; false where some find no room.
    fn spread(&mut self, slots: usize, entry: E) -> bool {
        let mut wider = vec![E::default(); slots + SLACK];
        let (mut next, mut fits) = (0, true);
        let mut place = |entry: E| {
            let at = home(entry, slots + SLACK).max(next);
            next = at + 1;
            fits &= wider.get_mut(at).map(|slot| *slot = entry).is_some();
        };
        let mut new = Some(entry);
        for &old in self.slots.iter().filter(|entry| entry.line() > 0) {
            if let Some(entry) = new.take_if(|entry| entry.rest() < old.rest()) {
                place(entry);
            }
            place(old);
        }
        new.into_iter().for_each(&mut place);
        if fits {
            self.slots = wider;
        }
        fits
    }
}
