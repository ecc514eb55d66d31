//! Where findings of a line are collected, and how their places are named.

use std::collections::HashSet;
use std::fmt;

use crate::json::Tree;
use crate::problem::{Code, Problem};

/// A place in a line. Shown as raw names joined with dots, and array places in brackets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'p> {
    Line,
    Member(&'p Place<'p>, &'p str),
    Element(&'p Place<'p>, usize),
}

impl<'p> Place<'p> {
    pub(crate) fn member(&'p self, name: &'p str) -> Place<'p> {
        Place::Member(self, name)
    }

    pub(crate) fn element(&'p self, index: usize) -> Place<'p> {
        Place::Element(self, index)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line => Ok(()),
            Self::Member(Self::Line, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Element(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// The findings of one line, added to the problems of its file.
#[derive(Debug)]
pub(crate) struct Findings<'p> {
    line: u64,
    problems: &'p mut Vec<Problem>,
}

impl<'p> Findings<'p> {
    pub(crate) fn new(line: u64, problems: &'p mut Vec<Problem>) -> Self {
        Self { line, problems }
    }

    pub(crate) fn count(&self) -> usize {
        self.problems.len()
    }

    /// Adds a problem without a place.
    pub(crate) fn add(&mut self, code: Code, path: String, message: String) {
        self.problems.push(Problem {
            line: self.line,
            code,
            path,
            byte: None,
            message,
        });
    }

    /// Adds a problem whose message starts with its place.
    pub(crate) fn at(&mut self, code: Code, place: &Place<'_>, text: fmt::Arguments<'_>) {
        let path = place.to_string();
        let message = format!("'{path}' {text}");
        self.add(code, path, message);
    }

    pub(crate) fn missing(&mut self, place: &Place<'_>) {
        self.at(Code::MissingMember, place, format_args!("is required."));
    }

    pub(crate) fn unknown(&mut self, place: &Place<'_>, known: &str) {
        self.at(
            Code::UnknownMember,
            place,
            format_args!("is not a member of the format: {known}."),
        );
    }

    pub(crate) fn invalid(&mut self, place: &Place<'_>, wanted: &str) {
        self.at(
            Code::InvalidMember,
            place,
            format_args!("must be {wanted}."),
        );
    }

    /// Tells the members that are repeated, each path once.
    pub(crate) fn repeats(&mut self, tree: &Tree<'_>) {
        let mut told = HashSet::new();
        for (path, _) in tree.repeats() {
            if !told.contains(&path) {
                let message = format!("'{path}' appears more than once.");
                self.add(Code::DuplicateMember, path.clone(), message);
                told.insert(path);
            }
        }
    }

    pub(crate) fn not_an_object(&mut self) {
        let message = "The line must be a JSON object.".to_owned();
        self.add(Code::NotAnObject, String::new(), message);
    }
}
