//! Lines that are alike, as those of a run are: what was read before must change nothing.

use std::sync::atomic::AtomicBool;

use minos_core::problem::Problem;
use minos_core::run::batch::Batch;
use minos_core::run::diagnose::diagnose;
use minos_core::run::render::push_item;
use minos_core::run::results::Loaded;
use minos_core::run::{ItemResult, Results};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Keys, options and models, as they stand in a line: one may start like another, be written in
/// two ways, or need escapes.
const TEXTS: [&str; 10] = [
    "a", "ab", "abc", "b", "", "\\u0061", "a\\\"", "a\\\\", "größe", "\\n",
];

fn text() -> impl Strategy<Value = &'static str> {
    select(&TEXTS[..])
}

fn texts() -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(&TEXTS[..], 0..5).prop_shuffle()
}

fn distribution() -> impl Strategy<Value = String> {
    (texts(), any::<bool>()).prop_map(|(names, is_twice)| {
        let names = names
            .iter()
            .chain(names.iter().filter(|_| is_twice).take(1));
        let members = names.map(|name| format!(r#""{name}":0.25"#));
        members.collect::<Vec<_>>().join(",")
    })
}

fn answer() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(r#"{"type":"noul","probability":0.75}"#.to_owned()),
        Just(
            r#"{"type":"score","level":1,"confidence":0.5,"probabilities":[0.5,null]}"#.to_owned()
        ),
        Just(r#"{"confidence":0.5,"level":1,"type":"score"}"#.to_owned()),
        (text(), distribution()).prop_map(|(option, names)| {
            format!(r#"{{"type":"choice","choice":"{option}","probabilities":{{{names}}}}}"#)
        }),
        text().prop_map(|option| format!(r#"{{ "choice": "{option}", "type": "choice" }}"#)),
    ]
}

fn item() -> impl Strategy<Value = String> {
    let answers = proptest::collection::vec((text(), answer()), 0..5);
    (answers, proptest::option::of(text()), any::<u8>()).prop_map(|(answers, model, number)| {
        let members = answers
            .iter()
            .map(|(key, answer)| format!(r#""{key}":{answer}"#));
        let members = members.collect::<Vec<_>>().join(",");
        let model = model.map_or(String::new(), |model| format!(r#","model":"{model}""#));
        format!(r#"{{"id":"i{number}","answers":{{{members}}}{model},"requestId":"r"}}"#)
    })
}

fn parse(lines: &[String]) -> Loaded {
    let header = format!(
        r#"{{"kind":"minos-results","version":1,"dataset":"d","provider":"p","model":null,"startedAt":"2026-12-01T12:00:00.000Z","itemCount":{}}}"#,
        lines.len()
    );
    let file = format!("{header}\n{}\n", lines.join("\n"));
    Results::parse(file.as_bytes(), false, &AtomicBool::new(false)).unwrap()
}

fn rendered(item: &ItemResult<'_>) -> String {
    let mut json = String::new();
    push_item(&mut json, item);
    json
}

/// A line by itself: what is read of it, or what is wrong with it.
fn alone(line: &str, number: u64) -> Result<String, Vec<Problem>> {
    let mut batch = Batch::default();
    let mut problems = Vec::new();
    diagnose(line.as_bytes(), number, &mut problems);
    assert_eq!(batch.push(line, number), problems.is_empty(), "{line}");
    match batch.last() {
        Some(item) => Ok(rendered(&item)),
        None => Err(problems),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn lines_are_read_as_if_each_stood_alone(lines in proptest::collection::vec(item(), 1..24)) {
        let each: Vec<_> = lines.iter().zip(2..).map(|(line, number)| alone(line, number)).collect();
        let mut batch = Batch::default();
        for ((line, number), alone) in lines.iter().zip(2..).zip(&each) {
            prop_assert_eq!(batch.push(line, number), alone.is_ok(), "{}", line);
            if let Ok(alone) = alone {
                prop_assert_eq!(&rendered(&batch.last().unwrap()), alone);
            }
        }
        let right: Vec<_> = each.iter().flatten().collect();
        prop_assert_eq!(&batch.iter().map(|item| rendered(&item)).collect::<Vec<_>>(), &right.into_iter().cloned().collect::<Vec<_>>());
        let wrong = each.iter().filter_map(|alone| alone.as_ref().err()).flatten().count();
        match parse(&lines) {
            Ok(results) => {
                prop_assert_eq!(wrong, 0);
                let held: Vec<_> = results.iter().map(|item| rendered(&item)).collect();
                prop_assert_eq!(held, each.into_iter().flatten().collect::<Vec<_>>());
            }
            Err(problems) => {
                let repeated = problems.iter().filter(|told| told.code.as_str() == "duplicate-id");
                prop_assert_eq!(problems.len() - repeated.count(), wrong, "{:?}", problems);
            }
        }
    }
}
