//! The numbers against worked examples, whose arithmetic was done by hand.

use minos_core::stats::bins::Binning;
use minos_core::stats::calibration::Columns;
use minos_core::stats::distribution::normalised;
use minos_core::stats::key::{ONE, is_probability, key, noul_key, threshold_key};
use minos_core::stats::majority::Majority;
use minos_core::stats::rank::Ranked;
use minos_core::stats::ratio::ratio;
use minos_core::stats::table::{Group, Groups, Table};
use minos_core::stats::{Bin, Calibration};
use serde_json::Value;

const EXAMPLES: &str = include_str!("../vectors/metric_examples.json");

fn example(id: &str) -> Value {
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
    let cases = examples["cases"].as_array().unwrap();
    cases.iter().find(|case| case["id"] == id).unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().unwrap();
    all.iter().map(|each| each.as_f64().unwrap()).collect()
}

#[track_caller]
fn assert_near(found: Option<f64>, expected: &Value) {
    match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        (None, None) => assert!(expected.is_null()),
        _ => panic!("{found:?} {expected}"),
    }
}

#[test]
fn noul_answers_and_confidences() {
    let case = example("noul-confidence");
    let probabilities = numbers(&case["inputs"]["p_yes"]);
    let found: Vec<f64> = probabilities
        .iter()
        .map(|&p| ratio(noul_key(p).into(), ONE.into()).unwrap())
        .collect();
    assert_eq!(found, numbers(&case["expected"]["confidence"]));
}

#[test]
fn hundredths_reach_their_own_threshold_from_both_sides() {
    for hundredths in 0..=100_u32 {
        let p = f64::from(hundredths) / 100.0;
        assert_eq!(key(p), threshold_key(hundredths.into()));
        assert_eq!(noul_key(p), key(p).max(ONE - key(p)));
        assert_eq!(noul_key(p), noul_key(f64::from(100 - hundredths) / 100.0));
    }
}

#[test]
fn values_that_are_no_probabilities() {
    let case = example("invalid-values");
    let found: Vec<bool> = case["inputs"]["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| match value {
            Value::String(name) => name.parse().unwrap(),
            number => number.as_f64().unwrap(),
        })
        .map(is_probability)
        .collect();
    assert_eq!(Value::from(found), case["expected"]["valid"]);
}

#[test]
fn distributions_are_divided_by_their_sum_or_refused() {
    let case = example("normalise-distribution");
    let given = case["inputs"]["distributions"].as_array().unwrap();
    let expected = case["expected"]["normalised"].as_array().unwrap();
    for (given, expected) in given.iter().zip(expected) {
        match normalised(&numbers(given)) {
            Some(found) => {
                for (found, expected) in found.iter().zip(expected.as_array().unwrap()) {
                    assert_near(Some(*found), expected);
                }
            }
            None => assert!(expected.is_null()),
        }
    }
    assert_eq!(normalised(&[f64::NAN, 1.0]), None);
    assert_eq!(normalised(&[-0.01, 1.0]), None);
    assert_eq!(normalised(&[]), None);
}

#[test]
fn bins_and_errors() {
    let mut names = 0;
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
    for case in examples["cases"].as_array().unwrap() {
        if case["expected"]["equal_mass_bins"].is_null() {
            continue;
        }
        names += 1;
        let inputs = &case["inputs"];
        let table = match inputs.get("p_yes") {
            Some(p_yes) => {
                let mut table = Table::default();
                for (p, expected) in numbers(p_yes)
                    .iter()
                    .zip(inputs["expected"].as_array().unwrap())
                {
                    table.add(noul_key(*p), (*p >= 0.5) == expected.as_bool().unwrap());
                }
                table
            }
            None => table(
                &numbers(&inputs["confidence"]),
                &numbers(&inputs["correct"]),
            ),
        };
        let expected = &case["expected"];
        let found = Calibration::of(&table, case["params"]["bins"].as_u64().unwrap());
        assert_near(found.equal_mass.error(), &expected["ece_equal_mass"]);
        assert_near(found.equal_width.error(), &expected["ece_equal_width"]);
        if let Some(bias) = expected.get("signed_bias") {
            assert_near(found.signed_bias(), bias);
        }
        assert_bins(&found.equal_mass, &expected["equal_mass_bins"], true);
        if let Some(bins) = expected.get("equal_width_bins") {
            assert_bins(&found.equal_width, bins, false);
        }
    }
    assert!(names >= 6);
}

fn table(confidence: &[f64], correct: &[f64]) -> Table {
    let mut table = Table::default();
    for (&confidence, &correct) in confidence.iter().zip(correct) {
        table.add(key(confidence), correct > 0.0);
    }
    table
}

fn assert_bins(found: &Binning, expected: &Value, are_observed: bool) {
    let filled: Vec<&Bin> = found.0.iter().filter(|bin| bin.count > 0).collect();
    let expected = expected.as_array().unwrap();
    assert_eq!(filled.len(), expected.len());
    for (found, expected) in filled.iter().zip(expected) {
        assert_eq!(found.count, expected["n"]);
        assert_eq!(found.correct, expected["correct"]);
        assert_near(found.mean(), &expected["mean_conf"]);
        assert_near(found.accuracy(), &expected["accuracy"]);
        if are_observed {
            assert_near(ratio(found.lower.into(), ONE.into()), &expected["lo"]);
            assert_near(ratio(found.upper.into(), ONE.into()), &expected["hi"]);
        }
    }
}

#[test]
fn a_sweep_covers_nothing_above_every_confidence() {
    let case = example("sweep-none-covered");
    let inputs = &case["inputs"];
    let found = Calibration::of(
        &table(
            &numbers(&inputs["confidence"]),
            &numbers(&inputs["correct"]),
        ),
        10,
    );
    assert_eq!((found.sweep[90].count, found.sweep[90].correct), (0, 0));
    assert_eq!((found.sweep[70].count, found.sweep[60].count), (1, 2));
    assert_eq!((found.sweep[0].count, found.sweep[61].correct), (2, 0));
}

#[test]
fn columns_say_what_a_table_says() {
    let confidence: Vec<f64> = (0..20_000_u32)
        .map(|n| f64::from(n.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24))
        .collect();
    let correct: Vec<u8> = (0..20_000_u32).map(|n| u8::from(n % 7 != 0)).collect();
    let columns = Columns {
        confidence: &confidence,
        correct: &correct,
    };
    let as_numbers: Vec<f64> = correct.iter().copied().map(f64::from).collect();
    for bins in [1, 2, 3, 10, 50] {
        assert_eq!(
            Calibration::of(&columns, bins),
            Calibration::of(&table(&confidence, &as_numbers), bins)
        );
    }
}

#[test]
fn a_table_keeps_every_answer_however_many_confidences_there_are() {
    let mut table = Table::default();
    let mut sum = 0;
    for n in 0..100_000_u64 {
        // A third of the confidences come up once, the others often.
        let key = if n % 3 == 0 { n * 9_999_991 } else { n % 100 };
        sum += u128::from(key);
        table.add(key, n % 2 == 0);
    }
    let mut found = Group::default();
    let mut found_sum = 0;
    table.visit(|group| {
        found.count += group.count;
        found.correct += group.correct;
        found_sum += u128::from(group.key) * u128::from(group.count);
    });
    assert_eq!((found.count, found.correct), (100_000, 50_000));
    assert_eq!((table.count(), table.correct()), (100_000, 50_000));
    assert_eq!(found_sum, sum);
    assert!(table.size() < 50_000);
}

#[test]
fn the_most_common_value() {
    let mut counts = Majority::default();
    assert_eq!(counts.largest(), 0);
    for value in [3, 1, 3, 0, 1] {
        counts.add(value, 1);
    }
    assert_eq!(counts.largest(), 2);
    assert_eq!(counts.counts(), [1, 2, 0, 2]);
}

#[test]
fn percentiles_by_nearest_rank() {
    let mut empty = Ranked::default();
    assert_eq!((empty.percentile(50), empty.sum()), (None, 0));
    let mut latencies = Ranked::default();
    for n in 1..=19_u128 {
        latencies.add(n * 1_000_000_000);
    }
    let ranks = [0, 50, 95, 100].map(|percent| latencies.percentile(percent).unwrap());
    assert_eq!(ranks.map(|rank| rank / 1_000_000_000), [1, 10, 19, 19]);
    let mut more = Ranked::default();
    more.add(20_000_000_000);
    latencies.merge(more);
    assert_eq!(latencies.percentile(95), Some(19_000_000_000));
    assert_eq!((latencies.len(), latencies.sum()), (20, 210_000_000_000));
}
