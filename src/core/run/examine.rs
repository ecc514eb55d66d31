//! Every problem of a results file, without keeping its items.

use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::Batch;
use super::intake::Intake;
use crate::input::{Input, InputError};
use crate::lines::LineReader;
use crate::problem::Problem;

/// What was found in a results file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// Lines, blank ones included.
    pub lines: u64,
    /// Lines that hold an item without a problem.
    pub items: u64,
    /// Bytes, decompressed.
    pub bytes: u64,
    /// Every problem, in the order of the lines.
    pub problems: Vec<Problem>,
}

/// Reads an input to its end; setting `cancel` ends that with an error.
pub fn examine(input: Input, cancel: &AtomicBool) -> Result<Examined, InputError> {
    let mut lines = LineReader::new(input);
    let mut found = Examined::default();
    let mut intake = Intake::new();
    let mut batch = Batch::default();
    while let Some(line) = lines.next_line()? {
        found.lines = line.number;
        batch.clear();
        intake.push(&line, &mut batch);
        if cancel.load(Ordering::Relaxed) {
            return Err(InputError::Cancelled);
        }
    }
    found.bytes = lines.bytes_read();
    let (items, header_line) = (intake.items(), intake.header_line());
    found.problems = intake.finish().err().unwrap_or_default();
    let broken = found
        .problems
        .chunk_by(|a, b| a.line == b.line)
        .filter(|told| told.first().is_some_and(|told| told.line > header_line));
    found.items = items - broken.count() as u64;
    Ok(found)
}
