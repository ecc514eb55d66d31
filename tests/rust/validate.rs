//! Validation of files and streams: the same words for any number of threads, any chunk size, any
//! memory and any way to read.

use std::fs;
use std::io::{Cursor, Read};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use minos_core::decision::ids::Room;
use minos_core::decision::stream::ItemStream;
use minos_core::decision::validate::{Batch, Form, Plan, Summary, ValidateError, Watch, validate};
use minos_core::input::{Input, InputError};
use minos_core::problem::{Code, Problem};
use proptest::prelude::*;

mod known_files;

fn plan(threads: usize, chunk: usize, folder: &Path) -> Plan {
    Plan {
        threads: NonZeroUsize::new(threads).unwrap(),
        room: Room {
            memory: usize::MAX,
            folder: folder.to_owned(),
        },
        form: Form::Objects,
        most_problems: u64::MAX,
        chunk: NonZeroUsize::new(chunk).unwrap(),
        longest: Plan::LONGEST,
    }
}

fn told(input: Input, plan: &Plan) -> (Summary, Vec<Problem>, String) {
    let (mut problems, mut text) = (Vec::new(), Vec::new());
    let mut tell = |batch| match batch {
        Batch::Problems(more) => problems.extend(more),
        Batch::Rendered(more) => text.extend(more),
    };
    let summary = validate(input, plan, &Watch::default(), &mut tell).unwrap();
    (summary, problems, String::from_utf8(text).unwrap())
}

fn open(path: &Path) -> Input {
    Input::open(path, &Arc::default()).unwrap()
}

fn stream(file: &[u8]) -> Input {
    Input::from_reader(Cursor::new(file.to_vec())).unwrap()
}

/// Items and problems as a stream of items tells them.
fn known(file: &[u8]) -> (u64, Vec<Problem>) {
    let mut items = ItemStream::new(stream(file));
    let mut count = 0;
    while items.next_item().unwrap().is_some() {
        count += 1;
    }
    (count, items.into_problems())
}

fn line(id: &str) -> String {
    format!(
        r#"{{"id":"{id}","state":"s","questions":{{"a":{{"type":"noul","instructions":"?"}}}},"expected":{{}}}}"#
    )
}

#[test]
fn every_known_file_is_told_alike_by_any_number_of_threads_and_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for known_files::KnownFile { name, bytes, .. } in known_files::known_files() {
        let (items, problems) = known(&bytes);
        fs::write(&path, &bytes).unwrap();
        for threads in [1, 2, 3, 7] {
            for chunk in [1, 3, 100] {
                let plan = plan(threads, chunk, folder.path());
                for (way, input) in [("file", open(&path)), ("stream", stream(&bytes))] {
                    let (summary, told, _) = told(input, &plan);
                    assert_eq!(
                        told, problems,
                        "{name}, {threads} threads, chunks of {chunk}, {way}"
                    );
                    assert_eq!(summary.items, items, "{name}");
                    assert_eq!(summary.problems, problems.len() as u64, "{name}");
                }
            }
        }
    }
}

/// Lines that are right, broken, blank or repeated, with breaks of all kinds.
fn file() -> impl Strategy<Value = String> {
    let id = prop_oneof![3 => "[a-c]", 1 => "[a-z]{3}", 1 => Just("\\u0061".to_owned())];
    let text = prop_oneof![
        6 => id.prop_map(|id| line(&id)),
        1 => Just(String::new()),
        1 => Just(" \t".to_owned()),
        1 => Just("{\"id\":\"a\"}".to_owned()),
        1 => Just("nonsense".to_owned()),
    ];
    let ended = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    (
        prop::bool::weighted(0.2),
        prop::collection::vec((text, ended), 0..30),
        prop::bool::ANY,
    )
        .prop_map(|(has_mark, lines, is_cut)| {
            let mut file = if has_mark {
                "\u{feff}".to_owned()
            } else {
                String::new()
            };
            for (text, end) in lines {
                file.push_str(&text);
                file.push_str(end);
            }
            if is_cut {
                file.pop();
            }
            file
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_file_is_told_alike_by_any_plan(file in file(), threads in 1_usize..4, chunk in 1_usize..300) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, &file).unwrap();
        let (items, problems) = known(file.as_bytes());
        let mut plan = plan(threads, chunk, folder.path());
        for input in [open(&path), stream(file.as_bytes())] {
            let (summary, told, _) = told(input, &plan);
            prop_assert_eq!(&told, &problems);
            prop_assert_eq!(summary.items, items);
        }
        // Ids on the disk from the first line on: repeats come last, by line, and nothing else changes.
        plan.room.memory = 0;
        let is_repeat = |problem: &&Problem| problem.code == Code::DuplicateId;
        let mut ordered: Vec<_> = problems.iter().filter(|problem| !is_repeat(problem)).cloned().collect();
        ordered.extend(problems.iter().filter(is_repeat).cloned());
        for input in [open(&path), stream(file.as_bytes())] {
            let (summary, told, _) = told(input, &plan);
            prop_assert_eq!(&told, &ordered);
            prop_assert_eq!(summary.items, items);
        }
    }
}

#[test]
fn ids_that_move_to_the_disk_on_the_way_are_still_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let ids = (0..6000).map(|i| format!("{}\n", line(&(i % 5000).to_string())));
    fs::write(&path, ids.collect::<String>()).unwrap();
    for input in [open(&path), stream(&fs::read(&path).unwrap())] {
        let mut plan = plan(2, 1 << 16, folder.path());
        plan.room.memory = 100_000;
        let (summary, told, _) = told(input, &plan);
        let lines: Vec<_> = told.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, (5001..=6000).collect::<Vec<_>>());
        assert_eq!(told[0].message, "'id' '0' is already used on line 1.");
        assert_eq!((summary.items, summary.problems), (5000, 1000));
    }
}

#[test]
fn many_ids_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let ids = (0..40_000).map(|i| format!("{}\n", line(&format!("item number {}", i % 39_990))));
    fs::write(&path, ids.collect::<String>()).unwrap();
    for input in [open(&path), stream(&fs::read(&path).unwrap())] {
        let (summary, told, _) = told(input, &plan(2, 1 << 20, folder.path()));
        let lines: Vec<_> = told.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, (39_991..=40_000).collect::<Vec<_>>());
        assert_eq!(summary.items, 39_990);
    }
}

#[test]
fn a_line_that_is_too_long_is_told_and_its_rest_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let long = line(&"x".repeat(500));
    for ending in ["\n", "\r\n", "\r"] {
        let file = format!(
            "{}{ending}{long}{ending}{}{ending}{long}",
            line("a"),
            line("b")
        );
        fs::write(&path, &file).unwrap();
        for chunk in [1, 90, 300, 100_000] {
            for input in [open(&path), stream(file.as_bytes())] {
                let mut plan = plan(2, chunk, folder.path());
                plan.longest = 400;
                let (summary, told, _) = told(input, &plan);
                let codes: Vec<_> = told
                    .iter()
                    .map(|problem| (problem.line, problem.code))
                    .collect();
                assert_eq!(codes, [(2, Code::TooLong), (4, Code::TooLong)]);
                assert_eq!((summary.lines, summary.items), (4, 2));
                assert_eq!(summary.bytes, file.len() as u64);
            }
        }
    }
}

#[test]
fn problems_are_rendered_as_lines_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "{}\n{{\"id\":\"\\u001b[31m\"}}\n\n{}\n\"\\ud800\"",
        line("a"),
        line("a")
    );
    let mut plan = plan(1, 100, folder.path());
    plan.form = Form::Text {
        before: "f: ".to_owned(),
    };
    let (_, _, text) = told(stream(file.as_bytes()), &plan);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0], "f: line 2: 'state' is required.");
    assert_eq!(lines[3], "f: line 4: 'id' 'a' is already used on line 1.");
    plan.form = Form::Json {
        before: "\"file\":\"f\",".to_owned(),
    };
    let (_, _, json) = told(stream(file.as_bytes()), &plan);
    let json: serde_json::Value = serde_json::from_str(&format!("[{}]", &json[1..])).unwrap();
    let (_, problems) = known(file.as_bytes());
    let wanted: Vec<_> = problems
        .iter()
        .map(|p| serde_json::json!({"file": "f", "line": p.line, "code": p.code.as_str(), "path": p.path, "byte": p.byte, "message": p.message}))
        .collect();
    assert_eq!(json, serde_json::json!(wanted));
}

#[test]
fn only_so_many_problems_are_told_and_all_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = "x\n".repeat(10_000);
    for most in [0, 1, 500, 10_000] {
        let mut plan = plan(3, 1000, folder.path());
        plan.most_problems = most;
        let (summary, told, _) = told(stream(file.as_bytes()), &plan);
        assert_eq!((told.len() as u64, summary.problems), (most, 10_000));
    }
}

#[test]
fn a_chunk_full_of_problems_is_told_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "x\n".repeat(100_000)).unwrap();
    for input in [open(&path), stream(&fs::read(&path).unwrap())] {
        let (summary, told, _) = told(input, &plan(3, 60_000, folder.path()));
        assert_eq!((told.len(), summary.lines), (100_000, 100_000));
        assert!(
            told.iter()
                .zip(1..)
                .all(|(problem, line)| problem.line == line)
        );
    }
}

#[test]
fn damage_is_told_behind_what_was_found_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let packed = zstd::encode_all(format!("x\n{}", "y".repeat(1 << 20)).as_bytes(), 3).unwrap();
    let cut = packed[..packed.len() - 3].to_vec();
    let input = Input::from_reader(Cursor::new(cut)).unwrap();
    let mut told = Vec::new();
    let result = validate(
        input,
        &plan(2, 10, folder.path()),
        &Watch::default(),
        &mut |batch| told.push(batch),
    );
    assert!(matches!(
        result,
        Err(ValidateError::Input(InputError::Unreadable { .. }))
    ));
    assert!(matches!(&told[..], [Batch::Problems(problems)] if problems.len() == 1));
}

/// Gives lines without end, and cancels after some of them.
struct Endless(Arc<AtomicBool>, usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 += 1;
        if self.1 == 100 {
            self.0.store(true, Ordering::Relaxed);
        }
        buffer.fill(b'\n');
        Ok(buffer.len())
    }
}

#[test]
fn a_cancelled_validation_ends() {
    let folder = tempfile::tempdir().unwrap();
    let watch = Watch::default();
    let input = Input::from_reader(Endless(Arc::clone(&watch.cancel), 0)).unwrap();
    let result = validate(input, &plan(2, 1000, folder.path()), &watch, &mut |_| {});
    assert!(matches!(
        result,
        Err(ValidateError::Input(InputError::Cancelled))
    ));
}

#[test]
fn ids_that_find_no_room_on_the_disk_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(2, 1000, &folder.path().join("missing"));
    plan.room.memory = 0;
    let file = format!("{}\n", line("a")).repeat(100);
    let result = validate(
        stream(file.as_bytes()),
        &plan,
        &Watch::default(),
        &mut |_| {},
    );
    assert!(matches!(result, Err(ValidateError::Spill(_))));
}
