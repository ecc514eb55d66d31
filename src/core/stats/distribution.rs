//! Probabilities of all options or levels of a question.

use super::key::{Key, ONE, is_probability, key};

/// How far the sum of a distribution may be off 1: 0.005 for each entry, as two decimals leave it,
/// and at most 0.05.
fn tolerance(entries: usize) -> Key {
    let entries = u64::try_from(entries).unwrap_or(u64::MAX);
    (ONE / 200)
        .saturating_mul(entries)
        .saturating_add(ONE / 1_000_000_000)
        .min(ONE / 20)
}

/// Whether a sum of keys is near enough to 1 for as many entries.
#[must_use]
pub fn is_near_one(sum: u128, entries: usize) -> bool {
    sum > 0 && sum.abs_diff(u128::from(ONE)) <= u128::from(tolerance(entries))
}

/// A probability as its share of a sum of keys, rounded half to even.
#[must_use]
pub fn share(part: Key, sum: u128) -> Key {
    let whole = u128::from(part) * u128::from(ONE);
    let (Some(quotient), Some(rest)) = (whole.checked_div(sum), whole.checked_rem(sum)) else {
        return 0;
    };
    let twice = rest * 2;
    let is_up = twice > sum || (twice == sum && quotient % 2 == 1);
    u64::try_from(quotient + u128::from(is_up)).unwrap_or(ONE)
}

/// A distribution divided by its sum; None where an entry is no probability or the sum is too far
/// off 1.
#[must_use]
pub fn normalised(distribution: &[f64]) -> Option<Vec<f64>> {
    if !distribution.iter().all(|&each| is_probability(each)) {
        return None;
    }
    let sum = distribution.iter().map(|&each| u128::from(key(each))).sum();
    if !is_near_one(sum, distribution.len()) {
        return None;
    }
    let total: f64 = distribution.iter().sum();
    Some(distribution.iter().map(|&each| each / total).collect())
}
