//! How problems are written.

use std::io::Write;

use crate::json::push_string;
use crate::problem::{Problem, printable};

/// How problems are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// As they are.
    Objects,
    /// As lines of text, `line N: message`, safe to print.
    Text {
        /// What stands in front of each.
        before: String,
    },
    /// As JSON objects; in front of each a comma and a line break.
    Json {
        /// Members in front of the others, each with a comma behind it.
        before: String,
    },
}

impl Form {
    /// Writes what stands in front of a problem, up to its line.
    pub(super) fn write_line(&self, line: u64, to: &mut Vec<u8>) {
        // Writing to a vector cannot fail.
        let _ = match self {
            Self::Objects => Ok(()),
            Self::Text { before } => write!(to, "{before}line {line}"),
            Self::Json { before } => write!(to, ",\n{{{before}\"line\":{line}"),
        };
    }

    /// Writes what stands behind the line of a problem.
    pub(super) fn write_rest(&self, problem: &Problem, to: &mut Vec<u8>) {
        match self {
            Self::Objects => {}
            Self::Text { .. } => {
                to.extend_from_slice(b": ");
                to.extend_from_slice(printable(&problem.message).as_bytes());
                to.push(b'\n');
            }
            Self::Json { .. } => to.extend_from_slice(json(problem).as_bytes()),
        }
    }
}

fn json(problem: &Problem) -> String {
    let mut json = format!(",\"code\":\"{}\",\"path\":", problem.code);
    push_string(&mut json, &problem.path);
    json.push_str(",\"byte\":");
    match problem.byte {
        Some(byte) => json.push_str(&byte.to_string()),
        None => json.push_str("null"),
    }
    json.push_str(",\"message\":");
    push_string(&mut json, &problem.message);
    json.push('}');
    json
}
