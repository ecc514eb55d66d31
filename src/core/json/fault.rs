//! What stops a line from being read at all.

use std::fmt;

use super::read::DEEPEST;
use crate::lines::LONGEST_LINE;
use crate::problem::{Code, Problem};

/// What the grammar asks for at a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each variant's name is its documentation; `as_str` gives the public form"
)]
pub enum Expectation {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    CommaOrBrace,
    CommaOrBracket,
    EndOfLine,
    Digit,
    NoLeadingZero,
    HexDigit,
    Escape,
    LowSurrogate,
    EscapedControl,
    EndOfString,
    Literal(&'static str),
}

impl Expectation {
    fn as_str(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::ValueOrEnd => "a value or ']'",
            Self::Name => "a member name in double quotes",
            Self::NameOrEnd => "a member name in double quotes or '}'",
            Self::Colon => "':'",
            Self::CommaOrBrace => "',' or '}'",
            Self::CommaOrBracket => "',' or ']'",
            Self::EndOfLine => "the end of the line",
            Self::Digit => "a digit",
            Self::NoLeadingZero => "no digit after a leading zero",
            Self::HexDigit => "a hexadecimal digit",
            Self::Escape => "one of \" \\ / b f n r t u after a backslash",
            Self::LowSurrogate => "the other half of a surrogate pair",
            Self::EscapedControl => "an escape instead of a control character",
            Self::EndOfString => "the closing double quote",
            Self::Literal(literal) => literal,
        }
    }
}

/// The first thing in a line that stops it from being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The bytes are not UTF-8; the first bad sequence starts at `byte`.
    InvalidUtf8 {
        /// Counted from 0.
        byte: usize,
    },
    /// Half of a surrogate pair; its backslash (its first byte, in text) is at `byte`.
    UnpairedSurrogate {
        /// Counted from 0.
        byte: usize,
    },
    /// The grammar cannot go on at `byte`.
    InvalidJson {
        /// Counted from 0; the length of the line where it ends too early.
        byte: usize,
        /// What would have been right there.
        expected: Expectation,
        /// Whether the line ends there.
        at_end: bool,
    },
    /// The bracket at `byte` opens level 513.
    TooDeep {
        /// Counted from 0.
        byte: usize,
    },
    /// The line is longer than a line may be.
    TooLong,
}

impl Fault {
    /// The stable name of the problem.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::InvalidUtf8 { .. } => Code::InvalidUtf8,
            Self::UnpairedSurrogate { .. } => Code::InvalidUnicode,
            Self::InvalidJson { .. } => Code::InvalidJson,
            Self::TooDeep { .. } => Code::TooDeep,
            Self::TooLong => Code::TooLong,
        }
    }

    /// The byte in the line, counted from 0.
    #[must_use]
    pub fn byte(&self) -> Option<u64> {
        match *self {
            Self::InvalidUtf8 { byte }
            | Self::UnpairedSurrogate { byte }
            | Self::InvalidJson { byte, .. }
            | Self::TooDeep { byte } => Some(byte as u64),
            Self::TooLong => None,
        }
    }

    /// The fault as it is counted from a later byte.
    pub(crate) fn counted_from(self, start: usize) -> Self {
        let from = |byte: usize| byte.saturating_sub(start);
        match self {
            Self::InvalidUtf8 { byte } => Self::InvalidUtf8 { byte: from(byte) },
            Self::UnpairedSurrogate { byte } => Self::UnpairedSurrogate { byte: from(byte) },
            Self::InvalidJson {
                byte,
                expected,
                at_end,
            } => Self::InvalidJson {
                byte: from(byte),
                expected,
                at_end,
            },
            Self::TooDeep { byte } => Self::TooDeep { byte: from(byte) },
            Self::TooLong => Self::TooLong,
        }
    }

    /// The fault as a problem of a line.
    #[must_use]
    pub fn problem(&self, line: u64) -> Problem {
        Problem {
            line,
            code: self.code(),
            path: String::new(),
            byte: self.byte(),
            message: self.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidUtf8 { .. } => f.write_str("The line is not valid UTF-8."),
            Self::UnpairedSurrogate { byte } => write!(
                f,
                "The line is not valid Unicode: unpaired surrogate at byte {byte}."
            ),
            Self::InvalidJson {
                byte,
                expected,
                at_end,
            } => {
                let end = if *at_end { "the line ends, " } else { "" };
                write!(
                    f,
                    "The line is not valid JSON at byte {byte}: {end}expected {}.",
                    expected.as_str()
                )
            }
            Self::TooDeep { byte } => {
                write!(
                    f,
                    "The line nests deeper than {DEEPEST} levels at byte {byte}."
                )
            }
            Self::TooLong => write!(f, "The line is longer than {} MiB.", LONGEST_LINE >> 20),
        }
    }
}

impl std::error::Error for Fault {}
