//! What is wrong with a file, told as values.

use std::fmt;

/// A stable name for a kind of problem; the names are listed in the docs page "Data sets".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "each variant's name is its documentation; `as_str` gives the public form"
)]
pub enum Code {
    Min001,
    Min002,
    Min003,
    Min005,
    Min106,
    Min108,
    InvalidUtf8,
    InvalidUnicode,
    InvalidJson,
    TooDeep,
    TooLong,
    NotAnObject,
    DuplicateMember,
    UnknownMember,
    MissingMember,
    InvalidMember,
    UnknownQuestion,
    InvalidExpected,
    DuplicateId,
    UnsupportedVersion,
    InvalidVersion,
    InvalidHeader,
    CountMismatch,
    UnknownItem,
    MissingItem,
    WrongOrder,
    UnknownAnswer,
    WrongKind,
    UnknownOption,
    InvalidNumber,
    InvalidYaml,
    NotAList,
    TooLarge,
}

impl Code {
    /// The public form of the code, as it stands in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Min001 => "MIN001",
            Self::Min002 => "MIN002",
            Self::Min003 => "MIN003",
            Self::Min005 => "MIN005",
            Self::Min106 => "MIN106",
            Self::Min108 => "MIN108",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::InvalidUnicode => "invalid-unicode",
            Self::InvalidJson => "invalid-json",
            Self::TooDeep => "too-deep",
            Self::TooLong => "too-long",
            Self::NotAnObject => "not-an-object",
            Self::DuplicateMember => "duplicate-member",
            Self::UnknownMember => "unknown-member",
            Self::MissingMember => "missing-member",
            Self::InvalidMember => "invalid-member",
            Self::UnknownQuestion => "unknown-question",
            Self::InvalidExpected => "invalid-expected",
            Self::DuplicateId => "duplicate-id",
            Self::UnsupportedVersion => "unsupported-version",
            Self::InvalidVersion => "invalid-version",
            Self::InvalidHeader => "invalid-header",
            Self::CountMismatch => "count-mismatch",
            Self::UnknownItem => "unknown-item",
            Self::MissingItem => "missing-item",
            Self::WrongOrder => "wrong-order",
            Self::UnknownAnswer => "unknown-answer",
            Self::WrongKind => "wrong-kind",
            Self::UnknownOption => "unknown-option",
            Self::InvalidNumber => "invalid-number",
            Self::InvalidYaml => "invalid-yaml",
            Self::NotAList => "not-a-list",
            Self::TooLarge => "too-large",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1; 0 for a results header's fit to a data set.
    pub line: u64,
    /// What kind of problem it is.
    pub code: Code,
    /// Where in the line, as member names joined with dots; empty where there is no such place.
    pub path: String,
    /// The byte in the line, counted from 0, for problems below the level of members.
    pub byte: Option<u64>,
    /// The problem in words, raw: it may hold any text of the file.
    pub message: String,
}

/// The longest name that a printed message shows, in characters.
const LONGEST_NAME: usize = 200;

/// Makes a message safe to print: control characters, line and paragraph separators and
/// bidirectional controls appear as `\uXXXX`, and a quoted name is cut at 200 characters.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut name_length = 0;
    for c in text.chars() {
        if c == '\'' {
            name_length = 0;
        } else {
            name_length += 1;
            if name_length == LONGEST_NAME + 1 {
                shown.push('…');
            }
            if name_length > LONGEST_NAME {
                continue;
            }
        }
        push_printable(&mut shown, c);
    }
    shown
}

fn push_printable(shown: &mut String, c: char) {
    let hidden = c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if hidden {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = write!(shown, "\\u{:04x}", u32::from(c));
    } else {
        shown.push(c);
    }
}
