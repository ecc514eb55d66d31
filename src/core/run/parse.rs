//! The items of right lines, without allocation: everything else is refused without a word.
//!
//! What is refused here is looked at again by [`diagnose`](super::diagnose), which says what is
//! wrong. The two agree: a line is refused here exactly when something is wrong with it.

use std::collections::HashSet;

use super::batch::{RawAnswer, RawDistribution, RawError, RawItem, Store, Text, place};
use super::record::{ErrorKind, LARGEST_AMOUNT};
use crate::decision::question::Kind;
use crate::json::unescape;
use crate::stats::key::is_probability;

/// Up to this many names, comparing each with each beats a table.
const FEW_NAMES: usize = 12;

/// Reads the line that starts at a byte of `source`, and gives the place of its break or the end;
/// None where it is no item.
pub(super) fn item(source: &str, start: usize, number: u64, store: &mut Store) -> Option<usize> {
    let mark = store.mark();
    let mut parser = Parser {
        source,
        at: start,
        store,
    };
    if let Some(item) = parser.item(number) {
        let end = parser.at;
        store.items.push(item);
        Some(end)
    } else {
        store.back_to(mark);
        None
    }
}

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

/// Where a list or an object goes on.
enum Next {
    More,
    End,
}

struct Parser<'s> {
    source: &'s str,
    at: usize,
    store: &'s mut Store,
}

impl Parser<'_> {
    fn rest(&self) -> &[u8] {
        self.source.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    #[inline]
    fn take_all(&mut self, literal: &[u8]) -> bool {
        let is_next = self.rest().starts_with(literal);
        if is_next {
            self.at += literal.len();
        }
        is_next
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Opens an object or array; whether there is something in it.
    fn open(&mut self, bracket: u8, closing: u8) -> Option<Next> {
        self.skip_space();
        if !self.take(bracket) {
            return None;
        }
        self.skip_space();
        Some(if self.take(closing) {
            Next::End
        } else {
            Next::More
        })
    }

    /// Goes on behind a value of an object or array.
    fn next(&mut self, closing: u8) -> Option<Next> {
        self.skip_space();
        if self.take(b',') {
            self.skip_space();
            return Some(Next::More);
        }
        self.take(closing).then_some(Next::End)
    }

    /// A string.
    fn string(&mut self) -> Option<Text> {
        self.skip_space();
        if !self.take(b'"') {
            return None;
        }
        let start = self.at;
        let mut has_escapes = false;
        loop {
            self.at += plain_length(self.rest());
            match self.peek()? {
                b'"' => break,
                b'\\' => {
                    has_escapes = true;
                    self.escape()?;
                }
                _ => return None,
            }
        }
        let end = self.at;
        self.at += 1;
        if !has_escapes {
            return Some(Text::plain(start, end - start));
        }
        let text = unescape(self.source.get(start..end)?);
        Some(self.store.keep(&text))
    }

    fn escape(&mut self) -> Option<()> {
        self.at += 1;
        let letter = self.peek()?;
        self.at += 1;
        match letter {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => match self.code_unit()? {
                0xdc00..=0xdfff => None,
                0xd800..=0xdbff => {
                    let is_pair = self.take_all(b"\\u");
                    let low = is_pair.then(|| self.code_unit())??;
                    (0xdc00..=0xdfff).contains(&low).then_some(())
                }
                _ => Some(()),
            },
            _ => None,
        }
    }

    fn code_unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + char::from(self.peek()?).to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }

    /// The name of a member, and its colon.
    fn name(&mut self) -> Option<Text> {
        let name = self.string()?;
        self.skip_space();
        self.take(b':').then_some(name)
    }

    fn boolean(&mut self) -> Option<bool> {
        self.skip_space();
        if self.take_all(b"true") {
            return Some(true);
        }
        self.take_all(b"false").then_some(false)
    }

    /// The digits that come next, at least one.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// A number as it is written.
    fn literal(&mut self) -> Option<&str> {
        self.skip_space();
        let start = self.at;
        self.take(b'-');
        if self.take(b'0') {
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return None;
            }
        } else {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        self.source.get(start..self.at)
    }

    fn finite(&mut self) -> Option<f64> {
        let number: f64 = self.literal()?.parse().ok()?;
        number.is_finite().then_some(number)
    }

    fn probability(&mut self) -> Option<f64> {
        self.finite().filter(|&number| is_probability(number))
    }

    fn amount(&mut self) -> Option<f64> {
        let range = 0.0..=LARGEST_AMOUNT;
        self.finite().filter(|number| range.contains(number))
    }

    /// A whole number; −0 is 0.
    fn whole(&mut self) -> Option<u64> {
        match self.literal()? {
            "-0" => Some(0),
            literal => literal.parse().ok(),
        }
    }

    fn item(&mut self, line: u64) -> Option<RawItem> {
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

    fn error(&mut self) -> Option<RawError> {
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

    fn answers(&mut self) -> Option<(u32, u32)> {
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

    fn answer(&mut self, key: Text) -> Option<RawAnswer> {
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
    fn kind(&mut self) -> Option<Kind> {
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
    fn skip_value(&mut self) -> Option<()> {
        self.skip_space();
        match self.peek()? {
            b'"' => _ = self.string()?,
            b'{' => {
                let mut next = self.open(b'{', b'}')?;
                while let Next::More = next {
                    self.name()?;
                    self.literal()?;
                    next = self.next(b'}')?;
                }
            }
            b'[' => {
                let mut next = self.open(b'[', b']')?;
                while let Next::More = next {
                    if !self.take_all(b"null") {
                        self.literal()?;
                    }
                    next = self.next(b']')?;
                }
            }
            _ => _ = self.literal()?,
        }
        Some(())
    }

    /// The kind, once more and in its place.
    fn type_again(&mut self) -> Option<()> {
        self.string().map(|_| ())
    }

    fn noul(&mut self, key: Text) -> Option<RawAnswer> {
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

    fn choice(&mut self, key: Text) -> Option<RawAnswer> {
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

    fn score(&mut self, key: Text) -> Option<RawAnswer> {
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

    fn options(&mut self) -> Option<RawDistribution> {
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

    fn levels(&mut self) -> Option<RawDistribution> {
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

    fn are_unique(&self, names: impl ExactSizeIterator<Item = Text> + Clone) -> bool {
        let text = |name| self.store.text(self.source, name);
        if names.len() <= FEW_NAMES {
            let mut after = names.clone();
            return names.into_iter().all(|name| {
                after.next();
                after.clone().all(|other| text(other) != text(name))
            });
        }
        let mut seen = HashSet::with_capacity(names.len());
        names.into_iter().all(|name| seen.insert(text(name)))
    }
}

/// How many bytes there are before the first that ends or interrupts a string.
fn plain_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ')
        .unwrap_or(bytes.len())
}
