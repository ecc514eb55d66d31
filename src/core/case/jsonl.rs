//! A JSONL file: a case a line; blank lines are counted and passed over.

use super::file::{Entry, Told};
use super::json::inside;
use crate::json::{Fault, Tree};
use crate::lines::{Content, Line, is_blank};

/// Takes one line: a case, or what keeps it from being read.
pub(super) fn line(line: &Line<'_>, entries: &mut Vec<Entry>, told: &mut Vec<Told>) {
    let bytes = match line.content {
        Content::Bytes(bytes) if is_blank(bytes) => return,
        Content::Bytes(bytes) => bytes,
        Content::TooLong => &[],
    };
    let fault = match line.content {
        Content::TooLong => Some(Fault::TooLong),
        Content::Bytes(_) => Tree::read(bytes, &[]).err(),
    };
    let index = entries.len();
    let number = u32::try_from(line.number).unwrap_or(u32::MAX);
    if let Some(fault) = &fault {
        told.push(Told {
            case: Some(index),
            problem: fault.problem(line.number),
        });
    } else {
        inside(bytes, index, number, told);
    }
    entries.push(Entry {
        offset: line.offset,
        // A case that could not be read is an entry without text, so that those behind it keep
        // their places.
        length: match fault {
            None => u32::try_from(bytes.len()).unwrap_or(0),
            Some(_) => 0,
        },
        line: number,
        first_lines: 0,
    });
}
