//! What strings say: their text without escapes, and whether it is blank.

use super::block::{Block, Text};

/// Whether a string that starts with a byte may be blank: it ends, or white space begins, plainly,
/// as an escape, or beyond ASCII.
static MAY_BE_BLANK: [bool; 256] = {
    let mut may_be = [false; 256];
    let starts = [b'"', b'\\', b' ', 0xc2, 0xe1, 0xe2, 0xe3];
    let mut at = 0;
    while at < starts.len() {
        may_be[starts[at] as usize] = true;
        at += 1;
    }
    may_be
};

/// A short text and how it is usually written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling {
    text: &'static str,
    /// The text in quotes, and which bits of sixteen bytes these are.
    quoted: u128,
    mask: u128,
}

impl Spelling {
    /// The spelling of a text of at most 14 letters.
    pub(super) const fn of(text: &'static str) -> Self {
        assert!(text.len() <= 14);
        let (mut quoted, mut at) = (b'"' as u128, 0);
        while at < text.len() {
            quoted |= (text.as_bytes()[at] as u128) << (8 * (at + 1));
            at += 1;
        }
        quoted |= (b'"' as u128) << (8 * (at + 1));
        let mask = u128::MAX >> (128 - 8 * (at + 2));
        Self { text, quoted, mask }
    }
}

impl<'a> Block<'a> {
    /// The bytes of a string as they stand.
    pub(super) fn raw(self, text: Text) -> &'a [u8] {
        self.bytes().get(text.start..text.end).unwrap_or_default()
    }

    /// Appends the text of a string that was read.
    #[inline(never)]
    pub(super) fn unescape(self, text: Text, into: &mut Vec<u8>) {
        let mut at = text.start;
        while at < text.end {
            let end = self.special(at).min(text.end);
            into.extend_from_slice(self.bytes().get(at..end).unwrap_or_default());
            at = end;
            if at < text.end {
                let (c, length) = self.escaped(at);
                into.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at += length;
            }
        }
    }

    /// The character of an escape that was read, and how many bytes the escape has.
    fn escaped(self, at: usize) -> (char, usize) {
        let c = match self.byte(at + 1) {
            b'u' => {
                let unit = self.code_unit(at + 2).unwrap_or(0);
                let (code, length) = match unit {
                    0xd800..=0xdbff => {
                        let low = self.code_unit(at + 8).unwrap_or(0);
                        (0x10000 + ((unit & 0x3ff) << 10 | low & 0x3ff), 12)
                    }
                    _ => (unit, 6),
                };
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                return (c, length);
            }
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            same => char::from(same),
        };
        (c, 2)
    }

    /// Reads a string that has to be one of a few.
    #[inline(always)]
    pub(super) fn string_among<T: Copy, const N: usize>(
        self,
        at: usize,
        known: &[(Spelling, T); N],
    ) -> Option<(T, usize)> {
        let here = self.wide_word(at);
        for (spelling, meaning) in known {
            if here & spelling.mask == spelling.quoted {
                return Some((*meaning, at + spelling.text.len() + 2));
            }
        }
        self.escaped_among(at, known)
    }

    #[cold]
    fn escaped_among<T: Copy>(self, at: usize, known: &[(Spelling, T)]) -> Option<(T, usize)> {
        let string = self.quoted(at)?;
        let mut unescaped = Vec::new();
        self.unescape(string, &mut unescaped);
        let &(_, meaning) = known
            .iter()
            .find(|(known, _)| known.text.as_bytes() == unescaped)?;
        Some((meaning, string.end + 1))
    }

    /// Reads the name of a member, which has to be one of a few, and the colon behind it.
    #[inline(always)]
    pub(super) fn member<T: Copy, const N: usize>(
        self,
        at: usize,
        known: &[(Spelling, T); N],
    ) -> Option<(T, usize)> {
        let (meaning, at) = self.string_among(at, known)?;
        Some((meaning, self.colon(at)?))
    }

    /// Whether a string is empty or white space alone.
    #[inline(always)]
    pub(super) fn is_blank(self, text: Text) -> bool {
        MAY_BE_BLANK[usize::from(self.byte(text.start))] && self.is_blank_throughout(text)
    }

    /// The bytes may not be UTF-8: then the line is refused for that, whatever comes out here.
    #[inline(never)]
    fn is_blank_throughout(self, text: Text) -> bool {
        let mut at = text.start;
        while at < text.end {
            at += match *self.bytes().get(at..).unwrap_or_default() {
                [b' ', ..] => 1,
                [b'\\', ..] => {
                    let (c, length) = self.escaped(at);
                    if !c.is_whitespace() {
                        return false;
                    }
                    length
                }
                [0xc2, 0x85 | 0xa0, ..] => 2,
                [0xe1, 0x9a, 0x80, ..]
                | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
                | [0xe2, 0x81, 0x9f, ..]
                | [0xe3, 0x80, 0x80, ..] => 3,
                _ => return false,
            };
        }
        true
    }
}
