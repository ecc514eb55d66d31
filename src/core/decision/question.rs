//! What a line asks and what it expects, once both are known to be right.

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A yes or no, answered by one probability of yes.
    Noul,
    /// One of a set of named options.
    Choice,
    /// One of an ordered list of levels.
    Score,
}

impl Kind {
    /// The name in files: `noul`, `choice` or `score`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Noul => "noul",
            Self::Choice => "choice",
            Self::Score => "score",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Noul, Self::Choice, Self::Score]
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// One question, as far as its answers need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The key, unescaped.
    pub key: Box<str>,
    /// The kind.
    pub kind: Kind,
    /// The option keys of a choice in file order, unescaped; empty for the other kinds.
    pub options: Box<[Box<str>]>,
    /// The number of levels of a score; 0 for the other kinds.
    pub levels: u32,
}

/// The questions of an item in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionSet {
    /// The questions in file order.
    pub questions: Box<[Question]>,
}

/// A question set and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedSet {
    /// The set.
    pub set: QuestionSet,
    /// The set rendered once as compact JSON: a criterion of text alone is a plain string.
    pub json: Box<str>,
}

/// The right answer to one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// Yes or no.
    Noul(bool),
    /// The index of an option in [`Question::options`].
    Choice(u32),
    /// The index of a level.
    Score(u32),
}
