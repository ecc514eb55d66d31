//! The numbers of a report: keys, tables of confidences, bins and sweep, percentiles.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use minos_bench_core::answers;
use minos_core::stats::calibration::Columns;
use minos_core::stats::key::key;
use minos_core::stats::majority::Majority;
use minos_core::stats::rank::Ranked;
use minos_core::stats::{Calibration, Table};

const COUNT: usize = 1_000_000;

fn metrics(criterion: &mut Criterion) {
    let (confidence, correct) = answers(COUNT);
    let rounded: Vec<f64> = confidence
        .iter()
        .map(|share| (share * 100.0).round() / 100.0)
        .collect();
    let mut group = criterion.benchmark_group("metrics of a million answers");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.sample_size(20);
    group.bench_function("keys", |bencher| {
        bencher.iter(|| confidence.iter().map(|&share| key(share)).sum::<u64>());
    });
    for (name, confidence) in [("different", &confidence), ("rounded", &rounded)] {
        let columns = Columns {
            confidence,
            correct: &correct,
        };
        group.bench_function(format!("bins, ECE and sweep, {name}"), |bencher| {
            bencher.iter(|| Calibration::of(&columns, 10));
        });
        let fill = || {
            let mut table = Table::default();
            for (&share, &mark) in confidence.iter().zip(&correct) {
                table.add(key(share), mark != 0);
            }
            table
        };
        group.bench_function(format!("a table, {name}"), |bencher| bencher.iter(fill));
        let table = fill();
        group.bench_function(format!("bins of a table, {name}"), |bencher| {
            bencher.iter(|| Calibration::of(&table, 10));
        });
    }
    group.bench_function("base rate", |bencher| {
        bencher.iter(|| {
            let mut expected = Majority::default();
            for &mark in &correct {
                expected.add(mark.into(), 1);
            }
            expected.largest()
        });
    });
    let mut latencies = Ranked::default();
    for &share in &confidence {
        latencies.add(u128::from(key(share) / 1000));
    }
    group.bench_function("median and 95th percentile", |bencher| {
        let both = |mut all: Ranked| (all.percentile(50), all.percentile(95));
        bencher.iter_batched(|| latencies.clone(), both, BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, metrics);
criterion_main!(benches);
