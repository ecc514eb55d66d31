//! The table of answers of a results file that is not held.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use super::Batch;
use super::answers::{Answers, rows};
use super::schema::Schema;
use crate::input::{Input, InputError};
use crate::problem::Problem;
use crate::run::part::Keep;
use crate::run::stream::{Plan, StreamError, stream};

/// Gives the table to `take`, a batch at a time. Where the file has problems, they are told behind
/// the batches that came before them.
pub fn answers(
    input: Input,
    schema: &Schema,
    threads: usize,
    cancel: &AtomicBool,
    mut take: impl FnMut(Batch),
) -> Result<Result<(), Vec<Problem>>, InputError> {
    let mut answers = Answers::new(schema);
    let plan = Plan {
        threads,
        keep: Keep::Lines,
        keeps_ids: true,
    };
    let read = stream::<Infallible>(input.into(), plan, cancel, |ledger, part| {
        if ledger.has_problems() {
            return Ok(());
        }
        for item in part.batch.iter() {
            for row in rows(&item, 0) {
                if answers.is_full() {
                    take(answers.finish());
                }
                answers.push(&item, &row);
            }
        }
        Ok(())
    });
    let read = read.map_err(|StreamError::Input(error)| error)?;
    if read.outcome.is_ok() && !answers.is_empty() {
        take(answers.finish());
    }
    Ok(read.outcome.map(|_| ()))
}
