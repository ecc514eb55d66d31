//! Everything that is wrong with one line, in order; or the item that it is.
//!
//! This walk owns every message about a line. It is complete rather than fast.

use std::ops::Range;

use super::asked::{self, Asked, Repeats};
use super::expected;
use super::question::{Expected, RenderedSet};
use super::render;
use crate::findings::{Findings, Place};
use crate::json::{Kind, Tree, Value};
use crate::problem::{Code, Problem};

/// The version of the format that is read.
const VERSION: &str = "1";

/// What a line says, as far as it can be known.
#[derive(Debug)]
pub struct Diagnosis {
    /// The id, unescaped, where it takes part in uniqueness.
    pub id: Option<String>,
    /// The item, only where nothing is wrong with the line.
    pub item: Option<ItemParts>,
}

/// A line in which nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemParts {
    /// The id, unescaped.
    pub id: String,
    /// Where the id stands in the line, without its quotes and with its escapes.
    pub id_span: Range<usize>,
    /// Where the state stands in the line.
    pub state: Range<usize>,
    /// Where the questions stand in the line.
    pub questions: Range<usize>,
    /// The right answers in the order they stand, each with the index of its question.
    pub expected: Vec<(u32, Expected)>,
    /// Where the item came from.
    pub source: Option<String>,
    /// The questions, read and rendered.
    pub set: RenderedSet,
}

/// Adds every problem of the line to `problems`, a repeated id apart, and says what the line holds.
///
/// The line comes without its break and, in a file's first line, without a byte order mark. It must
/// not be blank.
pub fn diagnose(line: &[u8], number: u64, problems: &mut Vec<Problem>) -> Diagnosis {
    let nothing = Diagnosis {
        id: None,
        item: None,
    };
    let tree = match Tree::read(line, &["state"]) {
        Ok(tree) => tree,
        Err(fault) => {
            problems.push(fault.problem(number));
            return nothing;
        }
    };
    let mut findings = Findings::new(number, problems);
    let root = tree.root();
    if root.kind() != Kind::Object {
        findings.not_an_object();
        return nothing;
    }
    if let Some(other) = other_version(root) {
        let message = format!(
            "This file uses dataset format version {other}; this loader reads version {VERSION}."
        );
        findings.add(Code::UnsupportedVersion, "version".to_owned(), message);
        return nothing;
    }
    check_item(&tree, &mut findings)
}

/// The problem of an id that an earlier line has.
#[must_use]
pub fn duplicate_id(line: u64, id: &str, first_line: u64) -> Problem {
    Problem {
        line,
        code: Code::DuplicateId,
        path: "id".to_owned(),
        byte: None,
        message: format!("'id' '{id}' is already used on line {first_line}."),
    }
}

/// Where a string stands, without its quotes.
fn inner(string: Value<'_>) -> Range<usize> {
    let span = string.span();
    span.start + 1..span.end.saturating_sub(1)
}

/// The whole number, other than 1, that a line gives as its version.
fn other_version(root: Value<'_>) -> Option<&str> {
    root.member("version")?
        .whole_number()
        .filter(|&version| version != VERSION)
}

fn check_item(tree: &Tree<'_>, findings: &mut Findings<'_>) -> Diagnosis {
    let before = findings.count();
    let root = tree.root();
    findings.repeats(tree);
    for (name, _) in root.members() {
        if !matches!(
            name.as_ref(),
            "id" | "state" | "questions" | "expected" | "source" | "version"
        ) {
            let known = "an item has id, state, questions, expected, source and version";
            findings.unknown(&Place::Line.member(&name), known);
        }
    }
    let id = check_id(root, findings);
    let state = check_state(root, findings);
    let questions = root.member("questions");
    let asked = check_questions(questions, findings);
    let expected = check_expected(root, asked.as_deref(), findings);
    let source = check_source(root, findings);
    if root
        .member("version")
        .is_some_and(|version| version.literal() != VERSION)
    {
        let message = format!("'version' must be the number {VERSION}.");
        findings.add(Code::InvalidVersion, "version".to_owned(), message);
    }
    if findings.count() > before {
        return Diagnosis { id, item: None };
    }
    let item = match (&id, state, questions, &asked) {
        (Some(id), Some(state), Some(questions), Some(asked)) => Some(ItemParts {
            id: id.clone(),
            id_span: root.member("id").map_or(0..0, inner),
            state: state.span(),
            questions: questions.span(),
            expected,
            source,
            set: render::question_set(asked),
        }),
        _ => None,
    };
    Diagnosis { id, item }
}

fn check_id(root: Value<'_>, findings: &mut Findings<'_>) -> Option<String> {
    let place = Place::Line.member("id");
    let Some(id) = root.member("id") else {
        findings.missing(&place);
        return None;
    };
    let text = id.string().filter(|text| !text.is_empty());
    if text.is_none() {
        findings.invalid(&place, "a non-empty string");
    }
    text.map(std::borrow::Cow::into_owned)
}

fn check_state<'t>(root: Value<'t>, findings: &mut Findings<'_>) -> Option<Value<'t>> {
    let place = Place::Line.member("state");
    let state = root.member("state");
    match state {
        None => findings.missing(&place),
        Some(state) if !state.is_content() => {
            findings.invalid(&place, "a string, an object or an array");
        }
        Some(_) => {}
    }
    state
}

fn check_questions<'t>(
    questions: Option<Value<'t>>,
    findings: &mut Findings<'_>,
) -> Option<Vec<Asked<'t>>> {
    let place = Place::Line.member("questions");
    let Some(questions) = questions else {
        findings.missing(&place);
        return None;
    };
    if questions.kind() != Kind::Object || questions.is_empty_container() {
        findings.invalid(&place, "an object with at least one question");
        return None;
    }
    Some(asked::check(questions, Repeats::Members, findings))
}

fn check_expected(
    root: Value<'_>,
    asked: Option<&[Asked<'_>]>,
    findings: &mut Findings<'_>,
) -> Vec<(u32, Expected)> {
    let place = Place::Line.member("expected");
    match root.member("expected") {
        None => findings.missing(&place),
        Some(expected) if expected.kind() != Kind::Object => {
            findings.invalid(&place, "an object of right answers by question");
        }
        Some(expected) => return expected::check(expected, asked, findings),
    }
    Vec::new()
}

fn check_source(root: Value<'_>, findings: &mut Findings<'_>) -> Option<String> {
    let source = root.member("source")?;
    let text = source.string();
    if text.is_none() {
        findings.invalid(&Place::Line.member("source"), "a string");
    }
    text.map(std::borrow::Cow::into_owned)
}
