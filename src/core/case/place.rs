//! The lines that the parts of a value stand on.

use std::fmt::Write as _;

use crate::json::{Tree, Value};

/// The lines of a value, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Where it starts together with its key; the same as `value` for what has no key.
    pub member: u32,
    /// Where it starts itself.
    pub value: u32,
}

/// One step of a path into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The member of that name, where it stands first.
    Name(String),
    /// The element of that index.
    Index(usize),
}

/// The value that a path leads to, as far as it can be followed.
pub(super) fn find<'t>(tree: &'t Tree<'_>, path: &[Step]) -> Value<'t> {
    let mut found = tree.root();
    for step in path {
        let next = match step {
            Step::Name(name) => found.member(name),
            Step::Index(index) => found.children().filter(|v| v.name().is_none()).nth(*index),
        };
        match next {
            Some(next) => found = next,
            None => break,
        }
    }
    found
}

/// The path to a value of the tree: `.expected.contains`, empty for the root.
pub(super) fn path(tree: &Tree<'_>, value: Value<'_>) -> String {
    let mut path = String::new();
    let mut at = tree.root();
    while at.index() < value.index() {
        let on_the_way = at.children().enumerate();
        let next = on_the_way
            .take_while(|(_, child)| child.index() <= value.index())
            .last();
        let Some((place, child)) = next else {
            break;
        };
        match child.name() {
            Some(name) => path.extend([".", &name]),
            None => {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{place}]");
            }
        }
        at = child;
    }
    path
}

/// Counts the lines up to ever later places.
pub(super) struct LineCounter<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> LineCounter<'a> {
    /// Starts at the start of a text, which is on `line`.
    pub(super) fn new(text: &'a [u8], line: u32) -> Self {
        Self { text, at: 0, line }
    }

    /// The line of a place that is not in front of the one asked for before.
    pub(super) fn at(&mut self, place: usize) -> u32 {
        let passed = self.text.get(self.at..place).unwrap_or_default();
        let feeds = memchr::memchr_iter(b'\n', passed).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(feeds).unwrap_or(u32::MAX));
        self.at = place.max(self.at);
        self.line
    }
}
