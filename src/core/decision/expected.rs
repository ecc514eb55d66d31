//! The right answers of an item, held against its questions.

use std::collections::HashMap;
use std::fmt::Write;

use super::asked::{Answers, Asked};
use super::question::Expected;
use crate::findings::{Findings, Place};
use crate::json::{Kind, Value};
use crate::problem::Code;

/// How many names a message shows.
const SHOWN_NAMES: usize = 10;

/// Checks the members of `expected` in the order they stand; gives the right ones, each with the
/// index of its question. `asked` is None where the questions could not be read.
pub(super) fn check(
    expected: Value<'_>,
    asked: Option<&[Asked<'_>]>,
    findings: &mut Findings<'_>,
) -> Vec<(u32, Expected)> {
    let mut right = Vec::new();
    let Some(asked) = asked else { return right };
    let by_key: HashMap<&str, (u32, &Asked<'_>)> = (0..)
        .zip(asked)
        .map(|(index, asked)| (asked.key.as_ref(), (index, asked)))
        .collect();
    let mut questions = None;
    let expected_place = Place::Line.member("expected");
    for (key, value) in expected.members() {
        let place = expected_place.member(&key);
        match by_key.get(key.as_ref()) {
            None => {
                let questions = questions
                    .get_or_insert_with(|| listed(asked.iter().map(|asked| asked.key.as_ref())));
                findings.at(
                    Code::UnknownQuestion,
                    &place,
                    format_args!("names no question: the questions are {questions}."),
                );
            }
            Some(&(index, asked)) => match answer(value, &asked.answers) {
                Ok(answer) => right.extend(answer.map(|answer| (index, answer))),
                Err(wanted) => findings.at(
                    Code::InvalidExpected,
                    &place,
                    format_args!("must be {wanted}."),
                ),
            },
        }
    }
    right
}

/// The answer that a value gives to a question, None where the question is too broken to tell, or
/// what it would have to be.
fn answer(value: Value<'_>, answers: &Answers<'_>) -> Result<Option<Expected>, String> {
    let found = match answers {
        Answers::Unknown => return Ok(None),
        Answers::Noul => match value.kind() {
            Kind::True => Some(Expected::Noul(true)),
            Kind::False => Some(Expected::Noul(false)),
            _ => None,
        },
        Answers::Choice(options) => value.string().and_then(|chosen| {
            (0..)
                .zip(options)
                .find_map(|(index, option)| (*option == chosen).then_some(Expected::Choice(index)))
        }),
        Answers::Score(levels) => value
            .whole_number()
            .and_then(|digits| {
                if digits == "-0" {
                    Some(0)
                } else {
                    digits.parse::<u32>().ok()
                }
            })
            .filter(|&level| (level as usize) < *levels)
            .map(Expected::Score),
    };
    match (found, answers) {
        (Some(answer), _) => Ok(Some(answer)),
        (None, Answers::Choice(options)) => Err(format!(
            "one of the options: {}",
            listed(options.iter().map(AsRef::as_ref))
        )),
        (None, Answers::Score(levels)) => Err(format!("a level from 0 to {}", levels - 1)),
        (None, _) => Err("true or false".to_owned()),
    }
}

/// The first ten names, and how many more there are.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(SHOWN_NAMES);
    let mut list = String::new();
    for (index, name) in names.take(SHOWN_NAMES).enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(list, "{comma}'{name}'");
    }
    if more > 0 {
        let _ = write!(list, " and {more} more");
    }
    list
}
