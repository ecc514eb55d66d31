//! One line: an item in which nothing is wrong, or nothing.

use std::ops::Range;
use std::sync::Arc;

use super::block::{Behind, Block, Text};
use super::expected::Answers;
use super::names::Texts;
use super::questions::Questions;
use super::sets::{KnownSet, Sets};
use super::text::Spelling;
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
    /// The set of questions that was remembered or came back last.
    last: Option<Arc<KnownSet>>,
    /// Whether it is that of the line.
    is_last: bool,
    /// Whether it came back.
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

const MEMBERS: [(Spelling, Member); 6] = [
    (Spelling::of("id"), Member::Id),
    (Spelling::of("state"), Member::State),
    (Spelling::of("questions"), Member::Questions),
    (Spelling::of("expected"), Member::Expected),
    (Spelling::of("source"), Member::Source),
    (Spelling::of("version"), Member::Version),
];

impl Memory {
    /// Reads the line that starts at `start`.
    pub(super) fn accept(&mut self, block: Block<'_>, start: usize) -> Option<Found> {
        self.open.clear();
        self.answers.clear();
        self.is_last = false;
        let at = block.blanks(start);
        if block.byte(at) != b'{' {
            return None;
        }
        let mut at = block.blanks(at + 1);
        let (mut id, mut state, mut questions, mut source) = (None, None, None, None);
        let (mut has_expected, mut has_version, mut skipped) = (false, false, None);
        // Where begins what was not seen to be UTF-8.
        let mut unseen = start;
        let end = loop {
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
                    let end = match self.known(block, at) {
                        // What equals a set that was read is UTF-8, and needs no marks.
                        Some(end) if block.is_utf8(unseen, at) => {
                            block.leave_out(end);
                            unseen = end;
                            end
                        }
                        Some(_) => return None,
                        None => self.questions.read(block, at, &mut self.open)?,
                    };
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
                    (block.bytes().get(at..end)? == b"1").then_some(end)?
                }
                _ => return None,
            };
            match block.behind(at, b'}')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => break end,
            }
        };
        let end = block.blanks(end);
        if end < block.bytes().len() && !matches!(block.byte(end), b'\n' | b'\r') {
            return None;
        }
        let (id, state, questions) = (id?, state?, questions?);
        if let Some(skipped) = skipped {
            self.expected(block, skipped)?;
        }
        if !has_expected || !block.is_utf8(unseen, end) {
            return None;
        }
        self.is_known = self.is_last;
        if !self.is_known {
            let bytes = block.bytes().get(questions.clone())?;
            if let Some(set) = self.sets.remember(bytes, questions.start, &self.questions) {
                self.last = Some(set);
                self.is_last = true;
            }
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
    fn known(&mut self, block: Block<'_>, at: usize) -> Option<usize> {
        let rest = block.bytes().get(at..)?;
        if !self.last.as_ref().is_some_and(|last| last.starts(rest)) {
            let known = self.sets.find(rest)?;
            self.last = Some(Arc::clone(known));
        }
        self.is_last = true;
        self.sets.came_back();
        self.last.as_ref().map(|last| at + last.bytes.len())
    }

    /// The set of the line, where it is remembered.
    pub(super) fn kept(&self) -> Option<&KnownSet> {
        self.last.as_deref().filter(|_| self.is_last)
    }

    #[inline(always)]
    fn expected(&mut self, block: Block<'_>, at: usize) -> Option<usize> {
        if let (true, Some(known)) = (self.is_last, &self.last) {
            let texts = Texts {
                block: &known.bytes,
                arena: &known.questions.arena,
            };
            self.answers.read(block, at, &known.questions, texts)
        } else {
            let texts = Texts {
                block: block.bytes(),
                arena: &self.questions.arena,
            };
            self.answers.read(block, at, &self.questions, texts)
        }
    }
}
