//! A whole number and a power of ten, as the nearest double.

/// Up to this many decimal places the product with a power of five is always exact enough.
pub(super) const MOST_PLACES: usize = 27;

/// Whole doubles up to here are exact, as are powers of ten up to 10²².
const EXACT: u64 = 1 << 53;
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A whole number divided by a power of ten, at most 10²⁷.
#[allow(
    clippy::cast_precision_loss,
    reason = "whole numbers up to 2^53 are exact"
)]
#[inline]
pub(super) fn scaled(digits: u64, places: usize) -> Option<f64> {
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
    // 54 bits of the product: those of a double, and one that tells how to round.
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
