//! A results file in memory.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::{Batch, Text};
use super::intake::Intake;
use super::record::{ItemResult, RunHeader};
use super::render::{push_header, push_item};
use crate::input::{Input, InputError};
use crate::json::Fault;
use crate::lines::{Line, LineReader, split};
use crate::output::NewFile;
use crate::problem::{Code, Problem};

/// How many items a block holds at most.
const BLOCK_ITEMS: usize = 1 << 16;

/// How much text a block holds before the next one is begun.
const BLOCK_TEXT: usize = 16 << 20;

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
}

impl Results {
    /// Reads a file that is already in memory. Where it `is_text`, bytes that are not UTF-8 are
    /// surrogates of a string, and told as such.
    ///
    /// Setting `cancel` ends the reading with an error, here as in [`Results::read`].
    pub fn parse(file: &[u8], is_text: bool, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        let mut loader = Loader::default();
        for line in split(file) {
            loader.push(&line);
            if cancel.load(Ordering::Relaxed) {
                return Err(InputError::Cancelled);
            }
        }
        Ok(loader.finish().map_err(|told| {
            if is_text {
                told.into_iter().map(of_text).collect()
            } else {
                told
            }
        }))
    }

    /// Reads an input to its end.
    pub fn read(input: Input, cancel: &AtomicBool) -> Result<Loaded, InputError> {
        let mut lines = LineReader::new(input);
        let mut loader = Loader::default();
        while let Some(line) = lines.next_line()? {
            loader.push(&line);
            if cancel.load(Ordering::Relaxed) {
                return Err(InputError::Cancelled);
            }
        }
        Ok(loader.finish())
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Batch::len).sum()
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

/// Lines on their way into memory.
#[derive(Debug, Default)]
struct Loader {
    intake: Intake,
    /// The line that was read last.
    line: Batch,
    blocks: Vec<Batch>,
    known: Known,
}

impl Loader {
    fn push(&mut self, line: &Line<'_>) {
        self.line.clear();
        self.intake.push(line, &mut self.line);
        if self.intake.has_problems() {
            // A file with a problem becomes no results: only its ids are needed from here on.
            self.blocks.clear();
            return;
        }
        let Some(item) = self.line.last() else { return };
        let is_full = self
            .blocks
            .last()
            .is_none_or(|block| block.len() >= BLOCK_ITEMS || block.text_length() >= BLOCK_TEXT);
        if is_full {
            if let Some(block) = self.blocks.last_mut() {
                block.shrink_to_fit();
            }
            self.blocks.push(Batch::default());
            self.known = Known::default();
        }
        if let Some(block) = self.blocks.last_mut() {
            block.adopt(&item, &mut self.known);
        }
    }

    fn finish(mut self) -> Loaded {
        let header = self.intake.finish()?;
        if let Some(block) = self.blocks.last_mut() {
            block.shrink_to_fit();
        }
        let mut start = 0;
        let starts = self
            .blocks
            .iter()
            .map(|block| {
                let own = start;
                start += block.len();
                own
            })
            .collect();
        Ok(Results {
            header,
            blocks: self.blocks,
            starts,
        })
    }
}

/// Text of a block that comes again and again: kept once.
#[derive(Debug, Default)]
pub(super) struct Known {
    texts: HashMap<Box<str>, Text>,
    /// Where the names of a distribution stand, by those names.
    lists: HashMap<Box<[Text]>, u32>,
}

impl Known {
    /// The place of a text, where it is known; else that of `keep`.
    pub(super) fn text(&mut self, text: &str, keep: impl FnOnce(&str) -> Text) -> Text {
        if let Some(&known) = self.texts.get(text) {
            return known;
        }
        let kept = keep(text);
        self.texts.insert(text.into(), kept);
        kept
    }

    /// The place of a list of names, where it is known; else that of `keep`.
    pub(super) fn list(&mut self, names: &[Text], keep: impl FnOnce(&[Text]) -> u32) -> u32 {
        if let Some(&known) = self.lists.get(names) {
            return known;
        }
        let kept = keep(names);
        self.lists.insert(names.into(), kept);
        kept
    }
}
