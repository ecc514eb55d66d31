//! Every problem of a results file, without keeping its items.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use super::part::Keep;
use super::stream::{Plan, StreamError, stream};
use crate::input::{Input, InputError};
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
    let plan = Plan {
        threads: 1,
        keep: Keep::Lines,
        keeps_ids: true,
    };
    let read = stream::<Infallible>(input.into(), plan, cancel, |_, _| Ok(()));
    let read = read.map_err(|StreamError::Input(error)| error)?;
    Ok(Examined {
        lines: read.lines,
        items: read.items,
        bytes: read.bytes,
        problems: read.outcome.err().unwrap_or_default(),
    })
}
