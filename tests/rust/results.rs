//! Results files: what is read, what is refused, and how they are written.

use std::fs;
use std::sync::atomic::AtomicBool;

use minos_core::input::Input;
use minos_core::problem::Problem;
use minos_core::run::batch::Batch;
use minos_core::run::diagnose::diagnose;
use minos_core::run::render::{push_header, push_item};
use minos_core::run::results::Loaded;
use minos_core::run::{AnswerRecord, ErrorKind, Results, ResultsWriter};
use proptest::prelude::*;
use proptest::sample::Index;

const HEADER: &str = r#"{"kind":"minos-results","version":1,"dataset":"d","provider":"p","model":null,"startedAt":"2026-11-30T12:00:00.000Z","itemCount":COUNT}"#;

const ITEMS: [&str; 7] = [
    r#"{"id":"a","answers":{"topic":{"type":"choice","choice":"x","confidence":0.91,"probabilities":{"x":0.91,"y":0.06,"z z":0.03}},"urgent":{"type":"noul","probability":0.07},"mood":{"type":"score","level":1,"confidence":0.8,"expectedLevel":1.1,"probabilities":[0.1,null,0.2]}},"latencyMs":3.25,"model":"m","inputTokens":61,"outputTokens":3,"cost":0.0,"cached":true,"requestId":"r","tries":2}"#,
    r#"{"id":"b","error":{"kind":"RateLimited","statusCode":429,"message":"The API returned HTTP 429."},"latencyMs":9120.5}"#,
    r#"{"id":"c","error":{"kind":"Cancelled","message":""}}"#,
    r#"{"id":"d","answers":{}}"#,
    r#"{"id":"é\n\"\\\u0001\u001f😀","answers":{"":{"type":"noul","probability":0.30000000000000004},"a.b":{"type":"choice","choice":""}}}"#,
    r#"{"id":"f","answers":{"s":{"type":"score","level":18446744073709551615,"probabilities":[]},"c":{"type":"choice","choice":"k","probabilities":{}}},"inputTokens":18446744073709551615}"#,
    r#"{"id":"g","answers":{"n":{"type":"noul","probability":1e-300}},"latencyMs":1e12,"cost":1e-15}"#,
];

/// A file of the header and items.
fn file(items: &[&str]) -> String {
    let mut file = HEADER.replace("COUNT", &items.len().to_string());
    for item in items {
        file.push('\n');
        file.push_str(item);
    }
    file.push('\n');
    file
}

fn parse(file: &[u8]) -> Loaded {
    Results::parse(file, false, &AtomicBool::new(false)).unwrap()
}

/// Line, code, path and byte of every problem.
fn told(problems: &[Problem]) -> Vec<(u64, &str, &str, Option<u64>)> {
    problems
        .iter()
        .map(|problem| {
            let code = problem.code.as_str();
            (problem.line, code, problem.path.as_str(), problem.byte)
        })
        .collect()
}

fn rendered(results: &Results) -> String {
    let mut text = String::new();
    push_header(&mut text, results.header());
    text.push('\n');
    for item in results.iter() {
        push_item(&mut text, &item);
        text.push('\n');
    }
    text
}

#[test]
fn what_is_written_in_the_one_way_comes_back_as_it_was() {
    let file = file(&ITEMS);
    let results = parse(file.as_bytes()).unwrap();
    // `1e12` is the one number that is not written as it stands.
    assert_eq!(rendered(&results), file.replace("1e12", "1000000000000.0"));
    assert_eq!(results.len(), ITEMS.len());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results.jsonl");
    results.save(&path, &AtomicBool::new(false)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), rendered(&results));
    let input = Input::from_reader(fs::File::open(&path).unwrap()).unwrap();
    let again = Results::read(input, 3, &AtomicBool::new(false)).unwrap();
    assert_eq!(rendered(&again.unwrap()), rendered(&results));
}

#[test]
fn spelling_does_not_matter() {
    let other = concat!(
        " { \"tries\" : 1 , \"answers\" : { \"\\u0061\" : { \"probabilities\" : [ 1.0e0 , null ] ,",
        "\t\"level\" : -0 , \"t\\u0079pe\" : \"sc\\u006fre\" } } , \"cached\" : false , \"\\u0069d\" : \"\\ud83d\\ude00\" } "
    );
    let results = parse(file(&[other]).as_bytes()).unwrap();
    let mut item = String::new();
    push_item(&mut item, &results.get(0).unwrap());
    assert_eq!(
        item,
        r#"{"id":"😀","answers":{"a":{"type":"score","level":0,"probabilities":[1.0,null]}}}"#
    );
}

#[test]
fn an_item_says_what_its_line_says() {
    let results = parse(file(&ITEMS).as_bytes()).unwrap();
    assert_eq!(results.header().item_count, 7);
    assert_eq!(results.header().model, None);
    let item = results.get(0).unwrap();
    assert_eq!((item.id(), item.line(), item.tries()), ("a", 2, 2));
    assert_eq!((item.latency_ms(), item.cost()), (Some(3.25), Some(0.0)));
    assert!(item.is_cached() && item.is_served() && item.error().is_none());
    let answers: Vec<_> = item.answers().unwrap().collect();
    let (
        key,
        AnswerRecord::Choice {
            option,
            probabilities,
            ..
        },
    ) = answers[0]
    else {
        panic!("a choice comes first");
    };
    assert_eq!((key, option), ("topic", "x"));
    let options: Vec<_> = probabilities.unwrap().iter().collect();
    assert_eq!(options, [("x", 0.91), ("y", 0.06), ("z z", 0.03)]);
    let (
        _,
        AnswerRecord::Score {
            level,
            expected_level,
            probabilities,
            ..
        },
    ) = answers[2]
    else {
        panic!("a score comes last");
    };
    assert_eq!((level, expected_level), (1, Some(1.1)));
    let levels: Vec<_> = probabilities.unwrap().iter().collect();
    assert_eq!(levels, [Some(0.1), None, Some(0.2)]);
    let failed = results.get(1).unwrap();
    let error = failed.error().unwrap();
    assert_eq!(
        (error.kind, error.status_code),
        (ErrorKind::RateLimited, Some(429))
    );
    assert!(failed.answers().is_none() && !failed.is_served() && failed.cost().is_none());
    assert!(results.get(7).is_none());
}

#[test]
fn every_problem_of_a_line_is_told_in_order() {
    let line = concat!(
        r#"{"expect":1,"id":"","answers":{"a":{"type":"noul","probability":1.5,"level":0},"b":{"type":"choice","#,
        r#""probabilities":{"x":"1","y":-0.1}},"c":7,"d":{"choice":"x"},"e":{"type":"bool"},"#,
        r#""f":{"type":"score","level":1.0,"expectedLevel":1e999,"probabilities":[null,2]}},"#,
        r#""error":{"kind":"Oops","statusCode":99},"latencyMs":-1,"inputTokens":1e3,"cost":1e13,"cached":null,"tries":0,"tries":0}"#
    );
    let problems = parse(file(&[line]).as_bytes()).unwrap_err();
    assert_eq!(
        told(&problems),
        [
            (2, "duplicate-member", "tries", None),
            (2, "unknown-member", "expect", None),
            (2, "invalid-member", "id", None),
            (2, "unknown-member", "answers.a.level", None),
            (2, "invalid-number", "answers.a.probability", None),
            (2, "missing-member", "answers.b.choice", None),
            (2, "invalid-member", "answers.b.probabilities.x", None),
            (2, "invalid-number", "answers.b.probabilities.y", None),
            (2, "invalid-member", "answers.c", None),
            (2, "missing-member", "answers.d.type", None),
            (2, "invalid-member", "answers.e.type", None),
            (2, "invalid-number", "answers.f.level", None),
            (2, "invalid-number", "answers.f.expectedLevel", None),
            (2, "invalid-number", "answers.f.probabilities[1]", None),
            (2, "invalid-member", "error", None),
            (2, "invalid-member", "error.kind", None),
            (2, "invalid-number", "error.statusCode", None),
            (2, "missing-member", "error.message", None),
            (2, "invalid-number", "latencyMs", None),
            (2, "invalid-number", "inputTokens", None),
            (2, "invalid-number", "cost", None),
            (2, "invalid-member", "cached", None),
            (2, "invalid-number", "tries", None),
        ]
    );
    assert_eq!(
        problems[4].message,
        "'answers.a.probability' must be a number from 0 to 1."
    );
}

#[test]
fn problems_of_a_file_come_in_line_order() {
    let mut text = HEADER.replace("COUNT", "9");
    text.push_str(
        "\r\n\t\r{\"id\":\"a\",\"answers\":{}}\n[]\n{\"id\":\"a\"\n{\"id\":\"a\",\"answers\":{}}",
    );
    let problems = parse(text.as_bytes()).unwrap_err();
    assert_eq!(
        told(&problems),
        [
            (1, "count-mismatch", "itemCount", None),
            (4, "not-an-object", "", None),
            (5, "invalid-json", "", Some(9)),
            (6, "duplicate-id", "id", None),
        ]
    );
    assert_eq!(
        problems[0].message,
        "'itemCount' is 9, but 4 item lines follow."
    );
    assert_eq!(problems[3].message, "'id' 'a' is already used on line 3.");
}

#[test]
fn headers_that_are_none() {
    for (header, expected) in [
        ("", vec![(1, "invalid-header", "", None)]),
        ("\n \n", vec![(1, "invalid-header", "", None)]),
        ("\n{}\n7", vec![(2, "invalid-header", "kind", None)]),
        ("{\"id\":\"a\"}", vec![(1, "invalid-header", "kind", None)]),
        ("[", vec![(1, "invalid-json", "", Some(1))]),
        ("\n1", vec![(2, "not-an-object", "", None)]),
        (
            r#"{"kind":"minos-results","version":2,"x":1}"#,
            vec![(1, "unsupported-version", "version", None)],
        ),
        (
            r#"{"kind":"minos-results","version":1.0,"x":1,"startedAt":"2026-02-29T00:00:00.000Z","itemCount":0,"selection":{"ids":[1]}}"#,
            vec![
                (1, "unknown-member", "x", None),
                (1, "invalid-version", "version", None),
                (1, "missing-member", "dataset", None),
                (1, "missing-member", "provider", None),
                (1, "missing-member", "model", None),
                (1, "invalid-member", "startedAt", None),
                (1, "missing-member", "selection.of", None),
                (1, "invalid-member", "selection.ids", None),
            ],
        ),
    ] {
        let problems = parse(header.as_bytes()).unwrap_err();
        assert_eq!(told(&problems), expected, "{header}");
    }
}

#[test]
fn days_of_the_calendar() {
    for (date, is_right) in [
        ("2024-02-29T00:00:00.000Z", true),
        ("1900-02-29T00:00:00.000Z", false),
        ("2000-02-29T23:59:59.999Z", true),
        ("2026-04-31T00:00:00.000Z", false),
        ("2026-00-01T00:00:00.000Z", false),
        ("2026-12-00T00:00:00.000Z", false),
        ("0000-01-01T00:00:00.000Z", false),
        ("2026-12-31T24:00:00.000Z", false),
        ("2026-12-31T23:60:00.000Z", false),
        ("2026-12-31T23:59:60.000Z", false),
        ("2026-12-31T23:59:59.99Z", false),
        ("2026-12-31T23:59:59.999+00:00", false),
        ("2026-12-31 23:59:59.999Z", false),
        ("+026-12-31T23:59:59.999Z", false),
    ] {
        let text = file(&[]).replace("2026-11-30T12:00:00.000Z", date);
        assert_eq!(parse(text.as_bytes()).is_ok(), is_right, "{date}");
    }
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("results.jsonl");
    let header = HEADER.replace("COUNT", "2");
    let mut writer = ResultsWriter::create(&path, header.as_bytes()).unwrap();
    let spelled = b"{ \"answers\" : {} , \"id\" : \"a\" }\n\n";
    writer.push(spelled).unwrap();
    assert!(!path.exists());
    writer.push(ITEMS[1].as_bytes()).unwrap();
    writer.finish().unwrap().unwrap();
    let expected = format!(
        "{header}\n{{\"id\":\"a\",\"answers\":{{}}}}\n{}\n",
        ITEMS[1]
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);

    let mut writer = ResultsWriter::create(&path, header.as_bytes()).unwrap();
    writer
        .push(b"{\"id\":\"a\",\"answers\":{},\"latencyMs\":1e999}")
        .unwrap();
    writer.push(spelled).unwrap();
    writer.push(spelled).unwrap();
    let problems = writer.finish().unwrap().unwrap_err();
    assert_eq!(
        told(&problems),
        [
            (1, "count-mismatch", "itemCount", None),
            (2, "invalid-number", "latencyMs", None),
            (3, "duplicate-id", "id", None),
            (4, "duplicate-id", "id", None),
        ]
    );
    drop(ResultsWriter::create(&path, b"{}").unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn blocks_hold_as_many_items_as_it_takes() {
    let count = 70_000;
    let mut text = HEADER.replace("COUNT", &count.to_string());
    for n in 0..count {
        let other = n % 3;
        let probabilities = format!(r#"{{"x":1.0,"{other}":0.0}}"#);
        let answer = format!(r#"{{"type":"choice","choice":"x","probabilities":{probabilities}}}"#);
        let item = format!("\n{{\"id\":\"{n}\",\"answers\":{{\"q\":{answer}}}}}");
        text.push_str(&item);
    }
    text.push('\n');
    let results = parse(text.as_bytes()).unwrap();
    assert!(results.blocks().len() > 1);
    for index in [0, 1, 34_999, 35_000, 69_999] {
        assert_eq!(results.get(index).unwrap().id(), index.to_string());
    }
    assert_eq!(rendered(&results), text);
}

/// What a line is changed to here and there.
const PIECES: [&str; 34] = [
    "",
    " ",
    "\t",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "0",
    "-0",
    "1.5",
    "1e999",
    "-1",
    "00",
    "null",
    "true",
    "nul",
    "\"id\":\"z\",",
    "\"type\":\"noul\"",
    "\"type\":\"score\"",
    "\\u0061",
    "\\ud800",
    "\\udc00\\ud800",
    "\"probability\":0.5",
    "\"x\":0.1,",
    "\u{1}",
    "é",
    "\"a\":1,",
    "\"confidence\":0.5,",
    "\"answers\":{},",
    "\"tries\":3,",
];

fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<Index>(), 0..9_usize, any::<Index>());
    (any::<Index>(), proptest::collection::vec(change, 0..4)).prop_map(|(item, changes)| {
        let mut line = (*item.get(&ITEMS)).to_owned();
        for (place, length, piece) in changes {
            let places: Vec<usize> = (0..=line.len())
                .filter(|&at| line.is_char_boundary(at))
                .collect();
            let from = *place.get(&places);
            let to = places.iter().copied().find(|&at| at >= from + length);
            line.replace_range(
                from..to.unwrap_or(line.len()),
                PIECES[piece.index(PIECES.len())],
            );
        }
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_line_is_read_exactly_where_nothing_is_wrong_with_it(line in mutated()) {
        prop_assume!(!minos_core::lines::is_blank(line.as_bytes()));
        let mut batch = Batch::default();
        batch.push(ITEMS[4], 1);
        let mut problems = Vec::new();
        let id = diagnose(line.as_bytes(), 2, &mut problems);
        prop_assert_eq!(batch.push(&line, 2), problems.is_empty(), "{:?}", problems);
        let item = batch.last().unwrap();
        if problems.is_empty() {
            prop_assert_eq!(Some(item.id().to_owned()), id);
            let mut one = String::new();
            push_item(&mut one, &item);
            let mut again = Batch::default();
            prop_assert!(again.push(&one, 2));
            let mut other = String::new();
            push_item(&mut other, &again.last().unwrap());
            prop_assert_eq!(one, other);
        } else {
            prop_assert_eq!(item.line(), 1);
        }
    }

    #[test]
    fn numbers_are_read_and_written_exactly(bits in 0..=1.0_f64.to_bits(), amount in 0.0..1e12) {
        let probability = f64::from_bits(bits);
        let line = format!(
            r#"{{"id":"a","answers":{{"n":{{"type":"noul","probability":{probability:e}}}}},"latencyMs":{amount}}}"#
        );
        let mut batch = Batch::default();
        prop_assert!(batch.push(&line, 1));
        let item = batch.last().unwrap();
        let answer = item.answers().unwrap().next().unwrap().1;
        let AnswerRecord::Noul { probability: found } = answer else { panic!("a noul") };
        prop_assert_eq!(found.to_bits(), bits);
        prop_assert_eq!(item.latency_ms(), Some(amount));
        let mut json = String::new();
        push_item(&mut json, &item);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(serde_json::to_string(&value["latencyMs"]).unwrap(), json.rsplit(':').next().unwrap().trim_end_matches('}'));
    }
}
