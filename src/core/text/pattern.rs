//! Patterns that a text can be searched for in time linear in its length.

use std::fmt;

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{self, AssertionKind, Ast, ErrorKind, RepetitionKind, RepetitionOp};

/// The most memory that a compiled pattern takes, in bytes.
const LARGEST: usize = 10 << 20;

/// Matches nothing.
const NOTHING: &str = "[a&&b]";

/// Why a pattern cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// It uses what no search in linear time can do, or what this engine does not know.
    Unsupported {
        /// The construct in words, such as `look-around`.
        construct: &'static str,
        /// The construct as it is written.
        text: String,
    },
    /// It is not a pattern.
    Syntax {
        /// What is wrong, in words.
        reason: String,
        /// Where, as a count of characters from 0.
        at: usize,
    },
    /// It is larger than 10 MiB once compiled.
    TooLarge,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { construct, text } => {
                write!(f, "{construct} `{text}` is not supported in a pattern")
            }
            Self::Syntax { reason, at } => write!(f, "not a pattern: {reason} (character {at})"),
            Self::TooLarge => f.write_str("the pattern takes more than 10 MiB once compiled"),
        }
    }
}

impl std::error::Error for PatternError {}

/// A compiled pattern. Classes are Unicode's; flags stand in the pattern (`(?i)`).
///
/// `$` matches at the end of the text and before one final line feed; such a match ends there.
#[derive(Clone, Debug)]
pub struct Pattern {
    whole: Regex,
    /// The same for a text whose final line feed was cut off; None where that changes nothing.
    cut: Option<Regex>,
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        let syntax = ast::parse::Parser::new()
            .parse(source)
            .map_err(|error| explain(source, &error))?;
        let ends = ast::visit(&syntax, Ends::default())?;
        let cut = ends
            .has_line_end
            .then(|| compile(&without(source, &ends.text_ends)))
            .transpose()?;
        Ok(Self {
            whole: compile(source)?,
            cut,
        })
    }

    /// The first match, leftmost; None where there is none.
    #[must_use]
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let whole = self.whole.find(text);
        let cut = self.cut.as_ref().zip(text.strip_suffix('\n'));
        let before_feed = cut.and_then(|(regex, text)| regex.find(text));
        match (whole, before_feed) {
            (Some(whole), Some(cut)) if cut.start() < whole.start() => Some(cut.as_str()),
            (None, Some(cut)) => Some(cut.as_str()),
            (whole, _) => whole.map(|found| found.as_str()),
        }
    }
}

fn compile(source: &str) -> Result<Regex, PatternError> {
    RegexBuilder::new(source)
        .size_limit(LARGEST)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => PatternError::TooLarge,
            // What the parser of the syntax tree let pass: a class name that does not exist, say.
            other => PatternError::Syntax {
                reason: last_line(&other.to_string()),
                at: 0,
            },
        })
}

fn last_line(text: &str) -> String {
    let line = text.lines().next_back().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

fn without(source: &str, spans: &[ast::Span]) -> String {
    let mut made = String::with_capacity(source.len());
    let mut from = 0;
    for span in spans {
        made.push_str(source.get(from..span.start.offset).unwrap_or_default());
        made.push_str(NOTHING);
        from = span.end.offset;
    }
    made.push_str(source.get(from..).unwrap_or_default());
    made
}

/// Finds what marks an end, and repeats of repeats, which Perl reads as "give nothing back".
#[derive(Default)]
struct Ends {
    has_line_end: bool,
    text_ends: Vec<ast::Span>,
}

impl ast::Visitor for Ends {
    type Output = Self;
    type Err = PatternError;

    fn finish(self) -> Result<Self, PatternError> {
        Ok(self)
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<(), PatternError> {
        match node {
            Ast::Assertion(assertion) if assertion.kind == AssertionKind::EndLine => {
                self.has_line_end = true;
            }
            Ast::Assertion(assertion) if assertion.kind == AssertionKind::EndText => {
                self.text_ends.push(assertion.span);
            }
            Ast::Repetition(outer)
                if is_plus(&outer.op) && matches!(*outer.ast, Ast::Repetition(_)) =>
            {
                return Err(PatternError::Unsupported {
                    construct: "a possessive quantifier",
                    text: "+".to_owned(),
                });
            }
            _ => {}
        }
        Ok(())
    }
}

fn is_plus(op: &RepetitionOp) -> bool {
    op.kind == RepetitionKind::OneOrMore
}

fn explain(source: &str, error: &ast::Error) -> PatternError {
    let span = error.span();
    let from = source.get(span.start.offset..).unwrap_or_default();
    let unsupported = match error.kind() {
        ErrorKind::UnsupportedLookAround => Some(("look-around", 0)),
        ErrorKind::UnsupportedBackreference => Some(("a back-reference", 2)),
        ErrorKind::EscapeUnrecognized | ErrorKind::ClassEscapeInvalid => {
            escape(from).map(|construct| (construct, 2))
        }
        ErrorKind::FlagUnrecognized | ErrorKind::RepetitionMissing => group(source, span),
        _ => None,
    };
    match unsupported {
        Some((construct, length)) => PatternError::Unsupported {
            construct,
            text: match length {
                0 => source
                    .get(span.start.offset..span.end.offset)
                    .unwrap_or_default()
                    .to_owned(),
                characters => from.chars().take(characters).collect(),
            },
        },
        None => PatternError::Syntax {
            reason: error.kind().to_string(),
            at: source
                .get(..span.start.offset)
                .unwrap_or_default()
                .chars()
                .count(),
        },
    }
}

/// Names an escape of other engines.
fn escape(from: &str) -> Option<&'static str> {
    Some(match from.chars().nth(1)? {
        'k' | 'g' => "a back-reference",
        'h' | 'H' => "horizontal white space",
        'K' => "a reset of the match's start",
        'Z' => "an end before a final line feed (write $)",
        'G' => "the end of the last match",
        'R' => "any line break",
        'X' => "a grapheme cluster",
        'N' => "anything but a line break",
        'Q' | 'E' => "quoting",
        'c' => "a control character",
        _ => return None,
    })
}

/// Names a group of other engines that begins with `(?`.
fn group(source: &str, span: &ast::Span) -> Option<(&'static str, usize)> {
    let before = source.get(..span.start.offset)?;
    let opening = before.rfind("(?")?;
    let mut after = source.get(opening + 2..)?.chars();
    Some(match (after.next()?, after.next()) {
        ('>', _) => ("an atomic group", 1),
        ('P', Some('=')) => ("a back-reference", 2),
        ('P', Some('>')) | ('R' | '&' | '0'..='9' | '+', _) | ('-', Some('0'..='9')) => {
            ("recursion", 1)
        }
        ('|', _) => ("a branch reset", 1),
        ('#', _) => ("a comment", 1),
        ('(', _) => ("a condition", 1),
        _ => return None,
    })
}
