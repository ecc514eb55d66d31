//! A results file that is written line by line, and appears whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use super::ledger::Ledger;
use super::part::{Keep, Part};
use super::render::{push_header, push_item};
use crate::lines::{end_of_line, is_blank};
use crate::output::NewFile;
use crate::pieces::Piece;
use crate::problem::Problem;

/// Takes lines as they come, checks them as a reader would, and writes them in the one way.
#[derive(Debug)]
pub struct ResultsWriter {
    file: NewFile,
    ledger: Ledger,
    part: Part,
    page: String,
}

impl ResultsWriter {
    /// Begins a file beside its place.
    pub fn create(path: &Path, header: &[u8]) -> io::Result<Self> {
        let mut writer = Self {
            file: NewFile::create(path)?,
            ledger: Ledger::new(1, Some(header), true),
            part: Part::default(),
            page: String::new(),
        };
        if let Some(header) = writer.ledger.header() {
            push_header(&mut writer.page, header);
            writer.page.push('\n');
        }
        writer.write()?;
        Ok(writer)
    }

    /// Adds item lines: any number of whole ones. Blank ones are not written, and not counted in
    /// what is told of the others.
    pub fn push(&mut self, lines: &[u8]) -> io::Result<()> {
        self.part.bytes.clear();
        self.part.bytes.extend_from_slice(lines);
        self.part.read(Piece::Lines, Keep::Lines);
        if self.part.lines > self.part.filled {
            self.part.bytes = without_blanks(lines);
            self.part.read(Piece::Lines, Keep::Lines);
        }
        self.ledger.add(&mut self.part);
        for item in self.part.batch.iter() {
            push_item(&mut self.page, &item);
            self.page.push('\n');
        }
        self.write()
    }

    /// Puts the file in its place; or tells everything that is wrong with it and writes nothing.
    pub fn finish(self) -> io::Result<Result<(), Vec<Problem>>> {
        match self.ledger.finish() {
            Ok(_) => self.file.finish().map(Ok),
            Err(problems) => Ok(Err(problems)),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        if !self.ledger.has_problems() {
            self.file.write_all(self.page.as_bytes())?;
        }
        self.page.clear();
        Ok(())
    }
}

/// The lines that are not blank.
fn without_blanks(lines: &[u8]) -> Vec<u8> {
    let mut filled = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some((end, next)) = end_of_line(lines, at, true).filter(|_| at < lines.len()) {
        let line = lines.get(at..end).unwrap_or_default();
        if !is_blank(line) {
            filled.extend_from_slice(lines.get(at..next).unwrap_or_default());
        }
        at = next;
    }
    filled
}
