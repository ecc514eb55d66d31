//! A set of questions as it goes over the wire: compact, of printable ASCII alone, each member in
//! its place, and a criterion of text alone as a plain string.

use super::asked::{Answers, Asked};
use super::question::{Kind, Question, QuestionSet, RenderedSet};
use crate::json::{Value, push_string, unescape};

/// Renders questions in which nothing is wrong.
pub(super) fn question_set(asked: &[Asked<'_>]) -> RenderedSet {
    let mut json = String::from("{");
    let mut questions = Vec::with_capacity(asked.len());
    for asked in asked {
        let (kind, options, levels) = match &asked.answers {
            Answers::Noul => (Kind::Noul, &[][..], 0),
            Answers::Choice(options) => (Kind::Choice, options.as_slice(), 0),
            Answers::Score(levels) => (Kind::Score, &[][..], *levels),
            // Never met: a question without known answers is a problem.
            Answers::Unknown => continue,
        };
        if !questions.is_empty() {
            json.push(',');
        }
        push_question(&mut json, asked, kind);
        questions.push(Question {
            key: asked.key.as_ref().into(),
            kind,
            options: options
                .iter()
                .map(|option| option.as_ref().into())
                .collect(),
            levels: u32::try_from(levels).unwrap_or(u32::MAX),
        });
    }
    json.push('}');
    RenderedSet {
        set: QuestionSet {
            questions: questions.into_boxed_slice(),
        },
        json: json.into_boxed_str(),
    }
}

fn push_question(json: &mut String, asked: &Asked<'_>, kind: Kind) {
    push_string(json, &asked.key);
    json.push_str(":{\"type\":\"");
    json.push_str(kind.as_str());
    json.push_str("\",\"instructions\":");
    if let Some(instructions) = asked.value.member("instructions") {
        push_content(json, instructions);
    }
    if let Some(criteria) = asked.value.member("criteria") {
        match kind {
            Kind::Noul => push_sides(json, criteria),
            Kind::Choice => push_list(json, criteria, ['{', '}']),
            Kind::Score => push_list(json, criteria, ['[', ']']),
        }
    }
    json.push('}');
}

fn push_sides(json: &mut String, criteria: Value<'_>) {
    let sides = ["true", "false"].map(|name| (name, criteria.member(name)));
    let mut before = ",\"criteria\":{";
    for (name, side) in sides {
        let Some(side) = side else { continue };
        json.push_str(before);
        push_string(json, name);
        json.push(':');
        push_content(json, side);
        before = ",";
    }
    if before == "," {
        json.push('}');
    }
}

fn push_list(json: &mut String, criteria: Value<'_>, [open, close]: [char; 2]) {
    json.push_str(",\"criteria\":");
    json.push(open);
    for (index, criterion) in criteria.children().enumerate() {
        if index > 0 {
            json.push(',');
        }
        if let Some(option) = criterion.name() {
            push_string(json, &option);
            json.push(':');
        }
        push_criterion(json, criterion);
    }
    json.push(close);
}

fn push_criterion(json: &mut String, criterion: Value<'_>) {
    let Some(description) = criterion.member("description") else {
        push_content(json, criterion);
        return;
    };
    let lists = ["examples", "not_for"].map(|name| {
        (
            name,
            criterion
                .member(name)
                .filter(|list| !list.is_empty_container()),
        )
    });
    if lists.iter().all(|(_, list)| list.is_none()) {
        push_content(json, description);
        return;
    }
    json.push_str("{\"description\":");
    push_content(json, description);
    for (name, list) in lists {
        if let Some(list) = list {
            json.push(',');
            push_string(json, name);
            json.push(':');
            push_content(json, list);
        }
    }
    json.push('}');
}

/// Writes a value without the white space between its parts; numbers as they were written.
fn push_content(json: &mut String, value: Value<'_>) {
    let mut rest = value.literal();
    while let Some(quote) = memchr::memchr(b'"', rest.as_bytes()) {
        let (plain, string) = rest.split_at_checked(quote).unwrap_or((rest, ""));
        json.extend(plain.chars().filter(|c| !c.is_ascii_whitespace()));
        let length = string_length(string);
        let inner = string.get(1..length.saturating_sub(1)).unwrap_or_default();
        push_string(json, &unescape(inner));
        rest = string.get(length..).unwrap_or_default();
    }
    json.extend(rest.chars().filter(|c| !c.is_ascii_whitespace()));
}

/// The bytes of the string that `text` starts with, its quotes included.
fn string_length(text: &str) -> usize {
    let mut at = 1;
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            Some(next) if rest.get(next) == Some(&b'\\') => at += next + 2,
            Some(next) => return at + next + 1,
            None => return text.len(),
        }
    }
}
