//! An input cut between its lines, for those who read many lines at once.

use std::{fmt, io};

use crate::input::{Input, InputError};
use crate::lines::{behind_break, last_break, length_of_mark, next_break};

/// What a piece holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Whole lines with their breaks.
    Lines,
    /// A line of so many bytes, which is too long to be kept.
    TooLong(u64),
}

/// Gives bytes; none at the end.
type Read<'i> = Box<dyn FnMut(&mut [u8]) -> Result<usize, InputError> + Send + 'i>;

/// Reads an input and cuts it between lines.
pub struct Pieces<'i> {
    read: Read<'i>,
    /// Read and not yet handed on: the start of a line.
    rest: Vec<u8>,
    size: usize,
    longest: usize,
    is_started: bool,
    is_last: bool,
    /// How many bytes were read.
    bytes: u64,
    /// What went wrong behind the lines that were handed on last.
    error: Option<InputError>,
}

impl fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces").finish_non_exhaustive()
    }
}

impl<'i> Pieces<'i> {
    /// Cuts pieces of about `size` bytes; lines of more than `longest` bytes are not kept.
    #[must_use]
    pub fn new(mut input: Input, size: usize, longest: usize) -> Self {
        Self::of(Box::new(move |bytes| input.read(bytes)), size, longest)
    }

    /// The same of bytes in memory.
    #[must_use]
    pub fn of_bytes(mut bytes: &'i [u8], size: usize, longest: usize) -> Self {
        let read = move |to: &mut [u8]| io::Read::read(&mut bytes, to).map_err(InputError::Io);
        Self::of(Box::new(read), size, longest)
    }

    fn of(read: Read<'i>, size: usize, longest: usize) -> Self {
        Self {
            read,
            rest: Vec::new(),
            size,
            longest,
            is_started: false,
            is_last: false,
            bytes: 0,
            error: None,
        }
    }

    /// Reads the next piece into `bytes`; None at the end. A byte order mark at the start of the
    /// input is in no piece. Whole lines in front of an error are handed on before it is told.
    pub fn next(&mut self, bytes: &mut Vec<u8>) -> Result<Option<Piece>, InputError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        bytes.clear();
        bytes.append(&mut self.rest);
        if !self.is_started {
            self.is_started = true;
            self.fill(bytes, 3)?;
            bytes.drain(..length_of_mark(bytes));
        }
        loop {
            if let Err(error) = self.fill(bytes, self.size.max(bytes.len() * 2)) {
                bytes.truncate(last_break(bytes).unwrap_or(0));
                self.error = Some(error);
                return Ok(Some(Piece::Lines));
            }
            let cut = if self.is_last {
                Some(bytes.len())
            } else {
                last_break(bytes)
            };
            if let Some(cut) = cut {
                self.rest
                    .extend_from_slice(bytes.get(cut..).unwrap_or_default());
                bytes.truncate(cut);
                return Ok((!bytes.is_empty()).then_some(Piece::Lines));
            }
            if bytes.len() > self.longest {
                let skipped = self.skip_line(bytes)?;
                self.rest.append(bytes);
                return Ok(Some(Piece::TooLong(skipped)));
            }
        }
    }

    /// How many bytes were read so far.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    /// Puts bytes back, which the next piece starts with.
    pub fn put_back(&mut self, bytes: &[u8]) {
        self.rest.splice(..0, bytes.iter().copied());
    }

    /// Skips a line whose start is in `bytes`; leaves what stands behind it there.
    fn skip_line(&mut self, bytes: &mut Vec<u8>) -> Result<u64, InputError> {
        let mut skipped = 0;
        loop {
            if let Some(end) = next_break(bytes) {
                if let Some(next) = behind_break(bytes, end, self.is_last) {
                    bytes.drain(..next);
                    return Ok(skipped + next as u64);
                }
                skipped += end as u64;
                bytes.drain(..end);
            } else {
                skipped += bytes.len() as u64;
                bytes.clear();
            }
            if self.is_last {
                return Ok(skipped + bytes.len() as u64);
            }
            self.fill(bytes, self.size.max(2))?;
        }
    }

    /// Reads until there are `wanted` bytes or the input has ended.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<(), InputError> {
        if self.is_last {
            return Ok(());
        }
        let mut length = bytes.len();
        bytes.resize(wanted.max(length), 0);
        let mut outcome = Ok(());
        while let Some(free) = bytes.get_mut(length..).filter(|free| !free.is_empty()) {
            match (self.read)(free) {
                Ok(0) => {
                    self.is_last = true;
                    break;
                }
                Ok(read) => {
                    length += read;
                    self.bytes += read as u64;
                }
                Err(error) => {
                    self.is_last = true;
                    outcome = Err(error);
                    break;
                }
            }
        }
        bytes.truncate(length);
        outcome
    }
}
