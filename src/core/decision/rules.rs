//! The rules of question sets: their ids, limits and wordings.

use std::fmt;

use crate::findings::Findings;
use crate::problem::Code;

/// A choice with more options than this is warned of.
pub const MOST_OPTIONS: usize = 255;
/// A score with fewer levels than this is warned of.
pub const FEWEST_LEVELS: usize = 2;
/// A score with more levels than this is warned of.
pub const MOST_LEVELS: usize = 10;
/// Instructions and the sides of a noul may nest this deep.
pub const DEEPEST_CONTENT: usize = 60;

/// A rule that a question breaks. Names of options are unescaped; a level is named by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each variant is described by its wording in `Broken`"
)]
pub enum Rule<'n> {
    NoOptions,
    NoLevels,
    EmptyKey,
    RepeatedKey,
    EmptyOption,
    RepeatedOption(&'n str),
    BlankInstructions,
    BlankTrue,
    BlankFalse,
    BlankDescription(&'n str),
    BlankEntry(&'n str),
    OptionCount,
    LevelCount,
    DeepInstructions,
    DeepTrue,
    DeepFalse,
}

impl Rule<'_> {
    /// The id of the rule.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            Self::NoOptions => Code::Min001,
            Self::NoLevels => Code::Min002,
            Self::BlankInstructions
            | Self::BlankTrue
            | Self::BlankFalse
            | Self::BlankDescription(_)
            | Self::BlankEntry(_) => Code::Min003,
            Self::OptionCount | Self::LevelCount => Code::Min005,
            Self::EmptyKey | Self::RepeatedKey | Self::EmptyOption | Self::RepeatedOption(_) => {
                Code::Min106
            }
            Self::DeepInstructions | Self::DeepTrue | Self::DeepFalse => Code::Min108,
        }
    }
}

/// Whether a problem with this code only warns of a question set that is built in code. In a data
/// set every problem counts.
#[must_use]
pub fn is_warning(code: Code) -> bool {
    matches!(code, Code::Min003 | Code::Min005)
}

/// A rule that a question breaks, in words.
#[derive(Clone, Copy, Debug)]
pub struct Broken<'n> {
    /// The rule.
    pub rule: Rule<'n>,
    /// The key of the question.
    pub key: &'n str,
}

impl fmt::Display for Broken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const BLANK: &str = "empty or whitespace, or an empty JSON object or array";
        let key = self.key;
        match self.rule {
            Rule::NoOptions => f.write_str("A Choice question needs at least one option."),
            Rule::NoLevels => f.write_str("A Score question needs at least one level."),
            Rule::EmptyKey => f.write_str("The question key is empty."),
            Rule::RepeatedKey => write!(f, "The question key '{key}' is used more than once."),
            Rule::EmptyOption => write!(f, "An option key of '{key}' is empty."),
            Rule::RepeatedOption(option) => {
                write!(
                    f,
                    "The option key '{option}' is used more than once in '{key}'."
                )
            }
            Rule::BlankInstructions => write!(f, "The instructions are {BLANK}."),
            Rule::BlankTrue => write!(f, "What a yes answer means is {BLANK}."),
            Rule::BlankFalse => write!(f, "What a no answer means is {BLANK}."),
            Rule::BlankDescription(option) => {
                write!(f, "The description of '{option}' in '{key}' is {BLANK}.")
            }
            Rule::BlankEntry(option) => write!(
                f,
                "An example or not-for entry of '{option}' in '{key}' is null, empty or whitespace."
            ),
            Rule::OptionCount => write!(
                f,
                "A Choice question has more than {MOST_OPTIONS} options, beyond the API's guidance."
            ),
            Rule::LevelCount => write!(
                f,
                "A Score question has fewer than {FEWEST_LEVELS} or more than {MOST_LEVELS} \
                 levels, outside the API's guidance."
            ),
            Rule::DeepInstructions => deep(f, "The instructions", key),
            Rule::DeepTrue => deep(f, "What a yes answer means", key),
            Rule::DeepFalse => deep(f, "What a no answer means", key),
        }
    }
}

fn deep(f: &mut fmt::Formatter<'_>, what: &str, key: &str) -> fmt::Result {
    write!(
        f,
        "{what} of '{key}' nests deeper than {DEEPEST_CONTENT} levels."
    )
}

impl Findings<'_> {
    /// Adds a finding of the rules about a question.
    pub(super) fn broken(&mut self, rule: Rule<'_>, key: &str) {
        if !self.is_full() {
            let code = rule.code();
            let path = format!("questions.{key}");
            let message = format!("{code} '{path}': {}", Broken { rule, key });
            self.add(code, path, message);
        }
    }
}
