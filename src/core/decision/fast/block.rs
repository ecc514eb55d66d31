//! A marked block of bytes, and the grammar of what holds no other values.
//!
//! Every method that reads something answers with the place behind it, or None where the line
//! cannot be accepted. Bytes beyond the end read as 0, which no grammar allows: so no place is ever
//! behind the end, which [`Padded`] relies on.

use super::masks::Masks;
use super::means::{BYTES, STRIP_BYTES};
use super::padded::Padded;

/// A block of bytes and its marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    text: Padded<'a>,
    masks: &'a Masks,
}

/// A string without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_escapes: bool,
}

/// What stands behind a member or an element, and where one reads on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Behind {
    /// A comma: here starts another one.
    Another(usize),
    /// The bracket that ends them.
    End(usize),
}

/// The value of a hexadecimal digit; more than four digits can sum up to for any other byte.
static HEX: [u32; 256] = {
    let mut values = [NOT_HEX; 256];
    let mut value = 0;
    while value < 10 {
        values[b'0' as usize + value as usize] = value;
        value += 1;
    }
    while value < 16 {
        values[b'a' as usize + value as usize - 10] = value;
        values[b'A' as usize + value as usize - 10] = value;
        value += 1;
    }
    values
};
const NOT_HEX: u32 = 0x1_0000;

impl<'a> Block<'a> {
    /// A block whose marks were begun for bytes of its length; None for others.
    pub(super) fn new(text: Padded<'a>, masks: &'a Masks) -> Option<Self> {
        (masks.length() == text.len()).then_some(Self { text, masks })
    }

    #[inline(always)]
    pub(super) fn bytes(self) -> &'a [u8] {
        self.text.bytes()
    }

    #[inline(always)]
    pub(super) fn byte(self, at: usize) -> u8 {
        self.text.byte(at)
    }

    /// Eight bytes, the first one lowest.
    #[inline(always)]
    pub(super) fn word(self, at: usize) -> u64 {
        self.text.word(at)
    }

    /// Sixteen bytes, the first one lowest.
    #[inline(always)]
    pub(super) fn wide_word(self, at: usize) -> u128 {
        u128::from_le_bytes(self.text.chunk(at))
    }

    /// The first quote, backslash or control at or behind `at`; the end for none.
    #[inline(always)]
    pub(super) fn special(self, at: usize) -> usize {
        let (first, second) = self.masks.two(self.bytes(), at / BYTES);
        // The bits of the 64 bytes from `at` on, wherever they lie in the two words.
        let shift = at % BYTES;
        let bits = first >> shift | (second << 1) << (BYTES - 1 - shift);
        if bits != 0 {
            at + bits.trailing_zeros() as usize
        } else {
            self.masks.next(self.bytes(), at / BYTES + 1)
        }
    }

    /// Goes on behind bytes that are known without being read.
    #[inline(always)]
    pub(super) fn leave_out(self, to: usize) {
        self.masks.leave_out(to);
    }

    /// Skips spaces and tabs. Line breaks are white space too, but a line ends with them.
    #[inline(always)]
    pub(super) fn blanks(self, at: usize) -> usize {
        if self.byte(at) > b' ' {
            at
        } else if self.byte(at) == b' ' && self.byte(at + 1) > b' ' {
            at + 1
        } else {
            self.more_blanks(at)
        }
    }

    #[cold]
    fn more_blanks(self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        at
    }

    /// Reads a colon and the white space around it.
    #[inline(always)]
    pub(super) fn colon(self, at: usize) -> Option<usize> {
        if self.byte(at) == b':' && self.byte(at + 1) > b' ' {
            Some(at + 1)
        } else {
            self.spaced_colon(at)
        }
    }

    #[inline(never)]
    fn spaced_colon(self, at: usize) -> Option<usize> {
        let at = self.blanks(at);
        (self.byte(at) == b':').then(|| self.blanks(at + 1))
    }

    /// Reads a comma or the closing bracket, and the white space in front and behind the comma.
    #[inline(always)]
    pub(super) fn behind(self, at: usize, bracket: u8) -> Option<Behind> {
        match self.byte(at) {
            b',' => Some(Behind::Another(self.blanks(at + 1))),
            byte if byte == bracket => Some(Behind::End(at + 1)),
            _ => self.spaced_behind(at, bracket),
        }
    }

    #[inline(never)]
    fn spaced_behind(self, at: usize, bracket: u8) -> Option<Behind> {
        let at = self.more_blanks(at);
        match self.byte(at) {
            b',' => Some(Behind::Another(self.blanks(at + 1))),
            byte if byte == bracket => Some(Behind::End(at + 1)),
            _ => None,
        }
    }

    /// Reads a string.
    #[inline(always)]
    pub(super) fn quoted(self, at: usize) -> Option<Text> {
        if self.byte(at) != b'"' {
            return None;
        }
        let at = at + 1;
        let end = self.special(at);
        match self.byte(end) {
            b'"' => Some(Text {
                start: at,
                end,
                has_escapes: false,
            }),
            b'\\' => self.string_with_escapes(at, end),
            _ => None,
        }
    }

    #[inline(never)]
    fn string_with_escapes(self, start: usize, mut at: usize) -> Option<Text> {
        loop {
            while self.byte(at) == b'\\' {
                at = self.escape(at)?;
            }
            at = self.special(at);
            match self.byte(at) {
                b'"' => {
                    return Some(Text {
                        start,
                        end: at,
                        has_escapes: true,
                    });
                }
                b'\\' => {}
                _ => return None,
            }
        }
    }

    /// Reads an escape, or the two of a surrogate pair; `at` stands at the backslash.
    #[inline(always)]
    fn escape(self, at: usize) -> Option<usize> {
        match self.byte(at + 1) {
            b'u' => match self.code_unit(at + 2)? {
                0xd800..=0xdbff => {
                    let is_pair = self.byte(at + 6) == b'\\'
                        && self.byte(at + 7) == b'u'
                        && matches!(self.code_unit(at + 8), Some(0xdc00..=0xdfff));
                    is_pair.then_some(at + 12)
                }
                0xdc00..=0xdfff => None,
                _ => Some(at + 6),
            },
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
            _ => None,
        }
    }

    /// The value of four hexadecimal digits.
    #[inline(always)]
    pub(super) fn code_unit(self, at: usize) -> Option<u32> {
        let digits: [u8; 4] = self.text.chunk(at);
        let unit = digits
            .iter()
            .fold(0, |unit, &digit| unit << 4 | HEX[usize::from(digit)]);
        (unit < NOT_HEX).then_some(unit)
    }

    /// Reads a number.
    pub(super) fn number(self, mut at: usize) -> Option<usize> {
        if self.byte(at) == b'-' {
            at += 1;
        }
        at = match self.byte(at) {
            b'0' => at + 1,
            b'1'..=b'9' => self.digits(at + 1),
            _ => return None,
        };
        if self.byte(at) == b'.' {
            at = self.some_digits(at + 1)?;
        }
        if matches!(self.byte(at), b'e' | b'E') {
            let is_signed = matches!(self.byte(at + 1), b'+' | b'-');
            at = self.some_digits(at + 1 + usize::from(is_signed))?;
        }
        Some(at)
    }

    fn some_digits(self, at: usize) -> Option<usize> {
        let end = self.digits(at);
        (end > at).then_some(end)
    }

    fn digits(self, mut at: usize) -> usize {
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        at
    }

    /// Reads `true`, `false` or `null`.
    pub(super) fn literal(self, at: usize) -> Option<usize> {
        match &self.word(at).to_le_bytes() {
            [b't', b'r', b'u', b'e', ..] | [b'n', b'u', b'l', b'l', ..] => Some(at + 4),
            [b'f', b'a', b'l', b's', b'e', ..] => Some(at + 5),
            _ => None,
        }
    }

    /// Whether the bytes between two places where ASCII stands are UTF-8.
    pub(super) fn is_utf8(self, start: usize, end: usize) -> bool {
        let mut strips = start / STRIP_BYTES..end.div_ceil(STRIP_BYTES);
        if !strips.any(|strip| self.masks.is_beyond_ascii(self.bytes(), strip)) {
            return true;
        }
        let bytes = self.bytes().get(start..end).unwrap_or_default();
        simdutf8::basic::from_utf8(bytes).is_ok()
    }
}
