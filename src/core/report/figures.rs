//! The figures of a set of questions: all, those of a kind, or one.

use super::question::Counted;
use crate::stats::ratio::{ratio, signed_ratio};
use crate::stats::{Calibration, Table};

/// How many bins a report has.
const BINS: u64 = 10;

/// What is said of some questions together.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) scored: u64,
    pub(super) answered: u64,
    pub(super) correct: u64,
    pub(super) oddities: [u64; 4],
    /// How many answers would have been right, had each question's most common one been given.
    most_common: u64,
    pub(super) sure: Calibration,
    pub(super) top: Calibration,
}

impl Figures {
    /// Pools the answers to some questions.
    pub(super) fn of(questions: &[&Counted]) -> Self {
        let sum = |part: fn(&Counted) -> u64| questions.iter().copied().map(part).sum();
        let mut oddities = [0; 4];
        for question in questions {
            for (count, more) in oddities.iter_mut().zip(question.oddities) {
                *count += more;
            }
        }
        let sure: Vec<&Table> = questions.iter().map(|question| &question.sure).collect();
        let top: Vec<&Table> = questions.iter().map(|question| question.top()).collect();
        Self {
            scored: sum(|question| question.scored),
            answered: sum(|question| question.answered),
            correct: sum(|question| question.correct),
            oddities,
            most_common: sum(|question| question.expected.largest()),
            sure: Calibration::of(&sure.as_slice(), BINS),
            top: Calibration::of(&top.as_slice(), BINS),
        }
    }

    pub(super) fn accuracy(&self) -> Option<f64> {
        ratio(self.correct.into(), self.answered.into())
    }

    pub(super) fn accuracy_all(&self) -> Option<f64> {
        ratio(self.correct.into(), self.scored.into())
    }

    pub(super) fn base_rate(&self) -> Option<f64> {
        ratio(self.most_common.into(), self.answered.into())
    }

    /// The accuracy less the base rate.
    pub(super) fn lift(&self) -> Option<f64> {
        let lift = i128::from(self.correct) - i128::from(self.most_common);
        signed_ratio(lift, self.answered.into())
    }
}
