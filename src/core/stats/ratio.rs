//! Quotients of whole numbers, rounded once.

/// Whole numbers up to here are doubles, and the quotient of two doubles is correctly rounded.
const EXACT: u128 = 1 << 53;

/// How many bits of a quotient are worked out: all of a double's and more.
const BITS: u32 = 55;

/// The double nearest to a quotient, the even one of two; None where the denominator is 0.
#[must_use]
pub fn ratio(numerator: u128, denominator: u128) -> Option<f64> {
    if denominator == 0 {
        return None;
    }
    if numerator <= EXACT && denominator <= EXACT {
        return Some(double(numerator) / double(denominator));
    }
    // As many binary places as leave BITS bits, or one more, before the remainder.
    let places = (BITS + bits(denominator)).saturating_sub(bits(numerator));
    let mut quotient = numerator / denominator;
    let mut remainder = numerator % denominator;
    for _ in 0..places {
        let is_over = remainder >> 127 == 1;
        remainder <<= 1;
        quotient <<= 1;
        if is_over || remainder >= denominator {
            remainder = remainder.wrapping_sub(denominator);
            quotient |= 1;
        }
    }
    // What is left over decides only whether the quotient lies on or above the middle.
    let sticky = u128::from(remainder != 0);
    if quotient >> 127 == 1 {
        return Some(double(quotient | sticky));
    }
    Some(double(quotient << 1 | sticky) / power_of_two(places + 1))
}

/// The double nearest to a quotient that may be negative.
#[must_use]
pub fn signed_ratio(numerator: i128, denominator: u128) -> Option<f64> {
    let size = ratio(numerator.unsigned_abs(), denominator)?;
    Some(if numerator < 0 { -size } else { size })
}

fn bits(number: u128) -> u32 {
    u128::BITS - number.leading_zeros()
}

#[allow(
    clippy::cast_precision_loss,
    reason = "the conversion rounds half to even, which is what is wanted"
)]
fn double(number: u128) -> f64 {
    number as f64
}

/// 2 to a power of at most 1,023.
fn power_of_two(exponent: u32) -> f64 {
    f64::from_bits(u64::from(1023 + exponent) << 52)
}
