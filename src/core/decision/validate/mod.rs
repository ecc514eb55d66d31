//! Every problem of a data set of any size, without keeping it.
//!
//! A file is cut into chunks of a fixed size, which workers check in any order and a merger takes
//! in their order: what comes out does not depend on how many workers there are, nor on the size of
//! a chunk. A line belongs to the chunk in which it starts.

mod check;
mod file;
mod form;
mod merge;
mod part;
mod stream;
mod turns;
mod work;

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::decision::ids::Room;
use crate::input::{Input, InputError};
use crate::lines::LONGEST_LINE;
use crate::problem::Problem;
pub use form::Form;

/// How a data set is validated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many threads check lines.
    pub threads: NonZeroUsize,
    /// Where ids are kept.
    pub room: Room,
    /// How problems are told.
    pub form: Form,
    /// How many problems are told at most; all are counted.
    pub most_problems: u64,
    /// How many bytes make a chunk.
    pub chunk: NonZeroUsize,
    /// The longest line that is read, in bytes.
    pub longest: usize,
}

impl Plan {
    /// The usual size of a chunk.
    pub const CHUNK: NonZeroUsize = NonZeroUsize::new(4 << 20).expect("not zero");
    /// The usual limit of a line.
    pub const LONGEST: usize = LONGEST_LINE;
}

/// What others may look at and ask for while a file is validated.
#[derive(Debug, Default)]
pub struct Watch {
    /// Set to end early; also set by whatever ends the work early.
    pub cancel: Arc<AtomicBool>,
    /// Bytes checked so far.
    pub bytes: AtomicU64,
    /// Lines checked so far.
    pub lines: AtomicU64,
}

impl Watch {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Problems, in the order of their lines.
#[derive(Debug)]
pub enum Batch {
    /// As they are.
    Problems(Vec<Problem>),
    /// Rendered; each problem is whole.
    Rendered(Vec<u8>),
}

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines, blank ones included.
    pub lines: u64,
    /// Lines that hold an item without a problem.
    pub items: u64,
    /// Problems, those that were not told included.
    pub problems: u64,
    /// Bytes, decompressed.
    pub bytes: u64,
}

/// Why a validation did not come to its end.
#[derive(Debug)]
pub enum ValidateError {
    /// The input cannot be read, or the validation was cancelled.
    Input(InputError),
    /// The ids could not be kept on the disk.
    Spill(io::Error),
}

impl std::fmt::Display for ValidateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Spill(error) => write!(f, "cannot keep ids on the disk: {error}"),
        }
    }
}

impl std::error::Error for ValidateError {}

/// Validates a data set, and tells its problems as they are found.
pub fn validate(
    input: Input,
    plan: &Plan,
    watch: &Watch,
    tell: &mut dyn FnMut(Batch),
) -> Result<Summary, ValidateError> {
    let length = input.file().and_then(|file| file.metadata().ok());
    match (input.file(), length) {
        // A file of no length may be one that only seems to have none, such as those of /proc.
        (Some(file), Some(length)) if length.len() > 0 => {
            file::validate(file, length.len(), plan, watch, tell)
        }
        _ => stream::validate(input, plan, watch, tell),
    }
}
