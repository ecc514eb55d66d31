//! A JSON file: one list.

use std::ops::ControlFlow;

use super::file::{Entry, Told};
use super::place::{self, LineCounter};
use super::yaml::is_finite;
use crate::json::{Fault, Kind, Tree, Value};
use crate::problem::{Code, Problem};

/// Reads a file: where its cases stand, or what keeps it from being read.
pub(super) fn read(file: &[u8], told: &mut Vec<Told>) -> Vec<Entry> {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let mark = file.len() - text.len();
    if text.trim_ascii().is_empty() {
        return Vec::new();
    }
    let entries = Tree::read(text, &[])
        .map_err(|fault| of_file(&fault, text))
        .and_then(|tree| list(&tree, text, mark));
    let entries = match entries {
        Ok(entries) => entries,
        Err(problem) => {
            told.push(Told {
                case: None,
                problem,
            });
            return Vec::new();
        }
    };
    for (index, entry) in entries.iter().enumerate() {
        inside(entry.of(file), index, entry.line, told);
    }
    entries
}

fn list(tree: &Tree<'_>, text: &[u8], mark: usize) -> Result<Vec<Entry>, Problem> {
    let root = tree.root();
    let mut lines = LineCounter::new(text, 1);
    if root.kind() != Kind::Array {
        return Err(Problem {
            line: lines.at(root.span().start).into(),
            code: Code::NotAList,
            path: String::new(),
            byte: None,
            message: "The file must hold a list of cases.".to_owned(),
        });
    }
    let entry = |span: std::ops::Range<usize>| Entry {
        offset: (mark + span.start) as u64,
        length: u32::try_from(span.len()).unwrap_or(u32::MAX),
        line: lines.at(span.start),
        first_lines: 0,
    };
    Ok(root.children().map(Value::span).map(entry).collect())
}

/// A fault of a file as a problem of the line it stands on.
fn of_file(fault: &Fault, text: &[u8]) -> Problem {
    let byte = fault.byte().and_then(|byte| usize::try_from(byte).ok());
    let before = text.get(..byte.unwrap_or(0)).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1);
    let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
    let in_line = match *fault {
        Fault::InvalidUtf8 { byte } => Fault::InvalidUtf8 { byte: byte - start },
        Fault::UnpairedSurrogate { byte } => Fault::UnpairedSurrogate { byte: byte - start },
        Fault::TooDeep { byte } => Fault::TooDeep { byte: byte - start },
        Fault::InvalidJson {
            byte,
            expected,
            at_end,
        } => Fault::InvalidJson {
            byte: byte - start,
            expected,
            at_end,
        },
        Fault::TooLong => Fault::TooLong,
    };
    in_line.problem(line)
}

/// Tells what the grammar lets pass in a case: repeated members, and numbers that no double holds.
pub(super) fn inside(case: &[u8], index: usize, line: u32, told: &mut Vec<Told>) {
    let Ok(tree) = Tree::read(case, &[]) else {
        return;
    };
    let mut lines = LineCounter::new(case, line);
    let mut tell = |line: u32, code, path: String, message: String| {
        told.push(Told {
            case: Some(index),
            problem: Problem {
                line: line.into(),
                code,
                path,
                byte: None,
                message,
            },
        });
    };
    tree.each_repeat(|path, value| {
        let at = value.name_span().map_or(0, |span| span.start);
        let message = format!("'{path}' appears more than once.");
        let path = format!("[{index}].{path}");
        tell(lines.at(at), Code::DuplicateMember, path, message);
        ControlFlow::Continue(())
    });
    let mut lines = LineCounter::new(case, line);
    for value in tree.values() {
        if value.kind() == Kind::Number && !is_finite(value.literal()) {
            let message = "The number is outside the range of a double.".to_owned();
            let line = lines.at(value.span().start);
            let path = format!("[{index}]{}", place::path(&tree, value));
            tell(line, Code::InvalidNumber, path, message);
        }
    }
}
