//! The questions of an item, checked one by one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::criteria;
use super::question::Kind;
use super::rules::{DEEPEST_CONTENT, Rule};
use crate::findings::{Findings, Place};
use crate::json::{self, Value};

/// What is known of a question, however broken the rest of it is.
#[derive(Debug)]
pub(super) struct Asked<'t> {
    pub(super) key: Cow<'t, str>,
    pub(super) value: Value<'t>,
    pub(super) answers: Answers<'t>,
}

/// The answers a question can have.
#[derive(Debug)]
pub(super) enum Answers<'t> {
    /// The kind is not known, or there are no options or levels to choose from.
    Unknown,
    Noul,
    Choice(Vec<Cow<'t, str>>),
    Score(usize),
}

/// How keys that are used again are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// As members that appear more than once, by whoever reads the line; skipped here.
    Members,
    /// As broken rules of a question set that is built in code.
    Rules,
}

/// Checks every question of an object of questions, in the order they stand.
pub(super) fn check<'t>(
    questions: Value<'t>,
    repeats: Repeats,
    findings: &mut Findings<'_>,
) -> Vec<Asked<'t>> {
    let mut asked = Vec::new();
    let mut repeated = Vec::new();
    for value in questions.children() {
        let Some(key) = value.name() else { continue };
        if value.is_repeat() {
            if repeats == Repeats::Members {
                continue;
            }
            repeated.push(key.clone());
        }
        let answers = check_question(&key, value, repeats, findings);
        if !value.is_repeat() {
            asked.push(Asked {
                key,
                value,
                answers,
            });
        }
    }
    let mut told = HashSet::new();
    for key in &repeated {
        if !key.is_empty() && told.insert(key) {
            findings.broken(Rule::RepeatedKey, key);
        }
    }
    asked
}

fn check_question<'t>(
    key: &str,
    value: Value<'t>,
    repeats: Repeats,
    findings: &mut Findings<'_>,
) -> Answers<'t> {
    let questions = Place::Line.member("questions");
    let place = questions.member(key);
    if key.is_empty() {
        findings.broken(Rule::EmptyKey, key);
    }
    if value.kind() != json::Kind::Object {
        findings.invalid(&place, "an object");
        return Answers::Unknown;
    }
    for (name, _) in value.members() {
        if !matches!(name.as_ref(), "type" | "instructions" | "criteria") {
            let known = "a question has type, instructions and criteria";
            findings.unknown(&place.member(&name), known);
        }
    }
    let kind = check_type(value, &place, findings);
    let instructions = value.member("instructions");
    match instructions {
        None => findings.missing(&place.member("instructions")),
        Some(value) if !value.is_content() => {
            findings.invalid(
                &place.member("instructions"),
                "a string, an object or an array",
            );
        }
        Some(value) if is_blank(value) => findings.broken(Rule::BlankInstructions, key),
        Some(_) => {}
    }
    let answers = match kind {
        None => Answers::Unknown,
        Some(kind) => criteria::check(
            kind,
            value.member("criteria"),
            &criteria::Question {
                key,
                place: &place,
                repeats,
            },
            findings,
        ),
    };
    if instructions.is_some_and(|value| value.height() > DEEPEST_CONTENT) {
        findings.broken(Rule::DeepInstructions, key);
    }
    if kind == Some(Kind::Noul) {
        let criteria = value
            .member("criteria")
            .filter(|criteria| criteria.kind() == json::Kind::Object);
        let is_deep = |side| {
            criteria
                .and_then(|criteria| criteria.member(side))
                .is_some_and(|side| side.height() > DEEPEST_CONTENT)
        };
        if is_deep("true") {
            findings.broken(Rule::DeepTrue, key);
        }
        if is_deep("false") {
            findings.broken(Rule::DeepFalse, key);
        }
    }
    answers
}

fn check_type(value: Value<'_>, place: &Place<'_>, findings: &mut Findings<'_>) -> Option<Kind> {
    let place = place.member("type");
    let Some(value) = value.member("type") else {
        findings.missing(&place);
        return None;
    };
    let kind = kind_of(value);
    if kind.is_none() {
        findings.invalid(&place, "noul, choice or score");
    }
    kind
}

/// The kind that a question's type names.
pub(super) fn kind_of(value: Value<'_>) -> Option<Kind> {
    let name = value.string()?;
    [Kind::Noul, Kind::Choice, Kind::Score]
        .into_iter()
        .find(|kind| kind.as_str() == name)
}

/// Whether content says nothing: text of white space alone, or an empty object or array.
pub(super) fn is_blank(value: Value<'_>) -> bool {
    match value.string() {
        Some(text) => is_blank_text(&text),
        None => value.is_empty_container(),
    }
}

/// Whether text is empty or white space alone, in Unicode's sense.
pub(super) fn is_blank_text(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
