//! What is counted of a run, item by item.

use std::collections::HashMap;
use std::sync::Arc;

use super::cost::Requests;
use super::fit::{NONE, match_answers};
use super::json::render;
use super::judge::judge;
use super::order::Pairs;
use super::question::Counted;
use crate::decision::question::{Expected, Kind, Question, QuestionSet};
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
    sets: Sets,
    /// The place of the answer to each question of the item at hand.
    answers: Vec<u32>,
}

/// Where questions are counted, by key and kind.
#[derive(Debug, Default)]
struct Places(HashMap<Box<str>, [Option<usize>; 3]>);

/// The question sets that were met, by their addresses.
#[derive(Debug, Default)]
struct Sets {
    list: Vec<Known>,
    by_address: HashMap<usize, usize>,
    /// The place of the set that was met last.
    last: usize,
}

/// A question set and where its scored questions are counted. The set is held so that its address
/// stays its own.
#[derive(Debug)]
struct Known {
    set: Arc<QuestionSet>,
    questions: Vec<Option<Place>>,
}

/// Where a question is counted.
#[derive(Clone, Debug)]
struct Place {
    counted: usize,
    /// The numbers that its options are counted under.
    options: Vec<Option<usize>>,
}

impl Sets {
    /// What is known of a set.
    fn find(&mut self, set: &Arc<QuestionSet>) -> Option<&mut Known> {
        let is_last = |known: &Known| Arc::ptr_eq(&known.set, set);
        if !self.list.get(self.last).is_some_and(is_last) {
            let address = Arc::as_ptr(set) as usize;
            self.last = if let Some(&place) = self.by_address.get(&address) {
                place
            } else {
                if self.list.len() >= REMEMBERED_SETS {
                    self.list.clear();
                    self.by_address.clear();
                }
                self.by_address.insert(address, self.list.len());
                self.list.push(Known {
                    set: Arc::clone(set),
                    questions: vec![None; set.questions.len()],
                });
                self.list.len() - 1
            };
        }
        self.list.get_mut(self.last)
    }
}

impl Place {
    /// The number of a right answer, the same for equal ones whatever their question set.
    fn number(&mut self, question: &Question, right: Expected, counted: &mut Counted) -> usize {
        match right {
            Expected::Noul(yes) => usize::from(yes),
            Expected::Score(level) => level as usize,
            Expected::Choice(index) => {
                let index = index as usize;
                if let Some(&Some(known)) = self.options.get(index) {
                    return known;
                }
                let option = question.options.get(index).map_or("", |option| option);
                let number = counted.number_of(option);
                if let Some(known) = self.options.get_mut(index) {
                    *known = Some(number);
                }
                number
            }
        }
    }
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
            sets: Sets::default(),
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
        let Some(known) = self.sets.find(&item.set) else {
            return;
        };
        for &(index, right) in &item.expected {
            let index = index as usize;
            let question = known.set.questions.get(index);
            let (Some(question), Some(place)) = (question, known.questions.get_mut(index)) else {
                continue;
            };
            let place = place.get_or_insert_with(|| Place {
                counted: self
                    .places
                    .find(question.kind, &question.key, &mut self.questions),
                options: vec![None; question.options.len()],
            });
            let Some(counted) = self.questions.get_mut(place.counted) else {
                continue;
            };
            counted.scored += 1;
            let answer = self.answers.get(index).copied().filter(|&at| at != NONE);
            if let Some(answer) = answer.and_then(|at| result.answer(at as usize)) {
                let number = place.number(question, right, counted);
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

impl Pairs for Accumulator {
    fn push(&mut self, item: &Item, result: &ItemResult<'_>, problems: &mut Vec<Problem>) {
        Self::push(self, item, result, problems);
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
