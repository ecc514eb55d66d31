//! Strings, numbers and brackets of a line, and what they may be in a results file.

use std::collections::HashSet;

use super::super::batch::store::{Mark, Store, Text};
use super::super::record::LARGEST_AMOUNT;
use crate::json::decimal::double;
use crate::json::unescape;
use crate::stats::key::is_probability;

/// Up to this many names, comparing each with each beats a table.
const FEW_NAMES: usize = 12;

/// Where a list or an object goes on.
pub(super) enum Next {
    More,
    End,
}

/// Reads a line and keeps what it says.
pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) at: usize,
    pub(super) store: &'s mut Store,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str, at: usize, store: &'s mut Store) -> Self {
        Self { source, at, store }
    }

    /// How far the line was read.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// Goes back to a place, and forgets what was kept since.
    pub(super) fn go_back(&mut self, at: usize, mark: Mark) {
        self.at = at;
        self.store.back_to(mark);
    }
}

impl Parser<'_> {
    pub(super) fn rest(&self) -> &[u8] {
        self.source.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    #[inline]
    pub(super) fn take_all(&mut self, literal: &[u8]) -> bool {
        let is_next = self.rest().starts_with(literal);
        if is_next {
            self.at += literal.len();
        }
        is_next
    }

    pub(super) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Opens an object or array; whether there is something in it.
    pub(super) fn open(&mut self, bracket: u8, closing: u8) -> Option<Next> {
        self.skip_space();
        if !self.take(bracket) {
            return None;
        }
        self.skip_space();
        Some(if self.take(closing) {
            Next::End
        } else {
            Next::More
        })
    }

    /// Goes on behind a value of an object or array.
    pub(super) fn next(&mut self, closing: u8) -> Option<Next> {
        self.skip_space();
        if self.take(b',') {
            self.skip_space();
            return Some(Next::More);
        }
        self.take(closing).then_some(Next::End)
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

    /// The name of a member, and its colon.
    pub(super) fn name(&mut self) -> Option<Text> {
        let name = self.string()?;
        self.skip_space();
        self.take(b':').then_some(name)
    }

    pub(super) fn boolean(&mut self) -> Option<bool> {
        self.skip_space();
        if self.take_all(b"true") {
            return Some(true);
        }
        self.take_all(b"false").then_some(false)
    }

    pub(super) fn finite(&mut self) -> Option<f64> {
        self.skip_space();
        let (number, end) = double(self.source.as_bytes(), self.at)?;
        self.at = end;
        number.is_finite().then_some(number)
    }

    pub(super) fn probability(&mut self) -> Option<f64> {
        self.finite().filter(|&number| is_probability(number))
    }

    pub(super) fn amount(&mut self) -> Option<f64> {
        let range = 0.0..=LARGEST_AMOUNT;
        self.finite().filter(|number| range.contains(number))
    }

    /// A whole number; −0 is 0.
    pub(super) fn whole(&mut self) -> Option<u64> {
        self.skip_space();
        let bytes = self.source.as_bytes();
        let start = self.at + usize::from(self.peek() == Some(b'-'));
        let mut end = start;
        while bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        let digits = self.source.get(start..end)?;
        let is_padded = digits.len() > 1 && digits.starts_with('0');
        let has_more = matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
        if is_padded || has_more || (start > self.at && digits != "0") {
            return None;
        }
        self.at = end;
        digits.parse().ok()
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

/// The place of the first byte from `start` on that ends or interrupts a string.
#[inline]
fn plain_end(bytes: &[u8], start: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES * 0x80;
    let mut at = start;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*eight);
        // The lowest high bit that is set is that of a byte of 0; those above may be wrong.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quotes | backslashes | controls) & HIGHS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default().iter();
    let plain = rest.take_while(|&&byte| byte != b'"' && byte != b'\\' && byte >= b' ');
    at + plain.count()
}
