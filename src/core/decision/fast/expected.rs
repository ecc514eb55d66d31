//! Right answers, held against the questions they answer.

use super::block::{Behind, Block, Text};
use super::names::{Name, Texts, place};
use super::questions::{Asked, Questions};
use crate::decision::question::Expected;

/// The answers to a noul, as the low bytes of a word, and which bytes of it these are.
const YES: u64 = u64::from_le_bytes(*b"true\0\0\0\0");
const YES_BYTES: u64 = 0xffff_ffff;
const NO: u64 = u64::from_le_bytes(*b"false\0\0\0");
const NO_BYTES: u64 = 0xff_ffff_ffff;

/// The right answers of a line.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) list: Vec<(u32, Expected)>,
    /// One bit a question: whether it was answered.
    answered: Vec<u64>,
    /// The text of a string with escapes.
    arena: Vec<u8>,
}

impl Answers {
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Reads the object of right answers that `at` stands at; `texts` are those of the questions.
    pub(super) fn read(
        &mut self,
        block: Block<'_>,
        at: usize,
        questions: &Questions,
        texts: Texts<'_>,
    ) -> Option<usize> {
        if block.byte(at) != b'{' {
            return None;
        }
        let mut at = block.blanks(at + 1);
        if block.byte(at) == b'}' {
            return Some(at + 1);
        }
        self.answered.clear();
        self.answered.resize(questions.asked.len().div_ceil(64), 0);
        let mut usual = 0;
        loop {
            // Answers mostly stand in the order of their questions, and are spelled as they are.
            let next = questions.keys.list().get(usual);
            let index;
            (index, at) = match next.and_then(|next| next.spelled_at(block, at, texts)) {
                Some(end) => (usual, end),
                None => self.key(block, at, questions, texts)?,
            };
            usual = index + 1;
            let answered = self.answered.get_mut(index / 64)?;
            let bit = 1 << (index % 64);
            if *answered & bit != 0 {
                return None;
            }
            *answered |= bit;
            at = block.colon(at)?;
            let answer;
            (answer, at) =
                self.answer(block, at, *questions.asked.get(index)?, questions, texts)?;
            self.list.push((u32::try_from(index).ok()?, answer));
            match block.behind(at, b'}')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => return Some(end),
            }
        }
    }

    /// Reads an option that is not spelled as in its question; gives its place and the place behind.
    #[inline(never)]
    fn option(
        &mut self,
        block: Block<'_>,
        at: usize,
        options: &[Name],
        texts: Texts<'_>,
    ) -> Option<(usize, usize)> {
        let text = block.quoted(at)?;
        let (option, option_texts) = self.name(block, text);
        let index = place(options, option, option_texts, texts)?;
        Some((index, text.end + 1))
    }

    /// Reads the key of a question; gives the question's place and the place behind the key.
    #[inline(never)]
    fn key(
        &mut self,
        block: Block<'_>,
        at: usize,
        questions: &Questions,
        texts: Texts<'_>,
    ) -> Option<(usize, usize)> {
        let text = block.quoted(at)?;
        let (key, key_texts) = self.name(block, text);
        let members = &questions.members;
        let index = questions.keys.find(members, key, key_texts, texts)?;
        Some((index, text.end + 1))
    }

    fn name<'a>(&'a mut self, block: Block<'a>, text: Text) -> (Name, Texts<'a>) {
        self.arena.clear();
        let name = Name::new(block, text, &mut self.arena);
        let texts = Texts {
            block: block.bytes(),
            arena: &self.arena,
        };
        (name, texts)
    }

    #[inline(always)]
    fn answer(
        &mut self,
        block: Block<'_>,
        at: usize,
        asked: Asked,
        questions: &Questions,
        texts: Texts<'_>,
    ) -> Option<(Expected, usize)> {
        match asked {
            Asked::Noul => {
                // Without a branch between the two, which nobody could foretell.
                let word = block.word(at);
                let is_yes = word & YES_BYTES == YES;
                let is_no = word & NO_BYTES == NO;
                let end = at + 5 - usize::from(is_yes);
                (is_yes | is_no).then_some((Expected::Noul(is_yes), end))
            }
            Asked::Choice { first, count } => {
                let options = questions.options.list().get(first..first + count)?;
                let mut places = options.iter().enumerate();
                let found = places.find_map(|(index, option)| {
                    let end = option.spelled_at(block, at, texts)?;
                    Some((index, end))
                });
                let (index, end) = match found {
                    Some(found) => found,
                    None => self.option(block, at, options, texts)?,
                };
                Some((Expected::Choice(u32::try_from(index).ok()?), end))
            }
            Asked::Score { levels } => {
                // The most levels are ten, so that one digit is enough; another digit or a fraction
                // behind it is nothing that may follow an answer.
                let (level, end) = match block.byte(at) {
                    digit @ b'0'..=b'9' => (u32::from(digit - b'0'), at + 1),
                    b'-' if block.byte(at + 1) == b'0' => (0, at + 2),
                    _ => return None,
                };
                (level < levels).then_some((Expected::Score(level), end))
            }
        }
    }
}
