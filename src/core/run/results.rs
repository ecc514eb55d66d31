//! A results file in memory.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::Batch;
use super::part::Keep;
use super::record::{ItemResult, RunHeader};
use super::render::{push_header, push_item};
use super::stream::{Bytes, Plan, StreamError, stream};
use crate::input::{Input, InputError};
use crate::json::Fault;
use crate::output::NewFile;
use crate::problem::{Code, Problem};

/// How much is rendered before it is written.
const PAGE: usize = 1 << 20;

/// Results, or everything that is wrong with their file.
pub type Loaded = Result<Results, Vec<Problem>>;

/// The results of a run in which nothing is wrong.
#[derive(Clone, Debug)]
pub struct Results {
    header: RunHeader,
    blocks: Vec<Batch>,
    /// How many items stand in front of each block.
    starts: Vec<usize>,
    length: usize,
}

impl Results {
    /// Reads a file that is already in memory. Where it `is_text`, bytes that are not UTF-8 are
    /// surrogates of a string, and told as such.
    ///
    /// Setting `cancel` ends the reading with an error, here as in [`Results::read`].
    pub fn parse(file: &[u8], is_text: bool, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        let loaded = Self::load(Bytes::Slice(file), 1, cancel)?;
        Ok(loaded.map_err(|told| {
            if is_text {
                told.into_iter().map(of_text).collect()
            } else {
                told
            }
        }))
    }

    /// Reads an input to its end, on as many threads as one likes.
    pub fn read(input: Input, threads: usize, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        Self::load(input.into(), threads, cancel)
    }

    fn load(bytes: Bytes<'_>, threads: usize, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        let plan = Plan {
            threads,
            keep: Keep::Items,
            keeps_ids: true,
        };
        let mut blocks: Vec<Batch> = Vec::new();
        let mut starts = Vec::new();
        let mut length = 0;
        let read = stream::<Infallible>(bytes, plan, cancel, |_, part| {
            if !part.batch.is_empty() {
                starts.push(length);
                length += part.batch.len();
                blocks.push(std::mem::take(&mut part.batch));
            }
            Ok(())
        });
        let read = read.map_err(|StreamError::Input(error)| error)?;
        Ok(read.outcome.map(|header| Self {
            header,
            blocks,
            starts,
            length,
        }))
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ItemResult<'_>> {
        let block = self.starts.partition_point(|&start| start <= index);
        let block = block.checked_sub(1)?;
        let start = self.starts.get(block)?;
        self.blocks.get(block)?.get(index - start)
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = ItemResult<'_>> {
        self.blocks.iter().flat_map(Batch::iter)
    }

    /// The items in blocks, in order.
    #[must_use]
    pub fn blocks(&self) -> &[Batch] {
        &self.blocks
    }

    /// Writes the file whole or not at all.
    pub fn save(&self, path: &Path, cancel: &AtomicBool) -> io::Result<()> {
        let mut file = NewFile::create(path)?;
        let mut page = String::with_capacity(PAGE + PAGE / 4);
        push_header(&mut page, &self.header);
        page.push('\n');
        for item in self.iter() {
            push_item(&mut page, &item);
            page.push('\n');
            if page.len() >= PAGE {
                file.write_all(page.as_bytes())?;
                page.clear();
                if cancel.load(Ordering::Relaxed) {
                    return Err(io::ErrorKind::Interrupted.into());
                }
            }
        }
        file.write_all(page.as_bytes())?;
        file.finish()
    }
}

/// A problem as it is told of text: what is no UTF-8 in it is half a surrogate pair.
fn of_text(problem: Problem) -> Problem {
    match problem.byte.map(usize::try_from) {
        Some(Ok(byte)) if problem.code == Code::InvalidUtf8 => {
            Fault::UnpairedSurrogate { byte }.problem(problem.line)
        }
        _ => problem,
    }
}
