//! An answer in any spelling.

use super::super::batch::raw::{RawAnswer, RawDistribution};
use super::super::batch::store::Text;
use super::members::{Seen, member};
use super::parser::{Next, Parser};
use crate::decision::question::Kind;

impl Parser<'_> {
    /// The kind, once more and in its place.
    pub(super) fn type_again(&mut self) -> Option<()> {
        self.string().map(|_| ())
    }

    pub(super) fn noul(&mut self, key: Text) -> Option<RawAnswer> {
        let mut answer = RawAnswer::of(key, Kind::Noul);
        let mut seen = Seen::default();
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let member = member!(self, 0 => "type", 1 => "probability")?;
            seen.add(member)?;
            match member {
                0 => self.type_again()?,
                _ => answer.number = self.probability()?,
            }
            next = self.next(b'}')?;
        }
        seen.has(1).then_some(answer)
    }

    pub(super) fn choice(&mut self, key: Text) -> Option<RawAnswer> {
        let mut answer = RawAnswer::of(key, Kind::Choice);
        let mut seen = Seen::default();
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let member = member!(self,
                0 => "type", 1 => "choice", 2 => "confidence", 3 => "probabilities")?;
            seen.add(member)?;
            match member {
                0 => self.type_again()?,
                1 => answer.option = self.string()?,
                2 => answer.number = self.probability()?,
                _ => answer.distribution = Some(self.options()?),
            }
            next = self.next(b'}')?;
        }
        seen.has(1).then_some(answer)
    }

    pub(super) fn score(&mut self, key: Text) -> Option<RawAnswer> {
        let mut answer = RawAnswer::of(key, Kind::Score);
        let mut seen = Seen::default();
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let member = member!(self,
                0 => "type", 1 => "level", 2 => "confidence", 3 => "expectedLevel",
                4 => "probabilities")?;
            seen.add(member)?;
            match member {
                0 => self.type_again()?,
                1 => answer.level = self.whole()?,
                2 => answer.number = self.probability()?,
                3 => answer.expected_level = self.finite()?,
                _ => answer.distribution = Some(self.levels()?),
            }
            next = self.next(b'}')?;
        }
        seen.has(1).then_some(answer)
    }

    pub(super) fn options(&mut self) -> Option<RawDistribution> {
        let (names, values) = (self.store.names.len(), self.store.values.len());
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let name = self.name()?;
            let value = self.probability()?;
            self.store.names.push(name);
            self.store.values.push(value);
            next = self.next(b'}')?;
        }
        let options = self.store.names.get(names..)?;
        self.are_unique(options.iter().copied())
            .then(|| RawDistribution::of_options(names, values, options.len()))
    }

    pub(super) fn levels(&mut self) -> Option<RawDistribution> {
        let values = self.store.values.len();
        let mut next = self.open(b'[', b']')?;
        while let Next::More = next {
            self.skip_space();
            let value = if self.take_all(b"null") {
                f64::NAN
            } else {
                self.probability()?
            };
            self.store.values.push(value);
            next = self.next(b']')?;
        }
        let length = self.store.values.len() - values;
        Some(RawDistribution::of_levels(values, length))
    }
}
