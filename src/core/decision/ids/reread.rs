//! Lines of a file, read again by their numbers.

use std::fs::File;
use std::io;

use crate::decision::diagnose;
use crate::decision::fast::{Scratch, accept};
use crate::input::read_at;
use crate::lines::{end_of_line, is_blank};

/// How many bytes are read at once.
const WINDOW: usize = 64 << 10;
/// How many lines further on the next one may be without a jump.
const NEAR: u64 = 64;

/// Reads lines again. Lines that follow one another are read in one go.
#[derive(Debug)]
pub struct Reread {
    file: File,
    /// Lines and where they start, some of them, in order.
    places: Vec<(u64, u64)>,
    scratch: Scratch,
    window: Vec<u8>,
    /// Where the window starts in the file.
    offset: u64,
    /// The line that starts at `at` in the window; 0 where nothing was read.
    line: u64,
    at: usize,
    is_last: bool,
}

impl Reread {
    /// Reads lines of a file, none of whose places are known yet.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self {
            file,
            places: Vec::new(),
            scratch: Scratch::default(),
            window: Vec::new(),
            offset: 0,
            line: 0,
            at: 0,
            is_last: false,
        }
    }

    /// Tells where a line starts, in the order of the file.
    pub fn place(&mut self, line: u64, offset: u64) {
        self.places.push((line, offset));
    }

    /// The unescaped id of a line, where it takes part in uniqueness.
    pub fn id(&mut self, line: u64) -> io::Result<Option<String>> {
        let end = self.go_to(line)?;
        let bytes = self.window.get(self.at..end).unwrap_or_default();
        if is_blank(bytes) {
            return Ok(None);
        }
        if let Some(accepted) = accept(bytes, &mut self.scratch) {
            return Ok(Some(accepted.id().to_owned()));
        }
        Ok(diagnose(bytes, line, &mut Vec::new()).id)
    }

    /// Moves to a line and gives its end in the window.
    fn go_to(&mut self, line: u64) -> io::Result<usize> {
        if self.line == 0 || line < self.line || line - self.line > NEAR {
            let behind = self.places.partition_point(|&(start, _)| start <= line);
            let place = behind.checked_sub(1).and_then(|at| self.places.get(at));
            let &(start, offset) = place.unwrap_or(&(1, 0));
            (self.line, self.offset, self.at) = (start, offset, 0);
            self.is_last = false;
            self.window.clear();
        }
        loop {
            let (end, next) = self.end()?;
            if self.line >= line || next >= self.window.len() && self.is_last {
                return Ok(end);
            }
            self.line += 1;
            self.at = next;
        }
    }

    /// The end of the line in front, and the start of the next one.
    fn end(&mut self) -> io::Result<(usize, usize)> {
        loop {
            if let Some(ends) = end_of_line(&self.window, self.at, self.is_last) {
                return Ok(ends);
            }
            self.window.drain(..self.at);
            self.offset += self.at as u64;
            self.at = 0;
            let read = self.window.len();
            self.window.resize(read + WINDOW.max(read), 0);
            let free = self.window.get_mut(read..).unwrap_or_default();
            let more = read_at(&self.file, free, self.offset + read as u64)?;
            self.window.truncate(read + more);
            self.is_last = more == 0;
        }
    }
}
