//! Results files: read to columns, written, and a report made of them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use minos_bench_core::{dataset, results};
use minos_core::decision::dataset::Dataset;
use minos_core::price::PriceTable;
use minos_core::report::objects;
use minos_core::run::Results;
use minos_core::run::render::push_item;

fn read(file: &str) -> Option<Results> {
    let never = AtomicBool::new(false);
    Results::parse(file.as_bytes(), false, &never).ok()?.ok()
}

fn files(criterion: &mut Criterion) {
    let file = results();
    let mut group = criterion.benchmark_group("results");
    group.throughput(Throughput::Bytes(file.len() as u64));
    group.bench_function("read", |bencher| bencher.iter(|| read(&file)));
    group.bench_function("write", |bencher| {
        let held = read(&file);
        let mut page = String::with_capacity(file.len());
        bencher.iter(|| {
            page.clear();
            for item in held.iter().flat_map(Results::iter) {
                push_item(&mut page, &item);
                page.push('\n');
            }
            page.len()
        });
    });
    let never = AtomicBool::new(false);
    let items = Dataset::parse(dataset(true).as_bytes(), false, &never);
    let (items, held) = (items.ok().and_then(Result::ok), read(&file));
    let prices = Arc::new(PriceTable::default());
    group.bench_function("report, of two that are held", |bencher| {
        bencher.iter(|| {
            let (items, held) = (items.as_ref()?, held.as_ref()?);
            objects::report(held, items, &prices, &never).ok()?.ok()
        });
    });
    group.finish();
}

criterion_group!(benches, files);
criterion_main!(benches);
