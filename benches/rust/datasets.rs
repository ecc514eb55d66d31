//! Data sets: lines, UTF-8, the fast reader, the complete one, the rules, and a whole file.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use minos_bench_core::dataset;
use minos_core::decision::diagnose::diagnose;
use minos_core::decision::fast::{Scratch, accept};
use minos_core::json::Tree;
use minos_core::lines::split;

fn datasets(criterion: &mut Criterion) {
    for (name, is_repeated) in [("different", false), ("repeated", true)] {
        let file = dataset(is_repeated);
        let lines = || split(file.as_bytes()).filter_map(|line| line.content.bytes());
        let mut group = criterion.benchmark_group(format!("data set, questions {name}"));
        group.throughput(Throughput::Bytes(file.len() as u64));
        group.bench_function("lines", |bencher| bencher.iter(|| lines().count()));
        group.bench_function("UTF-8", |bencher| {
            bencher.iter(|| simdutf8::basic::from_utf8(black_box(file.as_bytes())).is_ok());
        });
        group.bench_function("accept", |bencher| {
            let mut scratch = Scratch::default();
            bencher.iter(|| {
                lines()
                    .filter(|line| accept(line, &mut scratch).is_some())
                    .count()
            });
        });
        group.bench_function("read JSON", |bencher| {
            bencher.iter(|| lines().filter(|line| Tree::read(line, &[]).is_ok()).count());
        });
        group.bench_function("diagnose, with all rules", |bencher| {
            let mut problems = Vec::new();
            bencher.iter(|| {
                lines()
                    .filter(|line| diagnose(line, 1, &mut problems).item.is_some())
                    .count()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, datasets);
criterion_main!(benches);
