//! Items in any spelling: members in any order, white space, escapes.

use super::super::batch::raw::{RawAnswer, RawError, RawItem};
use super::super::batch::store::{Text, place};
use super::super::item::ErrorKind;
use super::members::{Seen, member};
use super::parser::{Next, Parser};
use crate::decision::question::Kind;

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
}
