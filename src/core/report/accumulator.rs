//! What is counted of a run, item by item.

use std::collections::HashMap;
use std::sync::Arc;

use super::cost::Requests;
use super::fit::{NONE, match_answers};
use super::json::render;
use super::judge::judge;
use super::question::Counted;
use crate::decision::question::{Kind, QuestionSet};
use crate::decision::stream::Item;
use crate::price::PriceTable;
use crate::problem::Problem;
use crate::run::{ItemResult, RunHeader};

/// How many question sets are remembered with the places of their questions.
const REMEMBERED_SETS: usize = 1024;

/// Counts items and their results. Accumulators over parts of a run can be merged in any order.
#[derive(Debug)]
pub struct Accumulator {
    prices: Arc<PriceTable>,
    pub(super) items: u64,
    pub(super) asked: u64,
    pub(super) requests: Requests,
    pub(super) questions: Vec<Counted>,
    places: Places,
    sets: HashMap<usize, Known>,
    /// The place of the answer to each question of the item at hand.
    answers: Vec<u32>,
}

/// Where questions are counted, by key and kind.
#[derive(Debug, Default)]
struct Places(HashMap<Box<str>, [Option<usize>; 3]>);

/// A question set and where its scored questions are counted. The set is held so that its address
/// stays its own.
#[derive(Debug)]
struct Known {
    set: Arc<QuestionSet>,
    places: Vec<Option<usize>>,
}

impl Accumulator {
    /// Counts nothing yet.
    #[must_use]
    pub fn new(prices: Arc<PriceTable>) -> Self {
        Self {
            prices,
            items: 0,
            asked: 0,
            requests: Requests::default(),
            questions: Vec::new(),
            places: Places::default(),
            sets: HashMap::new(),
            answers: Vec::new(),
        }
    }

    /// The prices that costs are worked out with.
    #[must_use]
    pub fn prices(&self) -> &PriceTable {
        &self.prices
    }

    /// Counts an item and its result, or adds what is wrong with the answers to `problems`.
    pub fn push(&mut self, item: &Item, result: &ItemResult<'_>, problems: &mut Vec<Problem>) {
        let before = problems.len();
        match_answers(&item.set, item.line, result, &mut self.answers, problems);
        if problems.len() > before {
            return;
        }
        self.items += 1;
        self.asked += item.set.questions.len() as u64;
        self.requests.add(result, &self.prices);
        self.score(item, result);
    }

    fn score(&mut self, item: &Item, result: &ItemResult<'_>) {
        let address = Arc::as_ptr(&item.set) as usize;
        if self.sets.len() >= REMEMBERED_SETS && !self.sets.contains_key(&address) {
            self.sets.clear();
        }
        let known = self.sets.entry(address).or_insert_with(|| Known {
            set: Arc::clone(&item.set),
            places: vec![None; item.set.questions.len()],
        });
        for &(index, right) in &item.expected {
            let index = index as usize;
            let Some(question) = known.set.questions.get(index) else {
                continue;
            };
            let place = known.places.get_mut(index).map(|place| {
                let find = || {
                    self.places
                        .find(question.kind, &question.key, &mut self.questions)
                };
                *place.get_or_insert_with(find)
            });
            let Some(counted) = place.and_then(|place| self.questions.get_mut(place)) else {
                continue;
            };
            counted.scored += 1;
            let answer = self.answers.get(index).copied().filter(|&at| at != NONE);
            if let Some(answer) = answer.and_then(|at| result.answer(at as usize)) {
                let number = counted.number_of(&known.set, index, right);
                counted.add(number, &judge(question, right, &answer));
            }
        }
    }

    /// Writes `report.json`: of the run with this header, over a data set of `items` items.
    #[must_use]
    pub fn finish(self, header: &RunHeader, items: u64) -> String {
        render(self, header, items)
    }

    /// Adds the counts of other items of the same run.
    pub fn merge(&mut self, other: Self) {
        self.items += other.items;
        self.asked += other.asked;
        self.requests.merge(other.requests);
        for counted in &other.questions {
            let find = self
                .places
                .find(counted.kind, &counted.key, &mut self.questions);
            if let Some(own) = self.questions.get_mut(find) {
                own.merge(counted);
            }
        }
    }
}

impl Places {
    /// The place of a question; a new one for a question that was not seen before.
    fn find(&mut self, kind: Kind, key: &str, questions: &mut Vec<Counted>) -> usize {
        let slot = match kind {
            Kind::Noul => 0,
            Kind::Choice => 1,
            Kind::Score => 2,
        };
        let known = self.0.get(key).and_then(|kinds| kinds.get(slot)).copied();
        if let Some(place) = known.flatten() {
            return place;
        }
        let place = questions.len();
        questions.push(Counted::new(kind, key));
        let kinds = self.0.entry(key.into()).or_default();
        if let Some(own) = kinds.get_mut(slot) {
            *own = Some(place);
        }
        place
    }
}
