//! Numbers and brackets of a line, and what they may be in a results file.

use super::super::batch::store::{Store, Text};
use super::super::known::Known;
use super::super::record::LARGEST_AMOUNT;
use crate::json::decimal::double;
use crate::stats::key::is_probability;

/// Where a list or an object goes on.
pub(super) enum Next {
    More,
    End,
}

/// Reads a line and keeps what it says.
pub(in crate::run) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) at: usize,
    pub(super) store: &'s mut Store,
    pub(super) known: &'s mut Known,
}

impl<'s> Parser<'s> {
    pub(in crate::run) fn new(
        source: &'s str,
        at: usize,
        store: &'s mut Store,
        known: &'s mut Known,
    ) -> Self {
        Self {
            source,
            at,
            store,
            known,
        }
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
}
