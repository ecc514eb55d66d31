//! Items in any spelling: members in any order, white space, escapes.

use super::super::batch::raw::{RawAnswer, RawDistribution, RawError, RawItem};
use super::super::batch::store::{Text, place};
use super::super::record::ErrorKind;
use super::parser::{Next, Parser};
use crate::decision::question::Kind;

/// Members of an object, each at most once.
#[derive(Default)]
struct Seen(u32);

impl Seen {
    fn add(&mut self, member: u32) -> Option<()> {
        let bit = 1 << member;
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new.then_some(())
    }

    fn has(&self, member: u32) -> bool {
        self.0 & (1 << member) != 0
    }
}

/// The number of the member whose name and colon come next, where it is one of those named.
///
/// The usual spelling, without white space and escapes, is compared at once.
macro_rules! member {
    ($parser:expr, $($number:literal => $name:literal),+) => {{
        let parser = &mut *$parser;
        $(if parser.take_all(concat!('"', $name, "\":").as_bytes()) {
            Some($number)
        } else)+ {
            let name = parser.name()?;
            match parser.store.text(parser.source, name) {
                $($name => Some($number),)+
                _ => None,
            }
        }
    }};
}

impl Parser<'_> {
    pub(super) fn item(&mut self, line: u64) -> Option<RawItem> {
        let mut item = RawItem::of(line);
        let mut seen = Seen::default();
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let member = member!(self,
                0 => "id", 1 => "answers", 2 => "error", 3 => "latencyMs", 4 => "model",
                5 => "inputTokens", 6 => "outputTokens", 7 => "cost", 8 => "cached",
                9 => "requestId", 10 => "tries")?;
            seen.add(member)?;
            match member {
                0 => item.id = self.string().filter(|id| !id.is_empty())?,
                1 => item.answers = self.answers()?,
                2 => item.error = Some(self.error()?),
                3 => item.latency_ms = self.amount()?,
                4 => item.model = Some(self.string()?),
                5 => item.input_tokens = Some(self.whole()?),
                6 => item.output_tokens = Some(self.whole()?),
                7 => item.cost = self.amount()?,
                8 => item.is_cached = self.boolean()?,
                9 => item.request_id = Some(self.string()?),
                _ => item.tries = self.whole().filter(|&tries| tries > 0)?,
            }
            next = self.next(b'}')?;
        }
        self.skip_space();
        let is_one = seen.has(1) != seen.has(2);
        let is_over = matches!(self.peek(), None | Some(b'\n' | b'\r'));
        (is_over && seen.has(0) && is_one).then_some(item)
    }

    pub(super) fn error(&mut self) -> Option<RawError> {
        let mut kind = None;
        let mut status_code = None;
        let mut message = None;
        let mut seen = Seen::default();
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let member = member!(self, 0 => "kind", 1 => "statusCode", 2 => "message")?;
            seen.add(member)?;
            match member {
                0 => {
                    let name = self.string()?;
                    kind = Some(ErrorKind::named(self.store.text(self.source, name))?);
                }
                1 => {
                    let code = self.whole().and_then(|code| u16::try_from(code).ok());
                    status_code = Some(code.filter(|code| (100..=999).contains(code))?);
                }
                _ => message = Some(self.string()?),
            }
            next = self.next(b'}')?;
        }
        Some(RawError {
            kind: kind?,
            status_code,
            message: message?,
        })
    }

    pub(super) fn answers(&mut self) -> Option<(u32, u32)> {
        let start = self.store.answers.len();
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let key = self.name()?;
            let answer = self.answer(key)?;
            self.store.answers.push(answer);
            next = self.next(b'}')?;
        }
        let answers = self.store.answers.get(start..)?;
        let is_unique = self.are_unique(answers.iter().map(|answer| answer.key));
        is_unique.then(|| (place(start), place(self.store.answers.len())))
    }

    pub(super) fn answer(&mut self, key: Text) -> Option<RawAnswer> {
        let start = self.at;
        let kind = self.kind()?;
        self.at = start;
        match kind {
            Kind::Noul => self.noul(key),
            Kind::Choice => self.choice(key),
            Kind::Score => self.score(key),
        }
    }

    /// The kind of the answer that starts here, wherever in it that is said.
    pub(super) fn kind(&mut self) -> Option<Kind> {
        self.skip_space();
        for (usual, kind) in [
            (b"{\"type\":\"noul\"".as_slice(), Kind::Noul),
            (b"{\"type\":\"choice\"", Kind::Choice),
            (b"{\"type\":\"score\"", Kind::Score),
        ] {
            if self.rest().starts_with(usual) {
                return Some(kind);
            }
        }
        let mut next = self.open(b'{', b'}')?;
        while let Next::More = next {
            let name = self.name()?;
            if self.store.text(self.source, name) == "type" {
                let kind = self.string()?;
                return Kind::named(self.store.text(self.source, kind));
            }
            self.skip_value()?;
            next = self.next(b'}')?;
        }
        None
    }

    /// Goes over a value that an answer may have; what it says is looked at later.
    pub(super) fn skip_value(&mut self) -> Option<()> {
        self.skip_space();
        match self.peek()? {
            b'"' => _ = self.string()?,
            b'{' => {
                let mut next = self.open(b'{', b'}')?;
                while let Next::More = next {
                    self.name()?;
                    self.finite()?;
                    next = self.next(b'}')?;
                }
            }
            b'[' => {
                let mut next = self.open(b'[', b']')?;
                while let Next::More = next {
                    if !self.take_all(b"null") {
                        self.finite()?;
                    }
                    next = self.next(b']')?;
                }
            }
            _ => _ = self.finite()?,
        }
        Some(())
    }

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
