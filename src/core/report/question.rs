//! What is counted of one question over all items: a kind and a key.

use std::collections::HashMap;

use super::judge::Judged;
use crate::decision::question::Kind;
use crate::stats::{Table, majority::Majority};

/// The counts of a scored question.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) kind: Kind,
    pub(super) key: Box<str>,
    pub(super) scored: u64,
    pub(super) correct: u64,
    pub(super) answered: u64,
    pub(super) oddities: [u64; 4],
    /// How often each right answer was expected among the answered ones.
    pub(super) expected: Majority,
    /// The numbers that the options of a choice have in `expected`.
    options: HashMap<Box<str>, usize>,
    /// Answers by their confidence.
    pub(super) sure: Table,
    /// Answers of a choice or score by the greatest probability of their distribution; a noul's
    /// are those of `sure`.
    top: Table,
}

impl Counted {
    pub(super) fn new(kind: Kind, key: &str) -> Self {
        Self {
            kind,
            key: key.into(),
            scored: 0,
            correct: 0,
            answered: 0,
            oddities: [0; 4],
            expected: Majority::default(),
            options: HashMap::new(),
            sure: Table::default(),
            top: Table::default(),
        }
    }

    /// Answers by the greatest probability of their distribution.
    pub(super) fn top(&self) -> &Table {
        match self.kind {
            Kind::Noul => &self.sure,
            Kind::Choice | Kind::Score => &self.top,
        }
    }

    /// The number that an option is counted under.
    pub(super) fn number_of(&mut self, option: &str) -> usize {
        if let Some(&known) = self.options.get(option) {
            return known;
        }
        let number = self.options.len();
        self.options.insert(option.into(), number);
        number
    }

    /// Counts an answer whose right answer has this number.
    pub(super) fn add(&mut self, right: usize, judged: &Judged) {
        self.answered += 1;
        self.correct += u64::from(judged.is_correct);
        self.expected.add(right, 1);
        for (count, &is_there) in self.oddities.iter_mut().zip(&judged.oddities) {
            *count += u64::from(is_there);
        }
        if let Some(confidence) = judged.confidence {
            self.sure.add(confidence, judged.is_correct);
        }
        if let Some(top) = judged.top.filter(|_| self.kind != Kind::Noul) {
            self.top.add(top, judged.is_correct);
        }
    }

    /// Adds the counts of the same question over other items.
    pub(super) fn merge(&mut self, other: &Self) {
        self.scored += other.scored;
        self.correct += other.correct;
        self.answered += other.answered;
        for (count, more) in self.oddities.iter_mut().zip(other.oddities) {
            *count += more;
        }
        if self.kind == Kind::Choice {
            for (option, &number) in &other.options {
                let own = self.number_of(option);
                let times = other.expected.counts().get(number).copied().unwrap_or(0);
                self.expected.add(own, times);
            }
        } else {
            for (number, &times) in other.expected.counts().iter().enumerate() {
                self.expected.add(number, times);
            }
        }
        self.sure.merge(&other.sure);
        self.top.merge(&other.top);
    }
}
