//! The names of the members of an object: told apart in constant time each, compared unescaped.

use std::hash::{BuildHasher, RandomState};

use super::block::{Block, Text};

/// Objects with more members than this find repeats through a table.
const LINEAR: usize = 16;

/// Set in the start of a name that was unescaped: it stands in the arena, not in the block.
const IN_ARENA: usize = 1 << (usize::BITS - 1);

/// A member's name and where its unescaped bytes stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    /// The first eight bytes; zeros where there are fewer.
    first: u64,
    /// The last eight bytes where there are as many, else 0.
    last: u64,
    start: usize,
    length: usize,
}

/// The bytes that names stand in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts<'a> {
    pub(super) block: &'a [u8],
    pub(super) arena: &'a [u8],
}

impl<'a> Texts<'a> {
    pub(super) fn of(self, name: Name) -> &'a [u8] {
        let (bytes, start) = if name.start & IN_ARENA == 0 {
            (self.block, name.start)
        } else {
            (self.arena, name.start & !IN_ARENA)
        };
        bytes.get(start..start + name.length).unwrap_or_default()
    }
}

impl Name {
    /// Names the text of a string; one with escapes is unescaped at the end of the arena.
    #[inline(always)]
    pub(super) fn new(block: Block<'_>, text: Text, arena: &mut Vec<u8>) -> Self {
        if text.has_escapes {
            let start = arena.len();
            block.unescape(text, arena);
            return Self::in_arena(arena, start);
        }
        let length = text.end - text.start;
        let first = block.word(text.start);
        let (first, last) = if length >= 8 {
            (first, block.word(text.end - 8))
        } else {
            (first & ((1 << (8 * length)) - 1), 0)
        };
        Self {
            first,
            last,
            start: text.start,
            length,
        }
    }

    fn in_arena(arena: &[u8], start: usize) -> Self {
        let bytes = arena.get(start..).unwrap_or_default();
        let word = |bytes: Option<&[u8; 8]>| bytes.map(|bytes| u64::from_le_bytes(*bytes));
        let short = || {
            let bytes = bytes.iter().rev();
            bytes.fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        let first = word(bytes.first_chunk()).unwrap_or_else(short);
        let last = word(bytes.last_chunk()).unwrap_or(0);
        Self {
            first,
            last,
            start: start | IN_ARENA,
            length: bytes.len(),
        }
    }

    /// The place behind the string that `at` stands at, where that is this name without escapes.
    #[inline(always)]
    pub(super) fn spelled_at(self, block: Block<'_>, at: usize, texts: Texts<'_>) -> Option<usize> {
        let (start, end) = (at + 1, at + 1 + self.length);
        let differs = block.word(start) ^ self.first;
        let is_alike = if self.length >= 8 {
            differs == 0
                && end < block.bytes().len()
                && block.word(end - 8) == self.last
                && (self.length <= 16 || block.bytes().get(start..end) == Some(texts.of(self)))
        } else {
            differs & ((1 << (8 * self.length)) - 1) == 0
        };
        let is_quoted = is_alike && block.byte(at) == b'"' && block.byte(end) == b'"';
        // A name that was unescaped may look like one with escapes.
        let is_plain = self.start & IN_ARENA == 0;
        (is_quoted && is_plain).then_some(end + 1)
    }

    pub(super) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// The same name where the block starts `by` bytes later.
    fn moved(mut self, by: usize) -> Self {
        if self.start & IN_ARENA == 0 {
            self.start -= by;
        }
        self
    }

    #[inline(always)]
    pub(super) fn equals(self, texts: Texts<'_>, other: Self, others: Texts<'_>) -> bool {
        self.first == other.first
            && self.last == other.last
            && self.length == other.length
            && (self.length <= 16 || texts.of(self) == others.of(other))
    }

    /// One of 64 bits.
    #[inline(always)]
    fn bit(self) -> u64 {
        let tag = self.first ^ self.last.rotate_left(32);
        let mixed = (tag ^ self.length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        1 << (mixed >> 58)
    }
}

/// The names of objects that are open at the same time, one object's above the other's.
#[derive(Debug, Default)]
pub(super) struct Names {
    list: Vec<Name>,
    /// Tables of places in `list`, plus one; 0 is free. An object's table stands above those of
    /// the objects around it.
    slots: Vec<u32>,
    hasher: RandomState,
}

/// One object's share of [`Names`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Members {
    first: usize,
    /// The bits of the names so far: a name whose bit is not there is new.
    bits: u64,
    table: usize,
    has_table: bool,
}

impl Names {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.slots.clear();
    }

    /// A copy for when the block starts `by` bytes later.
    pub(super) fn kept(&self, by: usize) -> Self {
        Self {
            list: self.list.iter().map(|name| name.moved(by)).collect(),
            slots: self.slots.clone(),
            hasher: self.hasher.clone(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn list(&self) -> &[Name] {
        &self.list
    }

    #[inline(always)]
    pub(super) fn open(&self) -> Members {
        Members {
            first: self.list.len(),
            bits: 0,
            table: self.slots.len(),
            has_table: false,
        }
    }

    /// Forgets the names of an object.
    #[inline(always)]
    pub(super) fn close(&mut self, members: Members) {
        self.list.truncate(members.first);
        self.slots.truncate(members.table);
    }

    /// Keeps the names of an object, but not the means to find them.
    pub(super) fn seal(&mut self, members: Members) {
        self.slots.truncate(members.table);
    }

    /// Adds a name to the innermost open object; None where the object has it already.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        members: &mut Members,
        name: Name,
        texts: Texts<'_>,
    ) -> Option<()> {
        let bit = name.bit();
        let is_new = members.bits & bit == 0 && !members.has_table;
        if !is_new && self.find(members, name, texts, texts).is_some() {
            return None;
        }
        members.bits |= bit;
        self.list.push(name);
        if self.list.len() - members.first > LINEAR {
            self.tabulate(members, texts)?;
        }
        Some(())
    }

    /// The place of a name among those of an object.
    pub(super) fn find(
        &self,
        members: &Members,
        name: Name,
        name_texts: Texts<'_>,
        texts: Texts<'_>,
    ) -> Option<usize> {
        let names = self.list.get(members.first..)?;
        if !members.has_table {
            return place(names, name, name_texts, texts);
        }
        let table = self.slots.get(members.table..)?;
        let mut slot = self.slot(name, name_texts, table.len());
        loop {
            match table.get(slot) {
                Some(0) | None => return None,
                Some(&index) => {
                    let index = index as usize - 1;
                    if self.list.get(index)?.equals(texts, name, name_texts) {
                        return Some(index - members.first);
                    }
                }
            }
            slot = (slot + 1) & (table.len() - 1);
        }
    }

    fn slot(&self, name: Name, texts: Texts<'_>, table: usize) -> usize {
        let hash = self.hasher.hash_one(texts.of(name));
        usize::try_from(hash & (table as u64 - 1)).unwrap_or(0)
    }

    /// Puts the newest name into the table of its object, which is made or grown where needed.
    #[cold]
    fn tabulate(&mut self, members: &mut Members, texts: Texts<'_>) -> Option<()> {
        let count = self.list.len() - members.first;
        let table = self.slots.len() - members.table;
        let mut from = self.list.len() - 1;
        if count * 2 > table {
            self.slots.truncate(members.table);
            let wanted = (count * 4).next_power_of_two();
            self.slots.resize(members.table + wanted, 0);
            members.has_table = true;
            from = members.first;
        }
        for index in from..self.list.len() {
            let name = *self.list.get(index)?;
            let table = self.slots.len() - members.table;
            let mut slot = self.slot(name, texts, table);
            while *self.slots.get(members.table + slot)? != 0 {
                slot = (slot + 1) & (table - 1);
            }
            *self.slots.get_mut(members.table + slot)? = u32::try_from(index + 1).ok()?;
        }
        Some(())
    }
}

/// The place of a name in a short list.
pub(super) fn place(
    names: &[Name],
    name: Name,
    name_texts: Texts<'_>,
    texts: Texts<'_>,
) -> Option<usize> {
    names
        .iter()
        .position(|known| known.equals(texts, name, name_texts))
}
