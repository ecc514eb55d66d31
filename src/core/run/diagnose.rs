//! Everything that is wrong with one item line, in order.
//!
//! This walk owns every message about a line. It is complete rather than fast.

use super::check::{COUNT, Member, Rule, check_members, check_unknown};
use crate::decision::question::Kind;
use crate::findings::{Findings, Place};
use crate::json::{self, Tree, Value};
use crate::problem::Problem;

const ITEM: [Member; 11] = [
    Member::required("id", Rule::Name),
    Member::optional("answers", Rule::Object),
    Member::optional("error", Rule::Object),
    Member::optional("latencyMs", Rule::Amount),
    Member::optional("model", Rule::Text),
    Member::optional("inputTokens", COUNT),
    Member::optional("outputTokens", COUNT),
    Member::optional("cost", Rule::Amount),
    Member::optional("cached", Rule::Boolean),
    Member::optional("requestId", Rule::Text),
    Member::optional("tries", Rule::Whole(1, u64::MAX)),
];

const ERROR: [Member; 3] = [
    Member::required("kind", Rule::ErrorKind),
    Member::optional("statusCode", Rule::Whole(100, 999)),
    Member::required("message", Rule::Text),
];

const NOUL: [Member; 2] = [
    Member::required("type", Rule::Text),
    Member::required("probability", Rule::Share),
];

const CHOICE: [Member; 4] = [
    Member::required("type", Rule::Text),
    Member::required("choice", Rule::Text),
    Member::optional("confidence", Rule::Share),
    Member::optional("probabilities", Rule::Object),
];

const SCORE: [Member; 5] = [
    Member::required("type", Rule::Text),
    Member::required("level", COUNT),
    Member::optional("confidence", Rule::Share),
    Member::optional("expectedLevel", Rule::Finite),
    Member::optional("probabilities", Rule::List),
];

/// Adds every problem of an item line to `problems`, a repeated id apart, and gives the id where
/// it takes part in uniqueness.
///
/// The line comes without its break and must not be blank.
pub fn diagnose(line: &[u8], number: u64, problems: &mut Vec<Problem>) -> Option<String> {
    let tree = match Tree::read(line, &[]) {
        Ok(tree) => tree,
        Err(fault) => {
            problems.push(fault.problem(number));
            return None;
        }
    };
    let mut findings = Findings::new(number, problems);
    let root = tree.root();
    if root.kind() != json::Kind::Object {
        findings.not_an_object();
        return None;
    }
    findings.repeats(&tree);
    check_unknown(root, "an item", &ITEM, &Place::Line, &mut findings);
    check_item(root, &mut findings);
    let id = root.member("id")?.string()?;
    Some(id.into_owned()).filter(|id| !id.is_empty())
}

fn check_item(root: Value<'_>, findings: &mut Findings<'_>) {
    let line = Place::Line;
    let (answers, error) = (root.member("answers"), root.member("error"));
    for member in &ITEM {
        let place = line.member(member.name);
        match member.name {
            "answers" if answers.is_none() && error.is_none() => {
                let text = format_args!("is required, where there is no 'error'.");
                findings.at(crate::problem::Code::MissingMember, &place, text);
            }
            "error" if answers.is_some() && error.is_some() => {
                let text = format_args!("must not stand beside 'answers'.");
                findings.at(crate::problem::Code::InvalidMember, &place, text);
            }
            _ => member.check(root, &line, findings),
        }
        match member.name {
            "answers" => check_answers(answers, &place, findings),
            "error" => {
                if let Some(error) = error.filter(|error| error.kind() == json::Kind::Object) {
                    check_members(error, "an error", &ERROR, &place, findings);
                }
            }
            _ => {}
        }
    }
}

fn check_answers(answers: Option<Value<'_>>, place: &Place<'_>, findings: &mut Findings<'_>) {
    let Some(answers) = answers.filter(|answers| answers.kind() == json::Kind::Object) else {
        return;
    };
    for (key, answer) in answers.members() {
        check_answer(answer, &place.member(&key), findings);
    }
}

fn check_answer(answer: Value<'_>, place: &Place<'_>, findings: &mut Findings<'_>) {
    if answer.kind() != json::Kind::Object {
        findings.invalid(place, "an object");
        return;
    }
    let own = place.member("type");
    let Some(kind) = answer.member("type") else {
        findings.missing(&own);
        return;
    };
    let kind = kind.string().and_then(|name| Kind::named(&name));
    let probabilities = answer.member("probabilities");
    let place_of_all = place.member("probabilities");
    match kind {
        None => findings.invalid(&own, "noul, choice or score"),
        Some(Kind::Noul) => check_members(answer, "a noul's answer", &NOUL, place, findings),
        Some(Kind::Choice) => {
            check_members(answer, "a choice's answer", &CHOICE, place, findings);
            if let Some(options) = probabilities.filter(|all| all.kind() == json::Kind::Object) {
                for (name, value) in options.members() {
                    Rule::Share.check(value, &place_of_all.member(&name), findings);
                }
            }
        }
        Some(Kind::Score) => {
            check_members(answer, "a score's answer", &SCORE, place, findings);
            if let Some(levels) = probabilities.filter(|all| all.kind() == json::Kind::Array) {
                for (level, value) in levels.children().enumerate() {
                    if value.kind() != json::Kind::Null {
                        Rule::Share.check(value, &place_of_all.element(level), findings);
                    }
                }
            }
        }
    }
}
