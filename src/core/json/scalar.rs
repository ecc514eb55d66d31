//! The grammar of what holds nothing: literals, numbers and strings.

use super::fault::{Expectation, Fault};
use super::read::Reader;
use super::tree::Kind;

impl Reader<'_, '_> {
    pub(super) fn literal(&mut self, literal: &'static str, kind: Kind) -> Result<Kind, Fault> {
        for byte in literal.bytes() {
            if !self.take(byte) {
                return Err(self.fault(Expectation::Literal(literal)));
            }
        }
        Ok(kind)
    }

    pub(super) fn number(&mut self) -> Result<(), Fault> {
        self.take(b'-');
        if self.take(b'0') {
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.fault(Expectation::NoLeadingZero));
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
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.fault(Expectation::Digit));
        }
        Ok(())
    }

    pub(super) fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            let rest = self.bytes().get(self.at..).unwrap_or_default();
            let plain = rest
                .iter()
                .position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ');
            self.at += plain.unwrap_or(rest.len());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.fault(Expectation::EscapedControl)),
                None => return Err(self.fault(Expectation::EndOfString)),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                return Ok(());
            }
            Some(b'u') => self.at += 1,
            _ => return Err(self.fault(Expectation::Escape)),
        }
        let unpaired = Fault::UnpairedSurrogate { byte: start };
        match self.code_unit()? {
            0xdc00..=0xdfff => Err(unpaired),
            0xd800..=0xdbff => {
                let rest = self.bytes().get(self.at..).unwrap_or_default();
                if !rest.starts_with(b"\\u") {
                    if rest.len() < 2 && b"\\u".starts_with(rest) {
                        // The line ends before it is known what follows.
                        self.at = self.text.len();
                        return Err(self.fault(Expectation::LowSurrogate));
                    }
                    return Err(unpaired);
                }
                self.at += 2;
                match self.code_unit()? {
                    0xdc00..=0xdfff => Ok(()),
                    _ => Err(unpaired),
                }
            }
            _ => Ok(()),
        }
    }

    fn code_unit(&mut self) -> Result<u32, Fault> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let digit = digit.ok_or_else(|| self.fault(Expectation::HexDigit))?;
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}
