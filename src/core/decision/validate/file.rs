//! A regular file: each worker reads the chunks it checks.

use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};

use super::check::Run;
use super::work::{Desk, run};
use super::{Batch, Plan, Summary, ValidateError, Watch};
use crate::decision::fast::Padded;
use crate::decision::ids::Reread;
use crate::input::{InputError, read_at};
use crate::lines::{behind_break, length_of_mark, next_break};

/// How many bytes are read at once.
const BUFFER: usize = 256 << 10;

pub(super) fn validate(
    file: &File,
    length: u64,
    plan: &Plan,
    watch: &Watch,
    tell: &mut dyn FnMut(Batch),
) -> Result<Summary, ValidateError> {
    let size = plan.chunk.get() as u64;
    let next = AtomicU64::new(0);
    let work = |desk: &mut Desk<'_>| {
        let mut reader = Reader::new(file, plan.longest);
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let start = chunk.saturating_mul(size);
            if start >= length || !desk.begin(chunk) {
                return;
            }
            // The last chunk takes what the file has grown by.
            let stop = match start.saturating_add(size) {
                stop if stop >= length => u64::MAX,
                stop => stop,
            };
            let checked = reader.check(desk, chunk, start, stop);
            let outcome = match checked {
                Ok(true) => Ok(()),
                Ok(false) => return,
                Err(error) => Err(error),
            };
            if !desk.end(chunk, outcome) {
                return;
            }
        }
    };
    let again = file.try_clone().map_err(InputError::Io);
    let reread = Reread::new(again.map_err(ValidateError::Input)?);
    run(plan, watch, Some(reread), tell, || Ok(()), work)
}

/// Reads chunks of a file.
struct Reader<'f> {
    file: &'f File,
    longest: usize,
    buffer: Vec<u8>,
    /// What of the buffer was read.
    length: usize,
    /// Where the buffer starts in the file.
    offset: u64,
    is_last: bool,
}

impl<'f> Reader<'f> {
    fn new(file: &'f File, longest: usize) -> Self {
        Self {
            file,
            longest,
            buffer: vec![0; BUFFER + Padded::ZEROS],
            length: 0,
            offset: 0,
            is_last: false,
        }
    }

    /// Checks the lines that start in a chunk; false where nobody needs them any more.
    fn check(
        &mut self,
        desk: &mut Desk<'_>,
        chunk: u64,
        start: u64,
        stop: u64,
    ) -> Result<bool, InputError> {
        if !self.find_start(start, stop)? {
            return Ok(true);
        }
        // A mark belongs to the line behind it, which starts in the first chunk however small.
        let stop = if start == 0 {
            stop.max(self.offset + 1)
        } else {
            stop
        };
        while self.offset < stop {
            let at = desk.checker.check(Run {
                text: Padded::new(&mut self.buffer, self.length),
                offset: self.offset,
                start: 0,
                stop: usize::try_from(stop - self.offset).unwrap_or(usize::MAX),
                is_last: self.is_last,
            });
            self.forget(at);
            if desk.checker.is_full() && !desk.hand_on(chunk) || desk.is_stopped() {
                return Ok(false);
            }
            if self.offset >= stop || self.is_last && self.length == 0 {
                break;
            }
            // Nothing was checked where the end of the line is not known.
            if at == 0 && self.length > self.longest {
                let skipped = self.skip_line(u64::MAX)?;
                desk.checker.skip_line(skipped);
            } else if !self.is_last {
                self.read_more()?;
            }
        }
        Ok(true)
    }

    /// Moves to the first line that starts in a chunk; false where none does.
    fn find_start(&mut self, start: u64, stop: u64) -> Result<bool, InputError> {
        self.length = 0;
        self.is_last = false;
        self.offset = start.saturating_sub(1);
        self.read_more()?;
        if start == 0 {
            while self.length < 3 && !self.is_last {
                self.read_more()?;
            }
            self.forget(length_of_mark(self.read_bytes()));
            return Ok(true);
        }
        // A line starts behind a break, which the byte in front of the chunk may be.
        self.skip_line(stop)?;
        if self.length == 0 && !self.is_last {
            self.read_more()?;
        }
        Ok(self.offset < stop && self.length > 0)
    }

    /// Skips what is left of a line, up to `stop` or a little further; returns how many bytes that
    /// were.
    fn skip_line(&mut self, stop: u64) -> Result<u64, InputError> {
        let start = self.offset;
        while self.offset < stop {
            let bytes = self.read_bytes();
            match next_break(bytes) {
                Some(end) => {
                    if let Some(next) = behind_break(bytes, end, self.is_last) {
                        self.forget(next);
                        return Ok(self.offset - start);
                    }
                    self.forget(end);
                }
                None => self.forget(self.length),
            }
            if self.is_last {
                self.forget(self.length);
                break;
            }
            self.read_more()?;
        }
        Ok(self.offset - start)
    }

    fn read_bytes(&self) -> &[u8] {
        self.buffer.get(..self.length).unwrap_or_default()
    }

    /// Drops bytes at the front.
    fn forget(&mut self, count: usize) {
        self.buffer.copy_within(count..self.length, 0);
        self.length -= count;
        self.offset += count as u64;
    }

    /// Reads behind what was read.
    fn read_more(&mut self) -> Result<(), InputError> {
        let room = self.buffer.len().saturating_sub(Padded::ZEROS);
        if self.length >= room {
            let wanted = (self.length * 2).min(self.longest.saturating_add(2));
            let wanted = wanted.max(self.length + 1) + Padded::ZEROS;
            self.buffer.resize(wanted, 0);
        }
        let room = self.buffer.len() - Padded::ZEROS;
        let free = self.buffer.get_mut(self.length..room).unwrap_or_default();
        let place = self.offset + self.length as u64;
        let read = read_at(self.file, free, place).map_err(InputError::Io)?;
        self.length += read;
        self.is_last = read == 0;
        Ok(())
    }
}
