//! Questions: every rule of a question set, in one pass.

use super::block::{Behind, Block};
use super::names::{Members, Name, Names, Texts};
use super::text::Spelling;
use super::value::Open;
use crate::decision::question::{Kind, Question, QuestionSet};
use crate::decision::rules::{DEEPEST_CONTENT, FEWEST_LEVELS, MOST_LEVELS, MOST_OPTIONS};
use crate::json::DEEPEST;

/// What expected answers need to know of the questions of a line.
#[derive(Debug, Default)]
pub(super) struct Questions {
    pub(super) keys: Names,
    pub(super) members: Members,
    pub(super) asked: Vec<Asked>,
    pub(super) options: Names,
    pub(super) arena: Vec<u8>,
}

/// The answers that a question can have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    Noul,
    /// Where its options stand among those of all questions.
    Choice {
        first: usize,
        count: usize,
    },
    Score {
        levels: u32,
    },
}

/// A member of a question.
#[derive(Clone, Copy, Debug)]
enum Member {
    Type,
    Instructions,
    Criteria,
}

const MEMBERS: [(Spelling, Member); 3] = [
    (Spelling::of("type"), Member::Type),
    (Spelling::of("instructions"), Member::Instructions),
    (Spelling::of("criteria"), Member::Criteria),
];
const TYPES: [(Spelling, Kind); 3] = [
    (Spelling::of("noul"), Kind::Noul),
    (Spelling::of("choice"), Kind::Choice),
    (Spelling::of("score"), Kind::Score),
];
const SIDES: [(Spelling, usize); 2] = [(Spelling::of("true"), 0), (Spelling::of("false"), 1)];
/// The parts of a criterion object; only the first is required.
const PARTS: [(Spelling, usize); 3] = [
    (Spelling::of("description"), 0),
    (Spelling::of("examples"), 1),
    (Spelling::of("not_for"), 2),
];

impl Questions {
    /// A copy for when the block of the questions, which starts at `start`, is all that is kept.
    pub(super) fn kept(&self, start: usize) -> Self {
        Self {
            keys: self.keys.kept(start),
            members: self.members,
            asked: self.asked.clone(),
            options: self.options.kept(start),
            arena: self.arena.clone(),
        }
    }

    /// The questions as others take them; `block` is what they were read from.
    pub(super) fn set(&self, block: &[u8]) -> QuestionSet {
        let texts = Texts {
            block,
            arena: &self.arena,
        };
        // They were seen to be UTF-8.
        let text = |name: &Name| String::from_utf8_lossy(texts.of(*name)).into();
        let questions = self.keys.list().iter().zip(&self.asked);
        let questions = questions.map(|(key, &asked)| {
            let (kind, options, levels) = match asked {
                Asked::Noul => (Kind::Noul, None, 0),
                Asked::Choice { first, count } => {
                    let options = self.options.list().get(first..first + count);
                    (Kind::Choice, options, 0)
                }
                Asked::Score { levels } => (Kind::Score, None, levels),
            };
            Question {
                key: text(key),
                kind,
                options: options.unwrap_or_default().iter().map(text).collect(),
                levels,
            }
        });
        QuestionSet {
            questions: questions.collect(),
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.asked.clear();
        self.options.clear();
        self.arena.clear();
    }

    /// Reads the object of questions that `at` stands at.
    pub(super) fn read(&mut self, block: Block<'_>, at: usize, open: &mut Open) -> Option<usize> {
        self.clear();
        if block.byte(at) != b'{' {
            return None;
        }
        let mut at = block.blanks(at + 1);
        self.members = self.keys.open();
        loop {
            let text = block.quoted(at)?;
            let key = Name::new(block, text, &mut self.arena);
            let texts = Texts {
                block: block.bytes(),
                arena: &self.arena,
            };
            self.keys.add(&mut self.members, key, texts)?;
            if key.is_empty() {
                return None;
            }
            at = block.colon(text.end + 1)?;
            at = self.question(block, at, open)?;
            match block.behind(at, b'}')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => return Some(end),
            }
        }
    }

    #[inline(always)]
    fn question(&mut self, block: Block<'_>, at: usize, open: &mut Open) -> Option<usize> {
        if block.byte(at) != b'{' {
            return None;
        }
        let mut at = block.blanks(at + 1);
        let mut kind = None;
        let mut has_instructions = false;
        let mut criteria = None;
        let mut asked = None;
        let end = loop {
            let member;
            (member, at) = block.member(at, &MEMBERS)?;
            match member {
                Member::Type if kind.is_none() => {
                    let named;
                    (named, at) = block.string_among(at, &TYPES)?;
                    kind = Some(named);
                }
                Member::Instructions if !has_instructions => {
                    has_instructions = true;
                    at = block.content(at, DEEPEST_CONTENT, open)?;
                }
                Member::Criteria if criteria.is_none() => {
                    criteria = Some(at);
                    at = match kind {
                        Some(kind) => {
                            let (read, end) = self.criteria(block, kind, at, open)?;
                            asked = Some(read);
                            end
                        }
                        // Read again once the type is known.
                        None => block.value(at, DEEPEST, open)?,
                    };
                }
                _ => return None,
            }
            match block.behind(at, b'}')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => break end,
            }
        };
        let kind = kind.filter(|_| has_instructions)?;
        let asked = match (asked, criteria) {
            (Some(asked), _) => asked,
            (None, Some(skipped)) => self.criteria(block, kind, skipped, open)?.0,
            (None, None) if kind == Kind::Noul => Asked::Noul,
            (None, None) => return None,
        };
        self.asked.push(asked);
        Some(end)
    }

    #[inline(never)]
    fn criteria(
        &mut self,
        block: Block<'_>,
        kind: Kind,
        at: usize,
        open: &mut Open,
    ) -> Option<(Asked, usize)> {
        match (kind, block.byte(at)) {
            (Kind::Noul, b'{') => Some((Asked::Noul, sides(block, at + 1, open)?)),
            (Kind::Choice, b'{') => self.options(block, at + 1),
            (Kind::Score, b'[') => levels(block, at + 1),
            _ => None,
        }
    }

    #[inline(always)]
    fn options(&mut self, block: Block<'_>, at: usize) -> Option<(Asked, usize)> {
        let mut at = block.blanks(at);
        let mut members = self.options.open();
        let first = self.options.len();
        let end = loop {
            let text = block.quoted(at)?;
            let name = Name::new(block, text, &mut self.arena);
            let texts = Texts {
                block: block.bytes(),
                arena: &self.arena,
            };
            self.options.add(&mut members, name, texts)?;
            if name.is_empty() {
                return None;
            }
            at = block.colon(text.end + 1)?;
            at = match block.byte(at) {
                b'n' => block.literal(at)?,
                _ => described(block, at)?,
            };
            match block.behind(at, b'}')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => break end,
            }
        };
        self.options.seal(members);
        let count = self.options.len() - first;
        (count <= MOST_OPTIONS).then_some((Asked::Choice { first, count }, end))
    }
}

/// Reads the sides of a noul, behind the bracket.
fn sides(block: Block<'_>, at: usize, open: &mut Open) -> Option<usize> {
    let mut at = block.blanks(at);
    if block.byte(at) == b'}' {
        return Some(at + 1);
    }
    let mut has = [false; 2];
    loop {
        let side;
        (side, at) = block.member(at, &SIDES)?;
        if std::mem::replace(has.get_mut(side)?, true) {
            return None;
        }
        at = block.content(at, DEEPEST_CONTENT, open)?;
        match block.behind(at, b'}')? {
            Behind::Another(next) => at = next,
            Behind::End(end) => return Some(end),
        }
    }
}

/// Reads the levels of a score, behind the bracket.
#[inline(always)]
fn levels(block: Block<'_>, at: usize) -> Option<(Asked, usize)> {
    let mut at = block.blanks(at);
    let mut levels = 0;
    let end = loop {
        at = described(block, at)?;
        levels += 1;
        match block.behind(at, b']')? {
            Behind::Another(next) => at = next,
            Behind::End(end) => break end,
        }
    };
    let is_usual = (FEWEST_LEVELS..=MOST_LEVELS).contains(&levels);
    let levels = u32::try_from(levels).ok().filter(|_| is_usual)?;
    Some((Asked::Score { levels }, end))
}

/// Reads a description: text that is not blank, or a criterion object.
#[inline(always)]
fn described(block: Block<'_>, at: usize) -> Option<usize> {
    match block.byte(at) {
        b'"' => {
            let text = block.quoted(at)?;
            (!block.is_blank(text)).then_some(text.end + 1)
        }
        b'{' => criterion(block, at + 1),
        _ => None,
    }
}

/// Reads a criterion object, behind the bracket.
#[inline(never)]
fn criterion(block: Block<'_>, at: usize) -> Option<usize> {
    let mut at = block.blanks(at);
    let mut has = [false; 3];
    loop {
        let part;
        (part, at) = block.member(at, &PARTS)?;
        if std::mem::replace(has.get_mut(part)?, true) {
            return None;
        }
        at = match part {
            0 => {
                let text = block.quoted(at)?;
                (!block.is_blank(text)).then_some(text.end + 1)?
            }
            _ => entries(block, at)?,
        };
        match block.behind(at, b'}')? {
            Behind::Another(next) => at = next,
            Behind::End(end) => return has.first()?.then_some(end),
        }
    }
}

/// Reads a list of strings that are not blank.
fn entries(block: Block<'_>, at: usize) -> Option<usize> {
    if block.byte(at) != b'[' {
        return None;
    }
    let mut at = block.blanks(at + 1);
    if block.byte(at) == b']' {
        return Some(at + 1);
    }
    loop {
        let text = block.quoted(at)?;
        if block.is_blank(text) {
            return None;
        }
        match block.behind(text.end + 1, b']')? {
            Behind::Another(next) => at = next,
            Behind::End(end) => return Some(end),
        }
    }
}
