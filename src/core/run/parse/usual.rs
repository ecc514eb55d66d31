//! Items as they are written: members in their order, without white space and escapes.
//!
//! Nearly all lines are, and comparing what is expected takes a fraction of the time of finding out
//! what is there. A line that is spelled otherwise is read again from its start.

use super::super::batch::raw::{RawAnswer, RawDistribution, RawItem};
use super::super::batch::store::{Text, place};
use super::parser::Parser;
use crate::decision::question::Kind;

impl Parser<'_> {
    pub(super) fn usual_item(&mut self, line: u64) -> Option<RawItem> {
        let mut item = RawItem::of(line);
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
            item.model = Some(self.string()?);
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
                let key = self.string()?;
                let answer = if self.take_all(b":{\"type\":\"choice\",\"choice\":") {
                    self.usual_choice(key)?
                } else if self.take_all(b":{\"type\":\"noul\",\"probability\":") {
                    self.usual_noul(key)?
                } else {
                    self.expect(b":{\"type\":\"score\",\"level\":")?;
                    self.usual_score(key)?
                };
                self.store.answers.push(answer);
                if !self.take(b',') {
                    break;
                }
            }
            self.expect(b"}")?;
        }
        let answers = self.store.answers.get(start..)?;
        let is_unique = self.are_unique(answers.iter().map(|answer| answer.key));
        is_unique.then(|| (place(start), place(self.store.answers.len())))
    }

    #[inline]
    fn usual_noul(&mut self, key: Text) -> Option<RawAnswer> {
        let mut answer = RawAnswer::of(key, Kind::Noul);
        answer.number = self.probability()?;
        self.expect(b"}")?;
        Some(answer)
    }

    #[inline]
    fn usual_choice(&mut self, key: Text) -> Option<RawAnswer> {
        let mut answer = RawAnswer::of(key, Kind::Choice);
        answer.option = self.string()?;
        if self.take_all(b",\"confidence\":") {
            answer.number = self.probability()?;
        }
        if self.take_all(b",\"probabilities\":{") {
            answer.distribution = Some(self.usual_options()?);
        }
        self.expect(b"}")?;
        Some(answer)
    }

    #[inline]
    fn usual_score(&mut self, key: Text) -> Option<RawAnswer> {
        let mut answer = RawAnswer::of(key, Kind::Score);
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
        self.expect(b"}")?;
        Some(answer)
    }

    fn usual_options(&mut self) -> Option<RawDistribution> {
        let (names, values) = (self.store.names.len(), self.store.values.len());
        if !self.take(b'}') {
            loop {
                let name = self.string()?;
                self.expect(b":")?;
                let value = self.probability()?;
                self.store.names.push(name);
                self.store.values.push(value);
                if !self.take(b',') {
                    break;
                }
            }
            self.expect(b"}")?;
        }
        let options = self.store.names.get(names..)?;
        self.are_unique(options.iter().copied())
            .then(|| RawDistribution::of_options(names, values, options.len()))
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
