//! Right answers, held against the questions they answer.

use super::block::Block;
use super::names::{Name, Texts, place};
use super::questions::{Asked, Questions};
use crate::decision::question::Expected;

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
            let text = block.quoted(at)?;
            self.arena.clear();
            let key = Name::new(block, text, &mut self.arena);
            let key_texts = Texts {
                block: block.bytes,
                arena: &self.arena,
            };
            // Answers mostly stand in the order of their questions.
            let index = match questions.keys.list().get(usual) {
                Some(&next) if next.equals(texts, key, key_texts) => usual,
                _ => questions
                    .keys
                    .find(&questions.members, key, key_texts, texts)?,
            };
            usual = index + 1;
            let answered = self.answered.get_mut(index / 64)?;
            let bit = 1 << (index % 64);
            if *answered & bit != 0 {
                return None;
            }
            *answered |= bit;
            at = block.colon(text.end + 1)?;
            let answer;
            (answer, at) =
                self.answer(block, at, *questions.asked.get(index)?, questions, texts)?;
            self.list.push((u32::try_from(index).ok()?, answer));
            at = block.blanks(at);
            match block.byte(at) {
                b',' => at = block.blanks(at + 1),
                b'}' => return Some(at + 1),
                _ => return None,
            }
        }
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
                let end = block.literal(at)?;
                let is_yes = block.byte(at) == b't';
                (is_yes || block.byte(at) == b'f').then_some((Expected::Noul(is_yes), end))
            }
            Asked::Choice { first, count } => {
                let text = block.quoted(at)?;
                self.arena.clear();
                let option = Name::new(block, text, &mut self.arena);
                let option_texts = Texts {
                    block: block.bytes,
                    arena: &self.arena,
                };
                let options = questions.options.list().get(first..first + count)?;
                let index = place(options, option, option_texts, texts)?;
                Some((Expected::Choice(u32::try_from(index).ok()?), text.end + 1))
            }
            Asked::Score { levels } => {
                let end = block.number(at)?;
                let level = match block.bytes.get(at..end)? {
                    &[digit] => u32::from(digit - b'0'),
                    // The most levels are ten, so that two digits are too many.
                    b"-0" => 0,
                    _ => return None,
                };
                (level < levels).then_some((Expected::Score(level), end))
            }
        }
    }
}
