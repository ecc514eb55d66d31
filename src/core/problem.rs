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

/// The longest name that a printed message shows, in characters. A word that long is cut, too.
const LONGEST_NAME: usize = 200;

/// The longest message that is printed, in characters: room for ten names and what is said of them.
const LONGEST_MESSAGE: usize = 4_000;

/// Makes a message safe to print: control characters, line and paragraph separators and
/// bidirectional controls appear as `\uXXXX`, and a quoted name is cut at 200 characters.
///
/// A name stands between a quote that starts a word and one that ends a word, so that the
/// apostrophe of a plain word is none. Where a name holds such quotes itself, it may be cut in
/// several places; the message as a whole is cut at 4,000 characters.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(LONGEST_MESSAGE));
    let mut is_name = false;
    let mut length = 0;
    let mut before = None;
    let mut characters = text.chars().peekable();
    let mut count = 0;
    while let Some(c) = characters.next() {
        let is_quote = c == '\''
            && if is_name {
                characters.peek().copied().is_none_or(ends_name)
            } else {
                before.is_none_or(|before: char| before.is_whitespace() || before == '(')
            };
        before = Some(c);
        if is_quote {
            is_name = !is_name;
        }
        if is_quote || (!is_name && c.is_whitespace()) {
            length = 0;
        } else {
            length += 1;
        }
        if length > LONGEST_NAME {
            if length == LONGEST_NAME + 1 {
                shown.push('…');
            }
            continue;
        }
        count += 1;
        if count > LONGEST_MESSAGE {
            shown.push('…');
            break;
        }
        push_printable(&mut shown, c);
    }
    shown
}

/// Whether a quote in front of this character ends a name.
fn ends_name(next: char) -> bool {
    next.is_whitespace() || matches!(next, '.' | ',' | ':' | ';' | ')' | '?')
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
