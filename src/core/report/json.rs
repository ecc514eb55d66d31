//! `report.json`: its members, in their order.

use super::accumulator::Accumulator;
use super::cost::Requests;
use super::figures::Figures;
use super::layout::Layout;
use super::question::Counted;
use super::slice::{Detail, push};
use crate::decision::question::Kind;
use crate::run::{RunHeader, Selection};
use crate::stats::key::{FEMTODOLLARS, NANOSECONDS_IN_MS};
use crate::stats::ratio::ratio;

/// With fewer answers a question has neither bins nor a sweep.
const FEWEST_FOR_BINS: u64 = 30;

/// The most questions that are listed.
const MOST_QUESTIONS: usize = 1000;

/// Writes the report of a run that fits its data set.
pub(super) fn render(mut accumulator: Accumulator, header: &RunHeader, items: u64) -> String {
    let mut layout = Layout::default();
    layout.block();
    layout.name("kind");
    layout.text("minos-report");
    layout.whole("version", 1);
    push_run(&mut layout, header, &accumulator, items);
    push_figures(&mut layout, &accumulator);
    push_latency(&mut layout, &mut accumulator.requests);
    push_cost(&mut layout, &accumulator.requests);
    push_counts(&mut layout, &accumulator.requests);
    push_prices(&mut layout, &accumulator);
    layout.close();
    layout.finish()
}

fn push_run(layout: &mut Layout, header: &RunHeader, accumulator: &Accumulator, items: u64) {
    layout.name("run");
    layout.block();
    layout.name("dataset");
    layout.text(&header.dataset);
    layout.name("provider");
    layout.text(&header.provider);
    layout.name("model");
    layout.text_or_null(header.model.as_deref());
    layout.name("startedAt");
    layout.text(&header.started_at);
    layout.whole("items", accumulator.items);
    layout.name("partial");
    layout.boolean(header.partial);
    let selection = header.selection.as_ref();
    if header.partial {
        layout.whole("partialOf", selection.map_or(items, Selection::size));
    } else {
        layout.name("partialOf");
        layout.null();
    }
    layout.name("selection");
    match selection {
        Some(selection) => push_selection(layout, selection),
        None => layout.null(),
    }
    layout.close();
}

fn push_selection(layout: &mut Layout, selection: &Selection) {
    layout.line();
    layout.whole("of", selection.of);
    let parts = [
        ("count", selection.count),
        ("limit", selection.limit),
        ("sample", selection.sample),
        ("seed", selection.seed),
    ];
    for (name, number) in parts {
        if let Some(number) = number {
            layout.whole(name, number);
        }
    }
    if let Some(ids) = &selection.ids {
        layout.name("ids");
        layout.short_list();
        for id in ids {
            layout.entry();
            layout.text(id);
        }
        layout.close();
    }
    layout.close();
}

fn push_figures(layout: &mut Layout, accumulator: &Accumulator) {
    let all: Vec<&Counted> = accumulator.questions.iter().collect();
    let overall = Figures::of(&all);
    layout.name("counts");
    layout.block();
    layout.whole("items", accumulator.items);
    layout.whole("questions", accumulator.asked);
    layout.whole("scored", overall.scored);
    layout.whole("unscored", accumulator.asked - overall.scored);
    layout.whole("answered", overall.answered);
    layout.whole("abstained", overall.scored - overall.answered);
    layout.close();
    layout.name("overall");
    layout.block();
    push(layout, &overall, Detail::Full);
    layout.close();
    for kind in [Kind::Noul, Kind::Choice, Kind::Score] {
        let own: Vec<&Counted> = all
            .iter()
            .copied()
            .filter(|each| each.kind == kind)
            .collect();
        if !own.is_empty() {
            layout.name(kind.as_str());
            layout.block();
            push(layout, &Figures::of(&own), Detail::Full);
            layout.close();
        }
    }
    push_questions(layout, all);
}

fn push_questions(layout: &mut Layout, mut questions: Vec<&Counted>) {
    let omitted = questions.len().saturating_sub(MOST_QUESTIONS);
    questions.sort_unstable_by_key(|each| (each.kind, &each.key));
    if omitted > 0 {
        // A stable sort: among those scored equally often the first ones stay.
        questions.sort_by_key(|each| std::cmp::Reverse(each.scored));
        questions.truncate(MOST_QUESTIONS);
        questions.sort_unstable_by_key(|each| (each.kind, &each.key));
    }
    layout.name("questions");
    layout.list();
    for question in questions {
        layout.entry();
        layout.block();
        layout.name("kind");
        layout.text(question.kind.as_str());
        layout.name("key");
        layout.text(&question.key);
        let detail = if question.answered < FEWEST_FOR_BINS {
            Detail::Scalars
        } else {
            Detail::Full
        };
        push(layout, &Figures::of(&[question]), detail);
        layout.close();
    }
    layout.close();
    if omitted > 0 {
        layout.whole("questionsOmitted", omitted as u64);
    }
}

fn push_latency(layout: &mut Layout, requests: &mut Requests) {
    let latency = &mut requests.latency;
    let count = latency.len() as u64;
    layout.name("latency");
    layout.block();
    layout.whole("count", count);
    layout.whole("cachedCount", requests.cached);
    let whole = NANOSECONDS_IN_MS * u128::from(count);
    layout.double("mean", ratio(latency.sum(), whole));
    for (name, percent) in [("median", 50), ("p95", 95), ("max", 100)] {
        let rank = latency.percentile(percent);
        layout.double(name, rank.and_then(|rank| ratio(rank, NANOSECONDS_IN_MS)));
    }
    layout.close();
}

fn push_cost(layout: &mut Layout, requests: &Requests) {
    let cost = &requests.cost;
    let known = cost.reported + cost.priced;
    layout.name("cost");
    layout.block();
    let total = ratio(cost.total, FEMTODOLLARS).filter(|_| known > 0);
    layout.double("total", total);
    let per1000 = ratio(
        cost.total.saturating_mul(1000),
        FEMTODOLLARS * u128::from(known),
    );
    layout.double("per1000", per1000);
    layout.whole("reported", cost.reported);
    layout.whole("priced", cost.priced);
    layout.whole("unknown", cost.unknown);
    layout.whole("cached", cost.cached);
    layout.name("isLowerBound");
    layout.boolean(cost.unknown > 0);
    layout.close();
}

fn push_counts(layout: &mut Layout, requests: &Requests) {
    let mut errors: Vec<(&str, u64)> = requests
        .errors
        .iter()
        .map(|(kind, &count)| (kind.as_str(), count))
        .collect();
    errors.sort_unstable_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    layout.name("errors");
    layout.list();
    for (kind, count) in errors {
        layout.entry();
        layout.line();
        layout.name("kind");
        layout.text(kind);
        layout.whole("count", count);
        layout.close();
    }
    layout.close();
    let named = requests.models.iter();
    let mut models: Vec<(Option<&str>, u64)> = named
        .map(|(model, &count)| (Some(model.as_ref()), count))
        .collect();
    if requests.nameless > 0 {
        models.push((None, requests.nameless));
    }
    // No name comes last among equals.
    let rank = |model: Option<&str>| (model.is_none(), model.unwrap_or_default().to_owned());
    models.sort_by_key(|&(model, count)| (std::cmp::Reverse(count), rank(model)));
    layout.name("models");
    layout.list();
    for (model, count) in models {
        layout.entry();
        layout.line();
        layout.name("model");
        layout.text_or_null(model);
        layout.whole("count", count);
        layout.close();
    }
    layout.close();
}

fn push_prices(layout: &mut Layout, accumulator: &Accumulator) {
    layout.name("prices");
    layout.list();
    for price in accumulator.prices().prices() {
        layout.entry();
        layout.line();
        layout.name("model");
        layout.text(&price.model);
        layout.double("inputPerMillion", Some(price.input_per_million));
        layout.double("outputPerMillion", Some(price.output_per_million));
        layout.name("date");
        layout.text(&price.date);
        layout.name("source");
        layout.text(&price.source);
        layout.close();
    }
    layout.close();
}
