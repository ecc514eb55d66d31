//! Strings between their quotes and outside of them.

use std::borrow::Cow;
use std::fmt::Write;

/// The text of a string that was read without a fault; `inner` stands between its quotes.
#[must_use]
pub fn unescape(inner: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', inner.as_bytes()) else {
        return Cow::Borrowed(inner);
    };
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    let mut next = Some(first);
    while let Some((plain, escape)) = next.and_then(|at| rest.split_at_checked(at)) {
        text.push_str(plain);
        rest = push_escape(&mut text, escape);
        next = memchr::memchr(b'\\', rest.as_bytes());
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Pushes the character that `escape` starts with; returns what follows.
fn push_escape<'a>(text: &mut String, escape: &'a str) -> &'a str {
    let after = |length: usize| escape.get(length..).unwrap_or_default();
    let c = match escape.as_bytes().get(1) {
        Some(b'u') => {
            let unit = code_unit(escape);
            let (code, length) = match unit {
                // A high half is followed by its low half, or the line would have been refused.
                0xd800..=0xdbff => {
                    let low = code_unit(after(6));
                    (
                        0x10000 + ((unit - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff),
                        12,
                    )
                }
                _ => (unit, 6),
            };
            text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            return after(length);
        }
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(&same) => char::from(same),
        None => return "",
    };
    text.push(c);
    after(2)
}

fn code_unit(escape: &str) -> u32 {
    escape
        .get(2..6)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(0)
}

/// Writes a string as JSON of printable ASCII alone: other characters as `\uxxxx`.
pub fn push_string(json: &mut String, text: &str) {
    json.push('"');
    let mut rest = text;
    while let Some((at, c)) = rest
        .char_indices()
        .find(|&(_, c)| !matches!(c, ' '..='~') || c == '"' || c == '\\')
    {
        json.push_str(rest.get(..at).unwrap_or_default());
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(json, "\\u{unit:04x}");
                }
            }
        }
        rest = rest.get(at + c.len_utf8()..).unwrap_or_default();
    }
    json.push_str(rest);
    json.push('"');
}

/// The place of the first byte from `start` on that ends or interrupts a string.
#[inline]
pub(crate) fn plain_end(bytes: &[u8], start: usize) -> usize {
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
