//! Numbers as doubles, each the nearest one to what is written.
//!
//! Most numbers have at most 19 digits and no exponent. Their digits are gathered in one pass and
//! turned into a double by one multiplication with a power of five (the method of Eisel and
//! Lemire, "Number Parsing at a Gigabyte per Second"). All others are left to the standard library.

/// Digits that surely fit 64 bits.
const MOST_DIGITS: usize = 19;

/// Up to this many decimal places the product with a power of five is always exact enough.
const MOST_PLACES: usize = 27;

/// Whole doubles up to here are exact, as are powers of ten up to 10²².
const EXACT: u64 = 1 << 53;
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

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
        if written > MOST_DIGITS && whole == 0 {
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

/// A whole number divided by a power of ten, at most 10²⁷.
#[allow(
    clippy::cast_precision_loss,
    reason = "whole numbers up to 2^53 are exact"
)]
#[inline]
fn scaled(digits: u64, places: usize) -> Option<f64> {
    if digits <= EXACT
        && let Some(power) = POWERS_OF_TEN.get(places)
    {
        return Some(digits as f64 / power);
    }
    if digits == 0 {
        return Some(0.0);
    }
    let power = POWERS_OF_FIVE.get(places)?;
    let leading = digits.leading_zeros();
    let (low, high) = product(digits << leading, *power);
    // 55 bits of the product, of which the last two tell how to round.
    let upper = high >> 63;
    let shift = upper + 9;
    let mut mantissa = high >> shift;
    if low <= 1 && places <= 4 && mantissa & 3 == 1 && mantissa << shift == high {
        // Exactly between two doubles: the even one.
        mantissa &= !1;
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    // Where the mantissa was rounded up to 2^53, the carry makes the exponent one larger.
    let exponent = exponent_of(places) + upper - u64::from(leading);
    Some(f64::from_bits(
        (exponent << 52).wrapping_add(mantissa - (1 << 52)),
    ))
}

/// The biased exponent of 2⁶³ / 10 to so many places, rounded down.
fn exponent_of(places: usize) -> u64 {
    // 217706 / 65536 is log2(10) from above; there are at most 27 places.
    1023 + 63 - (217_706 * places as u64).div_ceil(65_536)
}

/// The upper 128 bits of a product with a power of five: exact, or so near that no double differs.
#[inline]
fn product(number: u64, power: u128) -> (u64, u64) {
    let (power_low, power_high) = halves(power);
    let (mut low, mut high) = halves(u128::from(number) * u128::from(power_high));
    if high & 0x1ff == 0x1ff {
        let (_, more) = halves(u128::from(number) * u128::from(power_low));
        let (sum, carries) = low.overflowing_add(more);
        low = sum;
        high += u64::from(carries);
    }
    (low, high)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "the halves are what is asked for"
)]
fn halves(word: u128) -> (u64, u64) {
    (word as u64, (word >> 64) as u64)
}

/// 1 / 5 to the power of the index, shifted so that the highest of 128 bits is set, rounded up.
static POWERS_OF_FIVE: [u128; MOST_PLACES + 1] = {
    let mut powers = [1 << 127; MOST_PLACES + 1];
    let mut places = 1;
    let mut five: u128 = 1;
    while places <= MOST_PLACES {
        five *= 5;
        powers[places] = reciprocal(five);
        places += 1;
    }
    powers
};

/// 2 to a power, divided by a number that is no power of two, as 128 bits and rounded up.
const fn reciprocal(number: u128) -> u128 {
    let bits = u128::BITS - number.leading_zeros();
    let (mut quotient, mut remainder) = (0, 1_u128 << (bits - 1));
    let mut place = 0;
    while place < 128 {
        remainder <<= 1;
        quotient <<= 1;
        if remainder >= number {
            remainder -= number;
            quotient |= 1;
        }
        place += 1;
    }
    quotient + 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn assert_as_std(literal: &str) {
        let expected: f64 = literal.parse().unwrap();
        let text = format!("[{literal},");
        let (found, end) = double(text.as_bytes(), 1).unwrap();
        assert_eq!(found.to_bits(), expected.to_bits(), "{literal}");
        assert_eq!(end, text.len() - 1);
    }

    #[test]
    fn numbers_are_the_nearest_doubles() {
        for literal in [
            "0",
            "-0",
            "0.0",
            "-0.0",
            "1",
            "1.0",
            "0.1",
            "0.3",
            "0.07",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.5",
            "9007199254740993.5",
            "18446744073709551615",
            "9999999999999999999",
            "0.9999999999999999",
            "0.99999999999999999",
            "1e22",
            "1e-400",
            "1e400",
            "-2.5E+3",
            "0.000000000000000000000000001",
            "0.0000000000000000000000000001",
            "1234567812345678.1234567812345678",
            "4503599627370497.5",
            "4503599627370496.5",
            "0.50000000000000011102230246251565",
            "12345678",
            "123456789",
            "1.7976931348623157",
            "0.00003452348723423423123",
            "0.00000000000000000000000",
            "0.000000000000000000000000000000",
            "0.00000000012345678901234567890",
            "0.0000000003452348723423423",
        ] {
            assert_as_std(literal);
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "", "-", "+1", ".5", "5.", "01", "-01", "1e", "1e+", "NaN", "Infinity", "x", "-.5",
        ] {
            assert_eq!(double(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(double(b"00", 0), None);
        assert_eq!(double(b"0x", 0), Some((0.0, 1)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn decimals_are_the_nearest_doubles(digits in any::<u64>(), down in 0..64_u32, places in 0..=27_usize) {
            let digits = digits >> down;
            let padded = format!("{digits:0width$}", width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            if places == 0 {
                assert_as_std(whole);
            } else {
                assert_as_std(&format!("{whole}.{fraction}"));
            }
        }

        #[test]
        fn doubles_come_back(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            assert_as_std(&format!("{number:e}"));
            assert_as_std(&format!("{}", f64::from_bits(bits % 1.0_f64.to_bits())));
        }

        #[test]
        fn middles_are_rounded_to_even(bits in (1.0_f64.to_bits()..4_503_599_627_370_496.0_f64.to_bits())) {
            let (lower, upper) = (f64::from_bits(bits), f64::from_bits(bits + 1));
            // The middle of two doubles, exactly, and a little off.
            let middle = format!("{lower:.60}");
            assert_as_std(middle.trim_end_matches('0').trim_end_matches('.'));
            let exact = format!("{:.20}", lower.midpoint(upper));
            assert_as_std(&exact);
        }
    }
}
