//! Data sets in memory, and files that appear whole or not at all.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::sync::atomic::AtomicBool;

use minos_core::decision::build::build;
use minos_core::decision::dataset::{Dataset, Written};
use minos_core::decision::diagnose;
use minos_core::decision::question::Expected;
use minos_core::decision::stream::ItemStream;
use minos_core::input::{Input, InputError};
use minos_core::output::NewFile;
use minos_core::problem::Code;

const QUESTIONS: &str = r#"{"n":{"type":"noul","instructions":"Is it?"},"c":{"type":"choice","instructions":"Which?","criteria":{"a":"A","b":null}}}"#;

fn line(id: &str, state: &str, questions: &str) -> String {
    format!(
        r#"{{"id":"{id}","state":{state},"questions":{questions},"expected":{{"c":"b","n":true}}}}"#
    )
}

fn parse(file: &str) -> Dataset {
    Dataset::parse(file.as_bytes(), false, &AtomicBool::new(false))
        .unwrap()
        .unwrap()
}

/// Lines of every size around that of a block.
fn large() -> String {
    let mut file = String::new();
    for (number, size) in [
        10,
        1 << 19,
        1 << 19,
        600_000,
        1 << 20,
        3 << 20,
        10,
        1_048_000,
        600,
    ]
    .into_iter()
    .enumerate()
    {
        let state = format!("\"{}{number}\"", "x".repeat(size));
        writeln!(file, "{}", line(&format!("i{number}"), &state, QUESTIONS)).unwrap();
    }
    file
}

#[test]
fn lines_of_every_size_come_back() {
    let file = large();
    let dataset = parse(&file);
    let never = AtomicBool::new(false);
    let input = Input::from_reader(Cursor::new(file.clone().into_bytes())).unwrap();
    let read = Dataset::read(input, &never).unwrap().unwrap();
    assert_eq!(dataset.len(), 9);
    for ((item, other), text) in dataset.iter().zip(read.iter()).zip(file.lines()) {
        assert_eq!(item.bytes(), text.as_bytes());
        assert_eq!(other.bytes(), text.as_bytes());
        assert_eq!(item.questions(), QUESTIONS);
        assert!(text.contains(item.state()));
        assert!(text.contains(&format!("\"id\":\"{}\"", item.id())));
    }
}

#[test]
fn items_hold_what_the_stream_gives() {
    let other = r#"{"c":{"criteria":{"b":"B"},"type":"choice","instructions":[1]}}"#;
    let mut file = String::from("\u{feff}\n");
    for number in 0..40 {
        let questions = if number % 3 == 0 { other } else { QUESTIONS };
        let text = line(&format!("i\\u00e9{number}"), "\"x\"", questions);
        let text = if number % 3 == 0 {
            text.replace(",\"n\":true", "")
        } else {
            text
        };
        writeln!(file, "{text}\r\n").unwrap();
    }
    let dataset = parse(&file);
    let mut stream = ItemStream::new(Input::from_reader(Cursor::new(file.into_bytes())).unwrap());
    for (item, view) in dataset.items().zip(dataset.iter()) {
        let streamed = stream.next_item().unwrap().unwrap();
        assert_eq!(
            (item.line, &item.id, &item.set),
            (streamed.line, &streamed.id, &streamed.set)
        );
        assert_eq!(item.expected, streamed.expected);
        assert_eq!(item.id, view.id());
        let set = dataset.set(view.set()).map(|rendered| rendered.set);
        assert_eq!(set.as_ref(), Some(item.set.as_ref()));
    }
    assert!(stream.next_item().unwrap().is_none());
    assert!(stream.problems().is_empty());
    assert_eq!(
        (dataset.len(), dataset.get(39).map(|item| item.line())),
        (40, Some(80))
    );
}

#[test]
fn right_answers_and_sources_are_read_from_the_line() {
    let text = line("a", "[]", QUESTIONS).replace(
        "\"expected\":{\"c\":\"b\",\"n\":true}",
        r#""expected":{"\u0063":"\u0062","n":false},"source":"\u00e9""#,
    );
    let dataset = parse(&text);
    let item = dataset.get(0).unwrap();
    assert_eq!(
        item.expected(),
        [
            ("c".to_owned(), Written::Choice("b".to_owned())),
            ("n".to_owned(), Written::Noul(false)),
        ]
    );
    assert_eq!(item.source().as_deref(), Some("é"));
    let diagnosed = diagnose(text.as_bytes(), 1, &mut Vec::new()).item.unwrap();
    assert_eq!(
        diagnosed.expected,
        [(1, Expected::Choice(1)), (0, Expected::Noul(false))]
    );
    assert_eq!(diagnosed.source.as_deref(), Some("é"));
}

#[test]
fn equal_sets_have_one_number_however_they_are_written() {
    let spaced = QUESTIONS.replace(':', " : ");
    let described = QUESTIONS.replace(
        "\"a\":\"A\"",
        r#""\u0061":{"description":"A","examples":[]}"#,
    );
    let other = QUESTIONS.replace("\"b\":null", "\"b\":\"null\"");
    let sets = [QUESTIONS, &spaced, &other, &described, &other];
    let mut file = String::new();
    for (number, set) in sets.into_iter().enumerate() {
        writeln!(file, "{}", line(&number.to_string(), "\"\"", set)).unwrap();
    }
    let dataset = parse(&file);
    let numbers: Vec<_> = dataset.iter().map(|item| item.set()).collect();
    assert_eq!(numbers, [0, 0, 1, 0, 1]);
    assert!(dataset.set(2).is_none());
}

#[test]
fn some_of_the_items_share_the_bytes() {
    let dataset = parse(&large());
    let some = dataset.select(&[8, 0, 0]).unwrap();
    let ids: Vec<_> = some.iter().map(|item| item.id().into_owned()).collect();
    assert_eq!(ids, ["i8", "i0", "i0"]);
    let whole = dataset.get(0).unwrap().bytes();
    assert!(std::ptr::eq(whole, some.get(1).unwrap().bytes()));
    assert!(dataset.select(&[9]).is_none());
    assert!(dataset.select(&[]).unwrap().is_empty());
}

#[test]
fn a_flag_ends_the_reading_and_the_writing() {
    let set = AtomicBool::new(true);
    let file = line("a", "\"\"", QUESTIONS);
    let parsed = Dataset::parse(file.as_bytes(), false, &set);
    assert!(matches!(parsed, Err(InputError::Cancelled)));
    let input = Input::from_reader(Cursor::new(file.clone().into_bytes())).unwrap();
    assert!(matches!(
        Dataset::read(input, &set),
        Err(InputError::Cancelled)
    ));
    let folder = tempfile::tempdir().unwrap();
    assert!(
        parse(&file)
            .save(&folder.path().join("out.gz"), &set)
            .is_err()
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_not_finished_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    fs::write(&path, "old").unwrap();
    let mut file = NewFile::create(&path).unwrap();
    file.write_all(b"half").unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let (mut first, mut second) = (
        NewFile::create(&path).unwrap(),
        NewFile::create(&path).unwrap(),
    );
    first.write_all(b"first").unwrap();
    second.write_all(b"second").unwrap();
    first.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    second.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_set_that_is_built_tells_failures_and_warnings_apart() {
    let built = build(
        br#"{"a":{"type":"noul","instructions":" "},"a":{"type":"choice","instructions":"x",
        "criteria":{"o":null,"o":" "}},"b":{"type":"noul","instructions":{"k":1,"k":2}}}"#,
    );
    let told = |problems: &[minos_core::problem::Problem]| {
        let told = problems
            .iter()
            .map(|problem| (problem.code, problem.path.clone()));
        told.collect::<Vec<_>>()
    };
    let at = |path: &str| path.to_owned();
    assert_eq!(
        told(&built.failures),
        [
            (Code::DuplicateMember, at("questions.b.instructions.k")),
            (Code::Min106, at("questions.a")),
            (Code::Min106, at("questions.a")),
        ]
    );
    let warnings = [
        (Code::Min003, at("questions.a")),
        (Code::Min003, at("questions.a")),
    ];
    assert_eq!(told(&built.warnings), warnings);
    assert!(built.set.is_none());
    for broken in ["[]", "5", "{\"a\":", "{\"a\":5}"] {
        assert_eq!(build(broken.as_bytes()).failures.len(), 1, "{broken}");
    }
    let right = build(QUESTIONS.as_bytes());
    assert_eq!(right.set.unwrap().json.as_ref(), QUESTIONS);
}
