//! Numbers as doubles, each the nearest one to what is written.
//!
//! Most numbers have at most 19 digits and no exponent. Their digits are gathered in one pass and
//! turned into a double by one multiplication with a power of five (the method of Eisel and
//! Lemire, "Number Parsing at a Gigabyte per Second"). All others are left to the standard library.

mod scale;
#[cfg(test)]
mod tests;

use scale::{MOST_PLACES, scaled};

/// Digits that surely fit 64 bits.
const MOST_DIGITS: usize = 19;

/// Reads the JSON number that starts at a byte; gives it and the place behind it. A number that is
/// too large is infinite.
#[inline]
pub(crate) fn double(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    // Nearly all numbers that come in numbers are probabilities.
    if bytes.get(start..start + 2) == Some(b"0.") {
        let (number, end) = digits(bytes, start + 2, 0);
        let places = end - start - 2;
        if (1..=MOST_DIGITS).contains(&places) && !matches!(bytes.get(end), Some(b'e' | b'E')) {
            return Some((scaled(number, places)?, end));
        }
    }
    let is_negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(is_negative);
    let (whole, mut at) = digits(bytes, first, 0);
    if at == first || (at > first + 1 && bytes.get(first) == Some(&b'0')) {
        return None;
    }
    let mut written = at - first;
    let (mut digits_read, mut places) = (whole, 0);
    if bytes.get(at) == Some(&b'.') {
        let point = at;
        (digits_read, at) = digits(bytes, point + 1, whole);
        places = at - point - 1;
        if places == 0 {
            return None;
        }
        written += places;
        if written > MOST_DIGITS && bytes.get(first) == Some(&b'0') {
            written = places - zeros(bytes, point + 1);
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        return by_the_book(bytes, start, exponent(bytes, at + 1)?);
    }
    if written > MOST_DIGITS || places > MOST_PLACES {
        return by_the_book(bytes, start, at);
    }
    let size = scaled(digits_read, places)?;
    Some((if is_negative { -size } else { size }, at))
}

/// Appends the digits from a byte on to a number; its last 64 bits, and the place behind the digits.
#[inline]
fn digits(bytes: &[u8], start: usize, before: u64) -> (u64, usize) {
    let (mut number, mut at) = (before, start);
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let Some(value) = eight_digits(u64::from_le_bytes(*eight)) else {
            break;
        };
        number = number.wrapping_mul(100_000_000).wrapping_add(value);
        at += 8;
    }
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
    {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

/// How many zeros there are from a byte on.
fn zeros(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.iter().take_while(|&&byte| byte == b'0').count()
}

/// The number that eight bytes write, the first one lowest; None where one is no digit.
#[inline]
fn eight_digits(word: u64) -> Option<u64> {
    const ONES: u64 = u64::MAX / 255;
    let low = word.wrapping_sub(ONES * 0x30);
    let high = word.wrapping_add(ONES * 0x46);
    if (low | high) & (ONES * 0x80) != 0 {
        return None;
    }
    // Pairs, then fours, then all eight.
    let pairs = (low * 10).wrapping_add(low >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some((fours * 10_000).wrapping_add(fours >> 32) & 0xffff_ffff)
}

/// The place behind an exponent, whose `e` stands in front of a byte.
fn exponent(bytes: &[u8], start: usize) -> Option<usize> {
    let sign = matches!(bytes.get(start), Some(b'+' | b'-'));
    let first = start + usize::from(sign);
    let (_, end) = digits(bytes, first, 0);
    (end > first).then_some(end)
}

#[cold]
fn by_the_book(bytes: &[u8], start: usize, end: usize) -> Option<(f64, usize)> {
    let literal = std::str::from_utf8(bytes.get(start..end)?).ok()?;
    Some((literal.parse().ok()?, end))
}
