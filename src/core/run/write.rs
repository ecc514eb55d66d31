//! A results file that is written line by line, and appears whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use super::batch::Batch;
use super::intake::Intake;
use super::render::{push_header, push_item};
use crate::lines::{Content, Line, is_blank, split};
use crate::output::NewFile;
use crate::problem::Problem;

/// Takes lines as they come, checks them as a reader would, and writes them in the one way.
#[derive(Debug)]
pub struct ResultsWriter {
    file: NewFile,
    intake: Intake,
    batch: Batch,
    page: String,
    /// The lines so far, as they will be counted in the file.
    lines: u64,
}

impl ResultsWriter {
    /// Begins a file beside its place.
    pub fn create(path: &Path, header: &[u8]) -> io::Result<Self> {
        let mut writer = Self {
            file: NewFile::create(path)?,
            intake: Intake::new(),
            batch: Batch::default(),
            page: String::new(),
            lines: 0,
        };
        writer.take(header);
        if let Some(header) = writer.intake.header() {
            push_header(&mut writer.page, header);
            writer.page.push('\n');
        }
        writer.write()?;
        Ok(writer)
    }

    /// Adds item lines: any number of whole ones.
    pub fn push(&mut self, lines: &[u8]) -> io::Result<()> {
        for line in split(lines) {
            match line.content {
                Content::Bytes(bytes) if is_blank(bytes) => {}
                Content::Bytes(bytes) => self.take(bytes),
                Content::TooLong => self.take_content(Content::TooLong),
            }
        }
        self.write()
    }

    /// Puts the file in its place; or tells everything that is wrong with it and writes nothing.
    pub fn finish(self) -> io::Result<Result<(), Vec<Problem>>> {
        match self.intake.finish() {
            Ok(_) => self.file.finish().map(Ok),
            Err(problems) => Ok(Err(problems)),
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.take_content(Content::Bytes(bytes));
    }

    fn take_content(&mut self, content: Content<'_>) {
        self.lines += 1;
        let line = Line {
            number: self.lines,
            offset: 0,
            content,
        };
        self.batch.clear();
        self.intake.push(&line, &mut self.batch);
        for item in self.batch.iter() {
            push_item(&mut self.page, &item);
            self.page.push('\n');
        }
    }

    fn write(&mut self) -> io::Result<()> {
        if !self.intake.has_problems() {
            self.file.write_all(self.page.as_bytes())?;
        }
        self.page.clear();
        Ok(())
    }
}
