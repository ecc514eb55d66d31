//! The criteria of a question: the sides of a noul, the options of a choice, the levels of a score.

use std::collections::HashSet;

use super::asked::{Answers, Repeats, is_blank, is_blank_text};
use super::question::Kind;
use super::rules::{FEWEST_LEVELS, MOST_LEVELS, MOST_OPTIONS, Rule};
use crate::findings::{Findings, Place};
use crate::json::{self, Value};

/// The question whose criteria are checked.
pub(super) struct Question<'q> {
    pub(super) key: &'q str,
    pub(super) place: &'q Place<'q>,
    pub(super) repeats: Repeats,
}

/// Checks the criteria of a question of a known kind.
pub(super) fn check<'t>(
    kind: Kind,
    criteria: Option<Value<'t>>,
    question: &Question<'_>,
    findings: &mut Findings<'_>,
) -> Answers<'t> {
    let place = question.place.member("criteria");
    let Some(criteria) = criteria else {
        if kind == Kind::Noul {
            return Answers::Noul;
        }
        findings.missing(&place);
        return Answers::Unknown;
    };
    let is_object = criteria.kind() == json::Kind::Object;
    match kind {
        Kind::Noul => {
            if is_object {
                check_sides(criteria, question.key, &place, findings);
            } else {
                findings.invalid(&place, "an object with the members true and false");
            }
            Answers::Noul
        }
        Kind::Choice if is_object => check_options(criteria, question, &place, findings),
        Kind::Score if criteria.kind() == json::Kind::Array => {
            check_levels(criteria, question.key, &place, findings)
        }
        Kind::Choice => {
            findings.invalid(&place, "an object of options");
            Answers::Unknown
        }
        Kind::Score => {
            findings.invalid(&place, "an array of levels, lowest first");
            Answers::Unknown
        }
    }
}

fn check_sides(criteria: Value<'_>, key: &str, place: &Place<'_>, findings: &mut Findings<'_>) {
    for (name, _) in criteria.members() {
        if !matches!(name.as_ref(), "true" | "false") {
            let known = "the criteria of a noul have true and false";
            findings.unknown(&place.member(&name), known);
        }
    }
    for (name, rule) in [("true", Rule::BlankTrue), ("false", Rule::BlankFalse)] {
        match criteria.member(name) {
            Some(side) if !side.is_content() => {
                findings.invalid(&place.member(name), "a string, an object or an array");
            }
            Some(side) if is_blank(side) => findings.broken(rule, key),
            _ => {}
        }
    }
}

fn check_options<'t>(
    criteria: Value<'t>,
    question: &Question<'_>,
    place: &Place<'_>,
    findings: &mut Findings<'_>,
) -> Answers<'t> {
    let key = question.key;
    let are_rules = question.repeats == Repeats::Rules;
    let count = criteria
        .children()
        .filter(|option| are_rules || !option.is_repeat())
        .count();
    if count == 0 {
        findings.broken(Rule::NoOptions, key);
        return Answers::Unknown;
    }
    if count > MOST_OPTIONS {
        findings.broken(Rule::OptionCount, key);
    }
    let mut options = Vec::with_capacity(count);
    let mut told = HashSet::new();
    for value in criteria.children() {
        let Some(name) = value.name() else { continue };
        if value.is_repeat() && !are_rules {
            continue;
        }
        if name.is_empty() {
            findings.broken(Rule::EmptyOption, key);
        }
        if value.is_repeat() && told.insert(name.clone()) && !name.is_empty() {
            findings.broken(Rule::RepeatedOption(&name), key);
        }
        let option = Described {
            key,
            name: &name,
            place: &place.member(&name),
        };
        if value.kind() != json::Kind::Null {
            check_described(
                value,
                "null, a string or a criterion object",
                &option,
                findings,
            );
        }
        if !value.is_repeat() {
            options.push(name);
        }
    }
    Answers::Choice(options)
}

fn check_levels<'t>(
    criteria: Value<'t>,
    key: &str,
    place: &Place<'_>,
    findings: &mut Findings<'_>,
) -> Answers<'t> {
    let count = criteria.children().count();
    if count == 0 {
        findings.broken(Rule::NoLevels, key);
        return Answers::Unknown;
    }
    if !(FEWEST_LEVELS..=MOST_LEVELS).contains(&count) {
        findings.broken(Rule::LevelCount, key);
    }
    for (index, value) in criteria.children().enumerate() {
        let level = Described {
            key,
            name: &index.to_string(),
            place: &place.element(index),
        };
        check_described(value, "a string or a criterion object", &level, findings);
    }
    Answers::Score(count)
}

/// An option or a level.
struct Described<'d> {
    key: &'d str,
    name: &'d str,
    place: &'d Place<'d>,
}

fn check_described(
    value: Value<'_>,
    wanted: &str,
    option: &Described<'_>,
    findings: &mut Findings<'_>,
) {
    match value.kind() {
        json::Kind::String => {
            if is_blank(value) {
                findings.broken(Rule::BlankDescription(option.name), option.key);
            }
        }
        json::Kind::Object => check_criterion(value, option, findings),
        _ => findings.invalid(option.place, wanted),
    }
}

fn check_criterion(value: Value<'_>, option: &Described<'_>, findings: &mut Findings<'_>) {
    for (name, _) in value.members() {
        if !matches!(name.as_ref(), "description" | "examples" | "not_for") {
            let known = "a criterion has description, examples and not_for";
            findings.unknown(&option.place.member(&name), known);
        }
    }
    let place = option.place.member("description");
    let description = value.member("description");
    match description.map(Value::kind) {
        None => findings.missing(&place),
        Some(json::Kind::String) => {}
        Some(json::Kind::Object | json::Kind::Array) => findings.invalid(
            &place,
            "a string: an object or array is not part of version 1",
        ),
        Some(_) => findings.invalid(&place, "a string"),
    }
    let mut has_blank_entry = false;
    for name in ["examples", "not_for"] {
        let Some(entries) = value.member(name) else {
            continue;
        };
        let is_list = entries.kind() == json::Kind::Array;
        if !is_list || !entries.children().all(|entry| entry.string().is_some()) {
            findings.invalid(&option.place.member(name), "an array of strings");
        }
        has_blank_entry |= is_list
            && entries
                .children()
                .filter_map(Value::string)
                .any(|text| is_blank_text(&text));
    }
    if description.is_some_and(|value| value.kind() == json::Kind::String && is_blank(value)) {
        findings.broken(Rule::BlankDescription(option.name), option.key);
    }
    if has_blank_entry {
        findings.broken(Rule::BlankEntry(option.name), option.key);
    }
}
