//! Whether an answer is right, how sure it is, and what is odd about it.

use crate::decision::question::{Expected, Question};
use crate::run::AnswerRecord;
use crate::stats::distribution::{is_near_one, share};
use crate::stats::key::{Key, key, noul_key};

/// What is odd about an answer that stands nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// An option or a level has no probability.
    Incomplete,
    /// The probabilities are too far from adding up to 1.
    Sum,
    /// Another option or level is more probable than the answer.
    NotMostProbable,
    /// The mean level is below the first level or above the last.
    OutsideLevels,
}

impl Oddity {
    pub(super) const ALL: [Self; 4] = [
        Self::Incomplete,
        Self::Sum,
        Self::NotMostProbable,
        Self::OutsideLevels,
    ];

    /// The name in a report.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Sum => "sum",
            Self::NotMostProbable => "notMostProbable",
            Self::OutsideLevels => "outsideLevels",
        }
    }
}

/// What is known of one scored answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) is_correct: bool,
    pub(super) confidence: Option<Key>,
    /// The greatest probability of a distribution that nothing is odd about.
    pub(super) top: Option<Key>,
    /// Whether each oddity is there.
    pub(super) oddities: [bool; 4],
}

/// Judges an answer that fits its question.
pub(super) fn judge(question: &Question, expected: Expected, answer: &AnswerRecord<'_>) -> Judged {
    match *answer {
        AnswerRecord::Noul { probability } => {
            let sure = Some(noul_key(probability));
            Judged {
                is_correct: expected == Expected::Noul(probability >= 0.5),
                confidence: sure,
                top: sure,
                oddities: [false; 4],
            }
        }
        AnswerRecord::Choice {
            option,
            confidence,
            probabilities,
        } => {
            let right = match expected {
                Expected::Choice(index) => question.options.get(index as usize),
                _ => None,
            };
            let distribution = probabilities.map(|options| {
                let mut found = Distribution::default();
                for (name, probability) in options.iter() {
                    found.add(key(probability), name == option);
                }
                found.is_complete = found.entries == question.options.len();
                found
            });
            let is_correct = right.is_some_and(|right| **right == *option);
            finish(is_correct, confidence, distribution, false)
        }
        AnswerRecord::Score {
            level,
            confidence,
            expected_level,
            probabilities,
        } => {
            let distribution = probabilities.map(|levels| {
                let mut found = Distribution {
                    is_complete: levels.len() == question.levels as usize,
                    ..Distribution::default()
                };
                for (place, probability) in (0..).zip(levels.iter()) {
                    match probability {
                        Some(probability) => found.add(key(probability), place == level),
                        None => found.is_complete = false,
                    }
                }
                found
            });
            let last = f64::from(question.levels.saturating_sub(1));
            let is_outside = expected_level.is_some_and(|mean| !(0.0..=last).contains(&mean));
            let is_correct =
                matches!(expected, Expected::Score(right) if u64::from(right) == level);
            finish(is_correct, confidence, distribution, is_outside)
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Distribution {
    is_complete: bool,
    entries: usize,
    sum: u128,
    greatest: Key,
    /// The probability of the answer.
    own: Key,
}

impl Distribution {
    fn add(&mut self, key: Key, is_answer: bool) {
        self.entries += 1;
        self.sum += u128::from(key);
        self.greatest = self.greatest.max(key);
        if is_answer {
            self.own = key;
        }
    }
}

fn finish(
    is_correct: bool,
    confidence: Option<f64>,
    distribution: Option<Distribution>,
    is_outside: bool,
) -> Judged {
    let [mut incomplete, mut sum, mut not_most] = [false; 3];
    if let Some(found) = distribution {
        incomplete = !found.is_complete;
        if found.is_complete {
            sum = !is_near_one(found.sum, found.entries);
            not_most = found.greatest > found.own;
        }
    }
    let oddities = [incomplete, sum, not_most, is_outside];
    let regular = distribution.filter(|_| !oddities.contains(&true));
    Judged {
        is_correct,
        confidence: confidence.map(key),
        top: regular.map(|found| share(found.greatest, found.sum)),
        oddities,
    }
}
