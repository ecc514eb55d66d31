//! Whether the answers to an item are answers to its questions.

use std::collections::HashSet;

use crate::decision::question::{Question, QuestionSet};
use crate::problem::{Code, Problem};
use crate::run::batch::Options;
use crate::run::{AnswerRecord, ItemResult};

/// Among so many options one is found by looking at each.
const FEW_OPTIONS: usize = 24;

/// Stands for a question without an answer.
pub(super) const NONE: u32 = u32::MAX;

/// Finds the answer to each question of an item, as its place among the answers, or adds what is
/// wrong with the answers; `line` is the item's line in the data set.
pub(super) fn match_answers(
    set: &QuestionSet,
    line: u64,
    result: &ItemResult<'_>,
    places: &mut Vec<u32>,
    problems: &mut Vec<Problem>,
) {
    places.clear();
    places.resize(set.questions.len(), NONE);
    let mut next = 0;
    for (place, (key, answer)) in (0..).zip(result.answers().into_iter().flatten()) {
        let mut misfits = Misfits {
            line,
            key,
            problems,
        };
        let Some((index, question)) = find(&set.questions, key, next) else {
            misfits.add(Code::UnknownAnswer, "", "answers no question of the item.");
            continue;
        };
        next = index + 1;
        if question.kind == answer.kind() {
            check_places(question, &answer, &mut misfits);
        } else {
            let (asked, given) = (question.kind.as_str(), answer.kind().as_str());
            let text = format!("is '{given}', but the question is a {asked}.");
            misfits.add(Code::WrongKind, ".type", &text);
        }
        if let Some(answered) = places.get_mut(index) {
            *answered = place;
        }
    }
}

/// The question of that key; it is looked for first where it usually stands.
fn find<'q>(questions: &'q [Question], key: &str, next: usize) -> Option<(usize, &'q Question)> {
    if let Some(question) = questions.get(next).filter(|question| *question.key == *key) {
        return Some((next, question));
    }
    questions
        .iter()
        .enumerate()
        .find(|(_, question)| *question.key == *key)
}

/// Where the problems of one answer go.
struct Misfits<'p> {
    line: u64,
    key: &'p str,
    problems: &'p mut Vec<Problem>,
}

impl Misfits<'_> {
    fn add(&mut self, code: Code, place: &str, text: &str) {
        let path = format!("answers.{}{place}", self.key);
        self.problems.push(Problem {
            line: self.line,
            code,
            message: format!("'{path}' {text}"),
            path,
            byte: None,
        });
    }
}

/// Tells the options or levels that the question does not have.
fn check_places(question: &Question, answer: &AnswerRecord<'_>, misfits: &mut Misfits<'_>) {
    match *answer {
        AnswerRecord::Noul { .. } => {}
        AnswerRecord::Choice {
            option,
            probabilities,
            ..
        } => {
            if !has(question, option) {
                let text = format!("is '{option}', which is no option of the question.");
                misfits.add(Code::UnknownOption, ".choice", &text);
            }
            let Some(options) = probabilities else { return };
            if are_known(question, options) {
                return;
            }
            let known: HashSet<&str> = question.options.iter().map(AsRef::as_ref).collect();
            for (name, _) in options.iter().filter(|(name, _)| !known.contains(name)) {
                let text = "is no option of the question.";
                misfits.add(Code::UnknownOption, &format!(".probabilities.{name}"), text);
            }
        }
        AnswerRecord::Score {
            level,
            probabilities,
            ..
        } => {
            let levels = question.levels;
            if level >= u64::from(levels) {
                let text = format!("is {level}, but the question has {levels} levels.");
                misfits.add(Code::UnknownOption, ".level", &text);
            }
            let given = probabilities.map_or(0, |levels| levels.len());
            for place in levels as usize..given {
                let text = format!("is one too many: the question has {levels} levels.");
                misfits.add(
                    Code::UnknownOption,
                    &format!(".probabilities[{place}]"),
                    &text,
                );
            }
        }
    }
}

fn has(question: &Question, option: &str) -> bool {
    question.options.iter().any(|known| **known == *option)
}

/// Whether a question has all of some options. It is asked of most answers, so that what usually
/// holds is looked at first: few of them, or all in the order of the question.
fn are_known(question: &Question, options: Options<'_>) -> bool {
    let known = &question.options;
    let mut in_order = options.iter().zip(known);
    if options.len() <= known.len() && in_order.all(|((name, _), option)| *name == **option) {
        return true;
    }
    known.len() <= FEW_OPTIONS && options.iter().all(|(name, _)| has(question, name))
}
