//! What a results file says of an item and of an answer.

use super::batch::raw::RawItem;
use super::batch::{Answers, Batch, Levels, Options};
use crate::decision::question::Kind;

/// Why a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(
    missing_docs,
    reason = "each variant's name is its documentation; `as_str` gives the public form"
)]
pub enum ErrorKind {
    Unauthorized,
    Validation,
    RateLimited,
    Overloaded,
    Server,
    Http,
    Network,
    Timeout,
    InvalidResponse,
    Unsupported,
    InvalidQuestions,
    Disposed,
    Cancelled,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 13] = [
        Self::Unauthorized,
        Self::Validation,
        Self::RateLimited,
        Self::Overloaded,
        Self::Server,
        Self::Http,
        Self::Network,
        Self::Timeout,
        Self::InvalidResponse,
        Self::Unsupported,
        Self::InvalidQuestions,
        Self::Disposed,
        Self::Cancelled,
    ];

    /// The name in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unauthorized => "Unauthorized",
            Self::Validation => "Validation",
            Self::RateLimited => "RateLimited",
            Self::Overloaded => "Overloaded",
            Self::Server => "Server",
            Self::Http => "Http",
            Self::Network => "Network",
            Self::Timeout => "Timeout",
            Self::InvalidResponse => "InvalidResponse",
            Self::Unsupported => "Unsupported",
            Self::InvalidQuestions => "InvalidQuestions",
            Self::Disposed => "Disposed",
            Self::Cancelled => "Cancelled",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Why there is no answer to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemError<'b> {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// The HTTP status, where there was one.
    pub status_code: Option<u16>,
    /// The failure in one line.
    pub message: &'b str,
}

/// What came of one item; its text lies in a batch.
#[derive(Clone, Copy, Debug)]
pub struct ItemResult<'b> {
    pub(super) batch: &'b Batch,
    pub(super) raw: &'b RawItem,
}

impl<'b> ItemResult<'b> {
    /// The line in the results file, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.raw.line
    }

    /// The item's id.
    #[must_use]
    pub fn id(&self) -> &'b str {
        self.batch.text(self.raw.id)
    }

    /// The answers in the order they stand; None for a request that failed.
    #[must_use]
    pub fn answers(&self) -> Option<Answers<'b>> {
        self.raw
            .error
            .is_none()
            .then(|| self.batch.answers(self.raw))
    }

    /// The answer at a place among them.
    #[must_use]
    pub fn answer(&self, place: usize) -> Option<AnswerRecord<'b>> {
        self.answers()?.nth(place).map(|(_, answer)| answer)
    }

    /// Why the request failed.
    #[must_use]
    pub fn error(&self) -> Option<ItemError<'b>> {
        self.raw.error.map(|error| ItemError {
            kind: error.kind,
            status_code: error.status_code,
            message: self.batch.text(error.message),
        })
    }

    /// Milliseconds from the start of the request to its last byte.
    #[must_use]
    pub fn latency_ms(&self) -> Option<f64> {
        Some(self.raw.latency_ms).filter(|latency| !latency.is_nan())
    }

    /// The model that answered.
    #[must_use]
    pub fn model(&self) -> Option<&'b str> {
        self.raw.model.map(|model| self.batch.text(model))
    }

    /// Tokens read.
    #[must_use]
    pub fn input_tokens(&self) -> Option<u64> {
        self.raw.input_tokens
    }

    /// Tokens written.
    #[must_use]
    pub fn output_tokens(&self) -> Option<u64> {
        self.raw.output_tokens
    }

    /// The cost that the provider reported, in dollars.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        Some(self.raw.cost).filter(|cost| !cost.is_nan())
    }

    /// Whether the answer came from a cache.
    #[must_use]
    pub fn is_cached(&self) -> bool {
        self.raw.is_cached
    }

    /// The provider's name for the request.
    #[must_use]
    pub fn request_id(&self) -> Option<&'b str> {
        self.raw.request_id.map(|id| self.batch.text(id))
    }

    /// How many requests were sent.
    #[must_use]
    pub fn tries(&self) -> u64 {
        self.raw.tries
    }

    /// Whether a provider served the request: it was answered, or what came back was no answer.
    #[must_use]
    pub fn is_served(&self) -> bool {
        self.raw
            .error
            .is_none_or(|error| error.kind == ErrorKind::InvalidResponse)
    }
}

/// An answer to one question.
#[derive(Clone, Copy, Debug)]
pub enum AnswerRecord<'b> {
    /// A yes or no.
    Noul {
        /// The probability of yes.
        probability: f64,
    },
    /// An option.
    Choice {
        /// Its key.
        option: &'b str,
        /// The provider's own confidence.
        confidence: Option<f64>,
        /// The distribution.
        probabilities: Option<Options<'b>>,
    },
    /// A level.
    Score {
        /// Its index.
        level: u64,
        /// The provider's own confidence.
        confidence: Option<f64>,
        /// The mean level.
        expected_level: Option<f64>,
        /// The distribution.
        probabilities: Option<Levels<'b>>,
    },
}

impl AnswerRecord<'_> {
    /// The kind of question that it answers.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Noul { .. } => Kind::Noul,
            Self::Choice { .. } => Kind::Choice,
            Self::Score { .. } => Kind::Score,
        }
    }
}
