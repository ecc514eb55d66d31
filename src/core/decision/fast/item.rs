//! One line: an item in which nothing is wrong, or nothing.

use std::ops::Range;
use std::sync::Arc;

use super::block::{Block, Text};
use super::expected::Answers;
use super::names::Texts;
use super::questions::Questions;
use super::sets::{KnownSet, Sets};
use super::value::Open;
use crate::json::DEEPEST;

/// What reading a line needs, kept from line to line.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) open: Open,
    pub(super) questions: Questions,
    pub(super) sets: Sets,
    pub(super) answers: Answers,
    /// The id where it has escapes.
    pub(super) id: Vec<u8>,
    /// The set of the questions, where it is remembered.
    pub(super) known: Option<Arc<KnownSet>>,
    /// Whether it was remembered before.
    pub(super) is_known: bool,
}

/// Where the parts of an accepted line stand in its block.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Behind the line, in front of its break.
    pub(super) end: usize,
    pub(super) id: Text,
    pub(super) state: Range<usize>,
    pub(super) questions: Range<usize>,
    pub(super) source: Option<Text>,
}

#[derive(Clone, Copy, Debug)]
enum Member {
    Id,
    State,
    Questions,
    Expected,
    Source,
    Version,
}

const MEMBERS: [(&str, Member); 6] = [
    ("id", Member::Id),
    ("state", Member::State),
    ("questions", Member::Questions),
    ("expected", Member::Expected),
    ("source", Member::Source),
    ("version", Member::Version),
];

impl Memory {
    /// Reads the line that starts at `start`.
    pub(super) fn accept(&mut self, block: Block<'_>, start: usize) -> Option<Found> {
        self.open.clear();
        self.answers.clear();
        self.known = None;
        let at = block.blanks(start);
        if block.byte(at) != b'{' {
            return None;
        }
        let mut at = block.blanks(at + 1);
        let (mut id, mut state, mut questions, mut source) = (None, None, None, None);
        let (mut has_expected, mut has_version, mut skipped) = (false, false, None);
        loop {
            let member;
            (member, at) = block.member(at, &MEMBERS)?;
            let from = at;
            at = match member {
                Member::Id if id.is_none() => {
                    let text = block.quoted(at)?;
                    id = Some(text);
                    (text.end > text.start).then_some(text.end + 1)?
                }
                Member::State if state.is_none() => {
                    let end = self.state(block, at)?;
                    state = Some(from..end);
                    end
                }
                Member::Questions if questions.is_none() => {
                    let end = self.questions(block, at)?;
                    questions = Some(from..end);
                    end
                }
                Member::Expected if !has_expected => {
                    has_expected = true;
                    if questions.is_some() {
                        self.expected(block, at)?
                    } else {
                        skipped = Some(at);
                        block.value(at, DEEPEST - 1, &mut self.open)?
                    }
                }
                Member::Source if source.is_none() => {
                    let text = block.quoted(at)?;
                    source = Some(text);
                    text.end + 1
                }
                Member::Version if !has_version => {
                    has_version = true;
                    let end = block.number(at)?;
                    (block.bytes.get(at..end)? == b"1").then_some(end)?
                }
                _ => return None,
            };
            at = block.blanks(at);
            match block.byte(at) {
                b',' => at = block.blanks(at + 1),
                b'}' => break,
                _ => return None,
            }
        }
        let end = block.blanks(at + 1);
        if end < block.bytes.len() && !matches!(block.byte(end), b'\n' | b'\r') {
            return None;
        }
        let (id, state, questions) = (id?, state?, questions?);
        if let Some(skipped) = skipped {
            self.expected(block, skipped)?;
        }
        let is_utf8 = match self.known {
            // What equals a set that was read is UTF-8.
            Some(_) => block.is_utf8(start, questions.start) && block.is_utf8(questions.end, end),
            None => block.is_utf8(start, end),
        };
        if !has_expected || !is_utf8 {
            return None;
        }
        self.is_known = self.known.is_some();
        if !self.is_known {
            let bytes = block.bytes.get(questions.clone())?;
            self.known = self.sets.remember(bytes, questions.start, &self.questions);
        }
        Some(Found {
            end,
            id,
            state,
            questions,
            source,
        })
    }

    #[inline(always)]
    fn state(&mut self, block: Block<'_>, at: usize) -> Option<usize> {
        match block.byte(at) {
            b'"' | b'{' | b'[' => block.value(at, DEEPEST - 1, &mut self.open),
            _ => None,
        }
    }

    #[inline(always)]
    fn questions(&mut self, block: Block<'_>, at: usize) -> Option<usize> {
        if let Some(known) = self.sets.find(block.bytes.get(at..)?) {
            let end = at + known.bytes.len();
            self.known = Some(Arc::clone(known));
            return Some(end);
        }
        self.questions.read(block, at, &mut self.open)
    }

    #[inline(always)]
    fn expected(&mut self, block: Block<'_>, at: usize) -> Option<usize> {
        if let Some(known) = &self.known {
            let texts = Texts {
                block: &known.bytes,
                arena: &known.questions.arena,
            };
            self.answers.read(block, at, &known.questions, texts)
        } else {
            let texts = Texts {
                block: block.bytes,
                arena: &self.questions.arena,
            };
            self.answers.read(block, at, &self.questions, texts)
        }
    }
}
