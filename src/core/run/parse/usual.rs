//! Items as they are written: members in their order, without white space and escapes.
//!
//! Nearly all lines are, and comparing what is expected takes a fraction of the time of finding out
//! what is there. A line that is spelled otherwise is read again from its start.

use super::super::batch::raw::{RawAnswer, RawDistribution, RawItem};
use super::super::batch::store::{Text, place};
use super::super::known::Slot;
use super::parser::Parser;
use crate::decision::question::Kind;

/// So many names are compared with an option before it is looked for in another way.
const MOST_GUESSES: u32 = 16;

impl Parser<'_> {
    pub(super) fn usual_item(&mut self, line: u64) -> Option<RawItem> {
        let mut item = RawItem::of(line);
        self.known.begin();
        self.expect(b"{\"id\":")?;
        item.id = self.string().filter(|id| !id.is_empty())?;
        if self.take_all(b",\"answers\":{") {
            item.answers = self.usual_answers()?;
        } else {
            self.expect(b",\"error\":")?;
            item.error = Some(self.error()?);
        }
        if self.take_all(b",\"latencyMs\":") {
            item.latency_ms = self.amount()?;
        }
        if self.take_all(b",\"model\":") {
            item.model = Some(self.usual_model()?);
        }
        if self.take_all(b",\"inputTokens\":") {
            item.input_tokens = Some(self.whole()?);
        }
        if self.take_all(b",\"outputTokens\":") {
            item.output_tokens = Some(self.whole()?);
        }
        if self.take_all(b",\"cost\":") {
            item.cost = self.amount()?;
        }
        item.is_cached = self.take_all(b",\"cached\":true");
        if self.take_all(b",\"requestId\":") {
            item.request_id = Some(self.string()?);
        }
        if self.take_all(b",\"tries\":") {
            item.tries = self.whole().filter(|&tries| tries > 0)?;
        }
        self.expect(b"}")?;
        matches!(self.peek(), None | Some(b'\n' | b'\r')).then_some(item)
    }

    fn expect(&mut self, literal: &[u8]) -> Option<()> {
        self.take_all(literal).then_some(())
    }

    fn usual_answers(&mut self) -> Option<(u32, u32)> {
        let start = self.store.answers.len();
        if !self.take(b'}') {
            loop {
                let slot = self.slot()?;
                let mut answer = RawAnswer::of(self.known.key(slot), Kind::Noul);
                if self.take_all(b":{\"type\":\"choice\",\"choice\":") {
                    self.usual_choice(slot, &mut answer)?;
                } else if self.take_all(b":{\"type\":\"noul\",\"probability\":") {
                    answer.number = self.probability()?;
                } else {
                    self.expect(b":{\"type\":\"score\",\"level\":")?;
                    self.usual_score(&mut answer)?;
                }
                self.expect(b"}")?;
                self.store.answers.push(answer);
                if !self.take(b',') {
                    break;
                }
            }
            self.expect(b"}")?;
        }
        Some((place(start), place(self.store.answers.len())))
    }

    /// The slot of the key that comes next, where the item does not have it already.
    #[inline]
    fn slot(&mut self) -> Option<Slot> {
        let slot = match self.known.guess() {
            Some((slot, key)) if self.take_known(key) => slot,
            _ => {
                let key = self.string()?;
                let key = self.one(key);
                self.known.slot(key)
            }
        };
        self.known.enter(slot).then_some(slot)
    }

    fn usual_model(&mut self) -> Option<Text> {
        let before = self.known.model();
        if self.take_known(before) {
            return Some(before);
        }
        let model = self.string()?;
        let model = self.one(model);
        self.known.set_model(model);
        Some(model)
    }

    #[inline]
    fn usual_choice(&mut self, slot: Slot, answer: &mut RawAnswer) -> Option<()> {
        answer.kind = Kind::Choice;
        answer.option = self.usual_option(slot)?;
        if self.take_all(b",\"confidence\":") {
            answer.number = self.probability()?;
        }
        if self.take_all(b",\"probabilities\":{") {
            answer.distribution = Some(self.usual_options(slot)?);
        }
        Some(())
    }

    #[inline]
    fn usual_score(&mut self, answer: &mut RawAnswer) -> Option<()> {
        answer.kind = Kind::Score;
        answer.level = self.whole()?;
        if self.take_all(b",\"confidence\":") {
            answer.number = self.probability()?;
        }
        if self.take_all(b",\"expectedLevel\":") {
            answer.expected_level = self.finite()?;
        }
        if self.take_all(b",\"probabilities\":[") {
            answer.distribution = Some(self.usual_levels()?);
        }
        Some(())
    }

    /// The option that was chosen, most likely the one of the last time, or another one of those
    /// that had a probability then.
    fn usual_option(&mut self, slot: Slot) -> Option<Text> {
        let before = self.known.option(slot);
        if self.take_known(before) {
            return Some(before);
        }
        let (start, length) = self.known.names(slot);
        let names = start as usize..(start + length.min(MOST_GUESSES)) as usize;
        for place in names {
            let name = self.store.names.get(place).copied()?;
            if self.take_known(name) {
                self.known.set_option(slot, name);
                return Some(name);
            }
        }
        let option = self.string()?;
        let option = self.one(option);
        self.known.set_option(slot, option);
        Some(option)
    }

    fn usual_options(&mut self, slot: Slot) -> Option<RawDistribution> {
        let (start, values) = (self.at, self.store.values.len());
        let (names, length) = self.known.names(slot);
        if length > 0 {
            if self.same_options(names, length).is_some() {
                return Some(RawDistribution {
                    names,
                    values: place(values),
                    length,
                });
            }
            self.at = start;
            self.store.values.truncate(values);
        }
        self.other_options(slot)
    }

    /// The distribution over options whose names are known.
    fn same_options(&mut self, names: u32, length: u32) -> Option<()> {
        for name in names..names + length {
            if name > names {
                self.expect(b",")?;
            }
            let name = self.store.names.get(name as usize).copied()?;
            if !self.take_known(name) {
                return None;
            }
            self.expect(b":")?;
            let value = self.probability()?;
            self.store.values.push(value);
        }
        self.expect(b"}")
    }

    /// A distribution over options that are not those of the last time.
    fn other_options(&mut self, slot: Slot) -> Option<RawDistribution> {
        let (start, values) = (self.store.names.len(), self.store.values.len());
        if !self.take(b'}') {
            loop {
                let name = self.string()?;
                let name = self.one(name);
                self.store.names.push(name);
                self.expect(b":")?;
                let value = self.probability()?;
                self.store.values.push(value);
                if !self.take(b',') {
                    break;
                }
            }
            self.expect(b"}")?;
        }
        let options = self.store.names.get(start..)?;
        if !self.are_unique(options.iter().copied()) {
            return None;
        }
        let (names, length) = self.known.list(start, self.store);
        self.known.set_names(slot, (names, length));
        Some(RawDistribution {
            names,
            values: place(values),
            length,
        })
    }

    fn usual_levels(&mut self) -> Option<RawDistribution> {
        let values = self.store.values.len();
        if !self.take(b']') {
            loop {
                let value = if self.take_all(b"null") {
                    f64::NAN
                } else {
                    self.probability()?
                };
                self.store.values.push(value);
                if !self.take(b',') {
                    break;
                }
            }
            self.expect(b"]")?;
        }
        let length = self.store.values.len() - values;
        Some(RawDistribution::of_levels(values, length))
    }
}
