//! A results file in memory.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::Batch;
use super::item::ItemResult;
use super::part::{Keep, Part};
use super::record::RunHeader;
use super::render::{push_header, push_item};
use super::stream::{Bytes, Plan, StreamError, stream};
use crate::decision::diagnose::duplicate_id;
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
            keeps_ids: false,
        };
        let mut found = Found::default();
        let read = stream::<Infallible>(bytes, plan, cancel, |_, part| {
            found.add(part);
            Ok(())
        });
        let read = read.map_err(|StreamError::Input(error)| error)?;
        let header = match (read.outcome, found.has_equal_hashes()) {
            (Ok(header), false) => header,
            (outcome, _) => {
                let repeated = found.repeated_ids();
                match outcome {
                    Ok(header) if repeated.is_empty() => header,
                    outcome => {
                        let mut problems = outcome.err().unwrap_or_default();
                        problems.extend(repeated);
                        // A stable sort: in a line a repeated id comes last.
                        problems.sort_by_key(|problem| problem.line);
                        return Ok(Err(problems));
                    }
                }
            }
        };
        Ok(Ok(Self {
            header,
            blocks: found.blocks,
            starts: found.starts,
            length: found.length,
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

/// What was read of a file so far.
#[derive(Debug, Default)]
struct Found {
    blocks: Vec<Batch>,
    starts: Vec<usize>,
    length: usize,
    /// The ids of lines with problems.
    wrong_ids: Vec<(u64, String)>,
    hashes: Vec<u64>,
}

impl Found {
    fn add(&mut self, part: &mut Part) {
        self.hashes.append(&mut part.hashes);
        self.wrong_ids.append(&mut part.wrong_ids);
        if !part.batch.is_empty() {
            self.starts.push(self.length);
            self.length += part.batch.len();
            self.blocks.push(std::mem::take(&mut part.batch));
        }
    }

    /// Whether two ids may be the same.
    fn has_equal_hashes(&mut self) -> bool {
        self.hashes.sort_unstable();
        let mut neighbours = self.hashes.iter().zip(self.hashes.iter().skip(1));
        neighbours.any(|(one, other)| one == other)
    }

    /// Tells the ids that an earlier line has.
    fn repeated_ids(&self) -> Vec<Problem> {
        let right = self.blocks.iter().flat_map(Batch::iter);
        let wrong = self.wrong_ids.iter().map(|(line, id)| (*line, id.as_str()));
        let mut ids: Vec<(u64, &str)> = right.map(|item| (item.line(), item.id())).collect();
        ids.extend(wrong);
        ids.sort_unstable();
        let mut first_lines = HashMap::new();
        let mut problems = Vec::new();
        for (line, id) in ids {
            match first_lines.get(id) {
                Some(&first) => problems.push(duplicate_id(line, id, first)),
                None => _ = first_lines.insert(id, line),
            }
        }
        problems
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
