//! An item and an answer as they were read: numbers as numbers, text by its place.

use super::store::{Text, place};
use crate::decision::question::Kind;
use crate::run::item::ErrorKind;

/// A failure.
#[derive(Clone, Copy, Debug)]
pub(in crate::run) struct RawError {
    pub(in crate::run) kind: ErrorKind,
    pub(in crate::run) status_code: Option<u16>,
    pub(in crate::run) message: Text,
}

/// An item. A number that is not known is NaN.
#[derive(Clone, Debug)]
pub(in crate::run) struct RawItem {
    pub(in crate::run) line: u64,
    pub(in crate::run) id: Text,
    pub(in crate::run) answers: (u32, u32),
    pub(in crate::run) error: Option<RawError>,
    pub(in crate::run) latency_ms: f64,
    pub(in crate::run) model: Option<Text>,
    pub(in crate::run) input_tokens: Option<u64>,
    pub(in crate::run) output_tokens: Option<u64>,
    pub(in crate::run) cost: f64,
    pub(in crate::run) is_cached: bool,
    pub(in crate::run) request_id: Option<Text>,
    pub(in crate::run) tries: u64,
}

/// An answer. A number that is not known is NaN.
#[derive(Clone, Copy, Debug)]
pub(in crate::run) struct RawAnswer {
    pub(in crate::run) key: Text,
    pub(in crate::run) kind: Kind,
    /// The option of a choice.
    pub(in crate::run) option: Text,
    /// The level of a score.
    pub(in crate::run) level: u64,
    /// The probability of a noul, the confidence of the others.
    pub(in crate::run) number: f64,
    pub(in crate::run) expected_level: f64,
    pub(in crate::run) distribution: Option<RawDistribution>,
}

/// Stands for the names of a distribution over levels, which have none.
pub(in crate::run) const NO_NAMES: u32 = u32::MAX;

/// Where a distribution stands in the lists of names (of a choice) and values.
#[derive(Clone, Copy, Debug)]
pub(in crate::run) struct RawDistribution {
    pub(in crate::run) names: u32,
    pub(in crate::run) values: u32,
    pub(in crate::run) length: u32,
}

impl RawItem {
    /// An item of which nothing is known but its line.
    pub(in crate::run) fn of(line: u64) -> Self {
        Self {
            line,
            id: Text::default(),
            answers: (0, 0),
            error: None,
            latency_ms: f64::NAN,
            model: None,
            input_tokens: None,
            output_tokens: None,
            cost: f64::NAN,
            is_cached: false,
            request_id: None,
            tries: 1,
        }
    }
}

impl RawAnswer {
    /// An answer of which nothing is known but its kind.
    pub(in crate::run) fn of(key: Text, kind: Kind) -> Self {
        Self {
            key,
            kind,
            option: Text::default(),
            level: 0,
            number: f64::NAN,
            expected_level: f64::NAN,
            distribution: None,
        }
    }
}

impl RawDistribution {
    /// A distribution over options.
    pub(in crate::run) fn of_options(names: usize, values: usize, length: usize) -> Self {
        Self {
            names: place(names),
            ..Self::of_levels(values, length)
        }
    }

    /// A distribution over levels.
    pub(in crate::run) fn of_levels(values: usize, length: usize) -> Self {
        Self {
            names: NO_NAMES,
            values: place(values),
            length: place(length),
        }
    }
}
