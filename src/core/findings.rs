//! Where findings of a line are collected, and how their places are named.

use std::fmt;
use std::ops::ControlFlow;

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
    /// How many bytes the findings take.
    bytes: usize,
    /// Nothing more is told of the line.
    is_cut: bool,
}

/// How many bytes the findings of one line may take. A name that is long and stands in many paths
/// would otherwise take the square of the line's length.
const MOST_BYTES: usize = 64 << 20;

impl<'p> Findings<'p> {
    pub(crate) fn new(line: u64, problems: &'p mut Vec<Problem>) -> Self {
        Self {
            line,
            problems,
            bytes: 0,
            is_cut: false,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.problems.len()
    }

    /// Whether there is no room for more findings, which is told once.
    pub(crate) fn is_full(&mut self) -> bool {
        let is_full = self.bytes > MOST_BYTES;
        if is_full && !self.is_cut {
            self.is_cut = true;
            let most = MOST_BYTES >> 20;
            let message =
                format!("The line has more problems than are told: these take {most} MiB.");
            self.push(Code::TooLong, String::new(), message);
        }
        is_full
    }

    /// Adds a problem without a place.
    pub(crate) fn add(&mut self, code: Code, path: String, message: String) {
        if !self.is_full() {
            self.bytes += path.len() + message.len();
            self.push(code, path, message);
        }
    }

    fn push(&mut self, code: Code, path: String, message: String) {
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
        if !self.is_full() {
            let path = place.to_string();
            let message = format!("'{path}' {text}");
            self.add(code, path, message);
        }
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
        tree.each_repeat(|path, _| {
            if self.is_full() {
                return ControlFlow::Break(());
            }
            let message = format!("'{path}' appears more than once.");
            self.add(Code::DuplicateMember, path.to_owned(), message);
            ControlFlow::Continue(())
        });
    }

    pub(crate) fn not_an_object(&mut self) {
        let message = "The line must be a JSON object.".to_owned();
        self.add(Code::NotAnObject, String::new(), message);
    }
}
