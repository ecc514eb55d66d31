//! A file of cases, and access to each.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::place::{self, LineCounter, Lines, Step};
use super::{json, jsonl, yaml};
use crate::input::{Input, InputError};
use crate::json::Tree;
use crate::lines::{self, LineReader};
use crate::problem::Problem;

/// How a file of cases is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One list.
    Json,
    /// A case a line.
    Jsonl,
    /// One document that is a list.
    Yaml,
    /// One document of any kind, taken for the only case.
    YamlDocument,
}

/// A problem, and the case it is in, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// None for what is wrong with the file as a whole.
    pub case: Option<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// Where a case stands in the text that is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) offset: u64,
    /// 0 where the case could not be read.
    pub(super) length: u32,
    /// The line it starts on.
    pub(super) line: u32,
    /// Of YAML: where the lines of what is in it start.
    pub(super) first_lines: u32,
}

impl Entry {
    pub(super) fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(self.length as usize);
        text.get(start..end).unwrap_or_default()
    }
}

/// Where the text of the cases is.
#[derive(Debug)]
enum Text {
    Memory(Vec<u8>),
    /// A regular file of lines is not held: each case is read where it is asked for.
    File(Mutex<File>),
}

/// A file of cases: each is JSON text.
#[derive(Debug)]
pub struct CaseFile {
    format: Format,
    text: Text,
    entries: Vec<Entry>,
    lines: Vec<Lines>,
}

impl CaseFile {
    /// Reads a file and tells what is wrong with its text, in the order of the cases. A case that
    /// could not be read has no text.
    pub fn load(
        path: &Path,
        format: Format,
        cancel: &Arc<AtomicBool>,
    ) -> Result<(Self, Vec<Told>), InputError> {
        let mut input = Input::open(path, cancel)?;
        if format != Format::Jsonl {
            return Ok(Self::parse(input.read_to_end()?, format));
        }
        let Some(file) = input.file() else {
            return Ok(Self::parse(input.read_to_end()?, format));
        };
        let file = file.try_clone().map_err(InputError::Io)?;
        let mut reader = LineReader::new(Input::open(path, cancel)?);
        let (mut entries, mut told) = (Vec::new(), Vec::new());
        while let Some(line) = reader.next_line()? {
            jsonl::line(&line, &mut entries, &mut told);
        }
        let text = Text::File(Mutex::new(file));
        Ok((Self::of(format, text, entries), told))
    }

    /// Reads a file that is in memory; see `load`.
    #[must_use]
    pub fn parse(file: Vec<u8>, format: Format) -> (Self, Vec<Told>) {
        let mut told = Vec::new();
        let (mut text, mut entries, mut lines) = (file, Vec::new(), Vec::new());
        match format {
            Format::Json => entries = json::read(&text, &mut told),
            Format::Jsonl => {
                for line in lines::split(&text) {
                    jsonl::line(&line, &mut entries, &mut told);
                }
            }
            Format::Yaml | Format::YamlDocument => {
                let made = yaml::read(&text, format == Format::Yaml, &mut told);
                (text, entries, lines) = (made.json, made.entries, made.lines);
                text.shrink_to_fit();
                lines.shrink_to_fit();
            }
        }
        let mut read = Self::of(format, Text::Memory(text), entries);
        read.lines = lines;
        (read, told)
    }

    fn of(format: Format, text: Text, mut entries: Vec<Entry>) -> Self {
        entries.shrink_to_fit();
        Self {
            format,
            text,
            entries,
            lines: Vec::new(),
        }
    }

    /// How many cases there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no cases.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The line that a case starts on, counted from 1; None for a case that is not there.
    #[must_use]
    pub fn line(&self, case: usize) -> Option<u32> {
        self.entries.get(case).map(|entry| entry.line)
    }

    /// The text of a case; empty where it could not be read or is not there.
    pub fn json(&self, case: usize) -> io::Result<Vec<u8>> {
        let Some(entry) = self.entries.get(case) else {
            return Ok(Vec::new());
        };
        match &self.text {
            Text::Memory(text) => Ok(entry.of(text).to_vec()),
            Text::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut json = vec![0; entry.length as usize];
                file.seek(SeekFrom::Start(entry.offset))?;
                file.read_exact(&mut json)?;
                Ok(json)
            }
        }
    }

    /// The lines of the value that a path in a case leads to, as far as it can be followed.
    pub fn lines(&self, case: usize, path: &[Step]) -> io::Result<Lines> {
        let line = self.line(case).unwrap_or(0);
        let whole = Lines {
            member: line,
            value: line,
        };
        if self.format == Format::Jsonl {
            return Ok(whole);
        }
        let json = self.json(case)?;
        let Ok(tree) = Tree::read(&json, &[]) else {
            return Ok(whole);
        };
        let found = place::find(&tree, path);
        if self.format != Format::Json {
            let first = self.entries.get(case).map_or(0, |entry| entry.first_lines);
            let at = first as usize + found.index();
            return Ok(self.lines.get(at).copied().unwrap_or(whole));
        }
        let span = found.span();
        let start = found.name_span().map_or(span.start, |name| name.start);
        let mut counter = LineCounter::new(&json, line);
        Ok(Lines {
            member: counter.at(start),
            value: counter.at(span.start),
        })
    }
}
