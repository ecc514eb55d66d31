//! The table of answers with the right ones beside them: a row for each question of each item.

use std::mem::take;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::files::{self, Failure};
use super::fit::{NONE, match_answers};
use super::judge::judge;
use super::objects;
use super::order::Pairs;
use crate::arrow::Batch;
use crate::arrow::answers::{Answers, Row};
use crate::arrow::schema::Schema;
use crate::decision::dataset::Dataset;
use crate::decision::question::Expected;
use crate::decision::stream::Item;
use crate::input::InputError;
use crate::problem::Problem;
use crate::run::{ItemResult, Results};

/// Gives the table of two files to `take`, a batch at a time; neither file is held. Where there
/// are problems, they are told behind the batches that came before them.
pub fn from_files(
    results_path: &Path,
    dataset_path: &Path,
    schema: &Schema,
    threads: usize,
    cancel: &Arc<AtomicBool>,
    take: impl FnMut(Batch),
) -> Result<(), Failure> {
    let table = Table::new(schema, take);
    let (_, joined) = files::join(results_path, dataset_path, table, threads, cancel)?;
    joined.pairs.finish();
    Ok(())
}

/// The table of results and a data set in memory; or why the results do not fit the data set.
pub fn from_objects(
    results: &Results,
    dataset: &Dataset,
    schema: &Schema,
    cancel: &AtomicBool,
) -> Result<Result<Vec<Batch>, Vec<Problem>>, InputError> {
    let mut batches = Vec::new();
    let table = Table::new(schema, |batch| batches.push(batch));
    let joined = objects::join(results, dataset, table, cancel)?;
    let finished = joined.map(|joined| joined.pairs.finish());
    Ok(finished.map(|()| batches))
}

struct Table<T> {
    answers: Answers,
    take: T,
    /// The place of the answer to each question of the item at hand.
    places: Vec<u32>,
    /// The right answer to each of them.
    right: Vec<Option<Expected>>,
}

impl<T: FnMut(Batch)> Table<T> {
    fn new(schema: &Schema, take: T) -> Self {
        Self {
            answers: Answers::new(schema),
            take,
            places: Vec::new(),
            right: Vec::new(),
        }
    }

    fn add(&mut self, result: &ItemResult<'_>, row: &Row<'_>) {
        if self.answers.is_full() {
            (self.take)(self.answers.finish());
        }
        self.answers.push(result, row);
    }

    fn finish(mut self) {
        if !self.answers.is_empty() {
            (self.take)(self.answers.finish());
        }
    }
}

impl<T: FnMut(Batch)> Pairs for Table<T> {
    fn push(&mut self, item: &Item, result: &ItemResult<'_>, problems: &mut Vec<Problem>) {
        let before = problems.len();
        match_answers(&item.set, item.line, result, &mut self.places, problems);
        if problems.len() > before {
            return;
        }
        if item.set.questions.is_empty() {
            return self.add(result, &Row::default());
        }
        let (places, mut right) = (take(&mut self.places), take(&mut self.right));
        right.clear();
        right.resize(places.len(), None);
        for &(index, expected) in &item.expected {
            if let Some(right) = right.get_mut(index as usize) {
                *right = Some(expected);
            }
        }
        let asked = item.set.questions.iter().zip(&places).zip(&right);
        for (place, ((question, &at), &right)) in (0..).zip(asked) {
            let expected = right.map(|right| (question, right));
            let answer = Some(at).filter(|&at| at != NONE);
            let answer = answer.and_then(|at| result.answer(at as usize));
            let judged = expected
                .zip(answer.as_ref())
                .map(|((question, right), answer)| judge(question, right, answer));
            let row = Row {
                place,
                question: Some((&question.key, question.kind)),
                answer,
                expected,
                is_correct: judged.map(|judged| judged.is_correct),
            };
            self.add(result, &row);
        }
        (self.places, self.right) = (places, right);
    }
}
