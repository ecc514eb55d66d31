//! The numbers against fractions worked out plainly.

#![allow(clippy::cast_precision_loss, reason = "the sums here are small")]

use std::collections::BTreeMap;

use minos_core::stats::Calibration;
use minos_core::stats::calibration::Columns;
use minos_core::stats::distribution::share;
use minos_core::stats::key::{ONE, key, noul_key};
use minos_core::stats::rank::Ranked;
use minos_core::stats::ratio::{ratio, signed_ratio};
use minos_core::stats::table::Table;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use proptest::collection::vec;
use proptest::prelude::*;

fn fraction(numerator: u128, denominator: u128) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// How far a double is from a fraction.
fn distance(double: f64, fraction: &BigRational) -> BigRational {
    (BigRational::from_float(double).unwrap() - fraction).abs()
}

#[track_caller]
fn assert_nearest(found: f64, exact: &BigRational) {
    let own = distance(found, exact);
    for other in [found.next_up(), found.next_down()] {
        let others = distance(other, exact);
        assert!(own < others || (own == others && found.to_bits().is_multiple_of(2)));
    }
}

/// Confidences as they come: rounded, not rounded, at the ends, close to 1.
fn confidence() -> impl Strategy<Value = f64> {
    prop_oneof![
        (0..=100_u32).prop_map(|n| f64::from(n) / 100.0),
        (0..=10_000_u32).prop_map(|n| f64::from(n) / 10_000.0),
        0.0..=1.0,
        (0.0..1e-9).prop_map(|x: f64| 1.0 - x),
        Just(0.0),
        Just(1.0),
    ]
}

fn answers(most: usize) -> impl Strategy<Value = Vec<(f64, bool)>> {
    vec((confidence(), any::<bool>()), 0..most)
}

fn table(answers: &[(f64, bool)]) -> Table {
    let mut table = Table::default();
    for &(confidence, is_correct) in answers {
        table.add(key(confidence), is_correct);
    }
    table
}

/// The calibration error of answers that were put into bins, as a fraction.
fn error(bins: &BTreeMap<u128, Vec<(u64, bool)>>, total: usize) -> BigRational {
    let gaps = bins.values().map(|answers| {
        let sum: BigRational = answers
            .iter()
            .map(|&(key, is_correct)| {
                fraction(key.into(), ONE.into()) - fraction(is_correct.into(), 1)
            })
            .sum();
        sum.abs()
    });
    gaps.sum::<BigRational>() / fraction(total as u128, 1)
}

fn assert_is_as_plain(found: &Calibration, answers: &[(f64, bool)], bins: u128) {
    let mut keyed: Vec<(u64, bool)> = answers.iter().map(|&(c, right)| (key(c), right)).collect();
    keyed.sort_unstable();
    let total = keyed.len() as u128;
    let (mut mass, mut width) = (BTreeMap::new(), BTreeMap::new());
    for &(key, is_correct) in &keyed {
        let below = keyed.iter().filter(|(other, _)| *other < key).count() as u128;
        let same = keyed.iter().filter(|(other, _)| *other == key).count() as u128;
        let by_mass = (bins * (2 * below + same) / (2 * total)).min(bins - 1);
        let by_width = (bins * u128::from(key) / u128::from(ONE)).min(bins - 1);
        mass.entry(by_mass)
            .or_insert_with(Vec::new)
            .push((key, is_correct));
        width
            .entry(by_width)
            .or_insert_with(Vec::new)
            .push((key, is_correct));
    }
    assert_eq!(u128::from(found.count), total);
    if total == 0 {
        assert_eq!(
            (found.equal_mass.error(), found.signed_bias()),
            (None, None)
        );
        return;
    }
    assert_nearest(
        found.equal_mass.error().unwrap(),
        &error(&mass, keyed.len()),
    );
    assert_nearest(
        found.equal_width.error().unwrap(),
        &error(&width, keyed.len()),
    );
    let mean = found.sum as f64 / ONE as f64 / total as f64;
    let accuracy = found.correct as f64 / total as f64;
    assert!((found.signed_bias().unwrap() - (mean - accuracy)).abs() < 1e-9);
    assert!(found.equal_mass.error().unwrap() >= found.signed_bias().unwrap().abs() - 1e-15);
    let edges: Vec<(u64, u64, u64)> = found
        .equal_mass
        .0
        .iter()
        .map(|bin| (bin.lower, bin.upper, bin.count))
        .collect();
    let plain: Vec<(u64, u64, u64)> = mass
        .values()
        .map(|bin| (bin[0].0, bin[bin.len() - 1].0, bin.len() as u64))
        .collect();
    assert_eq!(edges, plain);
    for (hundredths, point) in found.sweep.iter().enumerate() {
        let threshold = key(hundredths as f64 / 100.0);
        let covered: Vec<bool> = keyed
            .iter()
            .filter_map(|&(key, is_correct)| (key >= threshold).then_some(is_correct))
            .collect();
        assert_eq!(point.count, covered.len() as u64);
        assert_eq!(point.correct, covered.iter().filter(|c| **c).count() as u64);
    }
}

proptest! {
    #[test]
    fn a_key_is_the_product_rounded_half_to_even(p in confidence()) {
        let product = BigRational::from_float(p * 1e12).unwrap();
        let found = key(p);
        let off = (BigRational::from_integer(found.into()) - &product).abs();
        let half = fraction(1, 2);
        prop_assert!(off < half || (off == half && found.is_multiple_of(2)));
        prop_assert_eq!(noul_key(p), found.max(ONE - found));
    }

    #[test]
    fn a_ratio_is_the_nearest_double(
        numerator in 0..u128::MAX, down in 0..127_u32, denominator in 1..u128::MAX, also in 0..127_u32,
    ) {
        let (numerator, denominator) = (numerator >> down, (denominator >> also).max(1));
        let exact = fraction(numerator, denominator);
        assert_nearest(ratio(numerator, denominator).unwrap(), &exact);
        let negative = -i128::try_from(numerator >> 1).unwrap();
        prop_assert_eq!(
            signed_ratio(negative, denominator),
            ratio(numerator >> 1, denominator).map(|size| if negative < 0 { -size } else { size })
        );
        prop_assert_eq!(ratio(numerator, 0), None);
    }

    #[test]
    fn few_answers_are_binned_as_plainly(answers in answers(80), bins in 1..20_u64) {
        assert_is_as_plain(&Calibration::of(&table(&answers), bins), &answers, bins.into());
    }

    #[test]
    fn merging_and_order_change_nothing(
        answers in answers(200), cut in 0..200_usize, bins in 1..20_u64,
    ) {
        let whole = Calibration::of(&table(&answers), bins);
        let (one, other) = answers.split_at(cut.min(answers.len()));
        let mut merged = table(other);
        merged.merge(&table(one));
        prop_assert_eq!(&whole, &Calibration::of(&merged, bins));
        let tables = [table(one), table(other)];
        prop_assert_eq!(&whole, &Calibration::of(&tables.as_slice(), bins));
    }

    #[test]
    fn a_share_is_rounded_half_to_even(part in 0..=ONE, more in 0..ONE) {
        let whole = u128::from(part) + u128::from(more).max(1);
        let exact = fraction(u128::from(part) * u128::from(ONE), whole);
        prop_assert_eq!(u128::from(share(part, whole)), exact.round().to_integer().to_u128().unwrap());
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_values(
        values in vec(prop_oneof![0..1000_u128, 4_294_967_000..4_294_968_000_u128, 0..u128::MAX / 300], 1..200),
        percent in 0..=100_u8,
    ) {
        let mut ranked = Ranked::default();
        for &value in &values {
            ranked.add(value);
        }
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * usize::from(percent)).div_ceil(100).max(1);
        prop_assert_eq!(ranked.percentile(percent), Some(sorted[rank - 1]));
        prop_assert_eq!(ranked.sum(), values.iter().sum::<u128>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn many_answers_are_binned_as_few(
        answers in answers(600), copies in 20..60_usize, bins in 1..20_u64, spread in any::<bool>(),
    ) {
        // More groups than are sorted, whose keys are those of the few or next to them.
        let near = |c: f64, n: usize| if spread { (c - n as f64 * 1e-6).clamp(0.0, 1.0) } else { c };
        let many: Vec<(f64, bool)> = (0..copies)
            .flat_map(|n| answers.iter().map(move |&(c, right)| (near(c, n), right)))
            .collect();
        let confidence: Vec<f64> = many.iter().map(|&(c, _)| c).collect();
        let correct: Vec<u8> = many.iter().map(|&(_, right)| u8::from(right)).collect();
        let columns = Columns { confidence: &confidence, correct: &correct };
        let found = Calibration::of(&columns, bins);
        prop_assert_eq!(&found, &Calibration::of(&table(&many), bins));
        let mut sorted = Table::default();
        let mut keys: Vec<(u64, bool)> = many.iter().map(|&(c, right)| (key(c), right)).collect();
        keys.sort_unstable();
        for (key, is_correct) in keys {
            sorted.add(key, is_correct);
        }
        prop_assert_eq!(&found, &Calibration::of(&sorted, bins));
        if !spread && !answers.is_empty() {
            let few = Calibration::of(&table(&answers), bins);
            prop_assert_eq!(few.equal_mass.error(), found.equal_mass.error());
        }
    }
}
