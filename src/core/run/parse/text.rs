//! Strings of a line, and whether they differ.

use std::collections::HashSet;

use super::super::batch::store::Text;
use super::parser::Parser;
use crate::json::{plain_end, unescape};

/// Up to this many names, comparing each with each beats a table.
const FEW_NAMES: usize = 12;

impl Parser<'_> {
    /// Text that is known, with its quotes, where that comes next.
    #[inline]
    pub(super) fn take_known(&mut self, text: Text) -> bool {
        let Some(quoted) = self.store.quoted("", text) else {
            return false;
        };
        let is_next = self.rest().starts_with(quoted.as_bytes());
        if is_next {
            self.at += quoted.len();
        }
        is_next
    }

    /// A string.
    #[inline]
    pub(super) fn string(&mut self) -> Option<Text> {
        self.skip_space();
        if !self.take(b'"') {
            return None;
        }
        let start = self.at;
        let end = plain_end(self.source.as_bytes(), start);
        if self.source.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Some(Text::plain(start, end - start));
        }
        self.at = end;
        self.rest_of_string(start)
    }

    /// A string with escapes, of which a part without them was read.
    #[cold]
    pub(super) fn rest_of_string(&mut self, start: usize) -> Option<Text> {
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
            self.at = plain_end(self.source.as_bytes(), self.at);
        }
        let text = unescape(self.source.get(start..self.at)?);
        self.at += 1;
        Some(self.store.keep(&text))
    }

    pub(super) fn escape(&mut self) -> Option<()> {
        self.at += 1;
        let letter = self.peek()?;
        self.at += 1;
        match letter {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => match self.code_unit()? {
                0xdc00..=0xdfff => None,
                0xd800..=0xdbff => {
                    let is_pair = self.take_all(b"\\u");
                    let low = is_pair.then(|| self.code_unit())??;
                    (0xdc00..=0xdfff).contains(&low).then_some(())
                }
                _ => Some(()),
            },
            _ => None,
        }
    }

    pub(super) fn code_unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + char::from(self.peek()?).to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }

    pub(super) fn are_unique(&self, names: impl ExactSizeIterator<Item = Text> + Clone) -> bool {
        let text = |name| self.store.text(self.source, name);
        // Most names differ in a few of their bytes.
        let mut bits = 0_u64;
        let mut is_clear = true;
        for name in names.clone() {
            let bit = 1 << (mixed(text(name).as_bytes()) % 64);
            is_clear &= bits & bit == 0;
            bits |= bit;
        }
        if is_clear {
            return true;
        }
        if names.len() <= FEW_NAMES {
            let mut after = names.clone();
            return names.into_iter().all(|name| {
                after.next();
                after.clone().all(|other| text(other) != text(name))
            });
        }
        let mut seen = HashSet::with_capacity(names.len());
        names.into_iter().all(|name| seen.insert(text(name)))
    }
}

/// A few bytes of a name, mixed.
fn mixed(name: &[u8]) -> u32 {
    let byte = |at: usize| u32::from(name.get(at).copied().unwrap_or(0));
    let length = name.len();
    let ends = byte(0) * 5 + byte(length.wrapping_sub(1)) * 11;
    let inside = byte(length / 2) * 23 + byte(length.wrapping_sub(2)) * 37;
    ends + inside + byte(2) * 7 + u32::try_from(length).unwrap_or(u32::MAX) % 64
}
