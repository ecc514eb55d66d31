//! Probabilities, confidences, amounts of time and of money as whole numbers.

/// A probability as a whole number of 10⁻¹², from 0 to [`ONE`].
pub type Key = u64;

/// The key of 1.
pub const ONE: Key = 1_000_000_000_000;

/// The thresholds of a sweep are 0.00, 0.01 to 1.00.
pub const THRESHOLDS: usize = 101;

/// The distance of two thresholds of a sweep.
pub(crate) const STEP: Key = ONE / 100;

/// 2⁵². From there on doubles are whole numbers, so that adding it rounds half to even.
const ROUNDER: f64 = 4_503_599_627_370_496.0;

/// Whether a number may be a probability: NaN and infinity are not.
#[must_use]
pub fn is_probability(number: f64) -> bool {
    (0.0..=1.0).contains(&number)
}

/// The key of a probability: the double product with 10¹², rounded half to even.
///
/// What is no probability gives the key of the nearer end, and NaN that of 1.
#[must_use]
pub fn key(probability: f64) -> Key {
    let product = probability.clamp(0.0, 1.0) * 1e12;
    // The product is below 2^52, so the sum's mantissa holds its nearest whole number.
    ((product + ROUNDER).to_bits() & ((1 << 52) - 1)).min(ONE)
}

/// The key of the confidence in a yes or no that is yes with this probability: of p or 1 − p,
/// whichever is larger.
#[must_use]
pub fn noul_key(probability: f64) -> Key {
    let yes = key(probability);
    yes.max(ONE - yes)
}

/// The key of a threshold in hundredths.
#[must_use]
pub fn threshold_key(hundredths: u64) -> Key {
    hundredths * STEP
}

/// A number that is not negative in parts of which `parts` make 1, rounded half to even.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates, and the number is whole"
)]
fn in_parts(number: f64, parts: f64) -> u128 {
    (number * parts).round_ties_even() as u128
}

/// The nanoseconds of a millisecond.
pub const NANOSECONDS_IN_MS: u128 = 1_000_000;

/// How many 10⁻¹⁵ dollars make a dollar.
pub const FEMTODOLLARS: u128 = 1_000_000_000_000_000;

/// Milliseconds as nanoseconds.
#[must_use]
pub fn nanoseconds(milliseconds: f64) -> u128 {
    in_parts(milliseconds, 1e6)
}

/// Dollars as 10⁻¹⁵ dollars.
#[must_use]
pub fn femtodollars(dollars: f64) -> u128 {
    in_parts(dollars, 1e15)
}

/// A price in dollars for a million tokens as 10⁻¹⁵ dollars for one token.
#[must_use]
pub fn femtodollars_per_token(dollars_per_million: f64) -> u128 {
    in_parts(dollars_per_million, 1e9)
}
