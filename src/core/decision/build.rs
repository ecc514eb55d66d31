//! Question sets that are built in code: the same rules, with failures and warnings apart.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::asked::{self, Repeats};
use super::question::RenderedSet;
use super::render;
use super::rules::is_warning;
use crate::findings::Findings;
use crate::json::{Fault, Kind, Tree, Value};
use crate::problem::{Code, Problem};

/// What the rules say of a question set. Its problems have line 0.
#[derive(Debug)]
pub struct Built {
    /// What stands in the way of the set.
    pub failures: Vec<Problem>,
    /// What a data set would take for a problem, and a set alone may have.
    pub warnings: Vec<Problem>,
    /// The set, where nothing stands in its way.
    pub set: Option<RenderedSet>,
}

/// Checks an object of questions. A key of a question or an option that is used again breaks a rule
/// and may therefore stand in `json` more than once.
///
/// `json` is a Python string: bytes that are not UTF-8 are surrogates, and are told as such.
#[must_use]
pub fn build(json: &[u8]) -> Built {
    let mut problems = Vec::new();
    let set = check(json, &mut problems);
    let (warnings, failures): (Vec<_>, Vec<_>) = problems
        .into_iter()
        .partition(|problem| is_warning(problem.code));
    Built {
        set: set.filter(|_| failures.is_empty()),
        failures,
        warnings,
    }
}

fn check(json: &[u8], problems: &mut Vec<Problem>) -> Option<RenderedSet> {
    let tree = match Tree::read(json, &[]) {
        Ok(tree) => tree,
        Err(fault) => {
            let fault = match fault {
                Fault::InvalidUtf8 { byte } => Fault::UnpairedSurrogate { byte },
                fault => fault,
            };
            problems.push(fault.problem(0));
            return None;
        }
    };
    let mut findings = Findings::new(0, problems);
    let root = tree.root();
    if root.kind() != Kind::Object {
        let message = "'questions' must be an object of questions.".to_owned();
        findings.add(Code::InvalidMember, "questions".to_owned(), message);
        return None;
    }
    let are_rules = repeated_keys(root);
    tree.each_repeat(|path, value| {
        if !are_rules.contains(&value.span().start) {
            let path = format!("questions.{path}");
            let message = format!("'{path}' appears more than once.");
            findings.add(Code::DuplicateMember, path, message);
        }
        ControlFlow::Continue(())
    });
    let asked = asked::check(root, Repeats::Rules, &mut findings);
    let is_right = asked
        .iter()
        .all(|asked| !matches!(asked.answers, asked::Answers::Unknown));
    is_right.then(|| render::question_set(&asked))
}

/// Where the values stand whose repeated keys break a rule: those of questions and of options.
fn repeated_keys(questions: Value<'_>) -> HashSet<usize> {
    let options = questions
        .children()
        .filter_map(|question| question.member("criteria"))
        .flat_map(Value::children);
    questions
        .children()
        .chain(options)
        .filter(|value| value.is_repeat())
        .map(|value| value.span().start)
        .collect()
}
