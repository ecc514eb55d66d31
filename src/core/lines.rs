//! Lines of a file: split at LF, CRLF and CR, blank ones counted, the first one's mark skipped.

use memchr::{memchr2, memrchr2};

use crate::input::{Input, InputError};

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 256 << 20;

/// How many bytes are read at once.
const BUFFER: usize = 256 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line, without its break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The number, counted from 1.
    pub number: u64,
    /// Where it starts in the input, decompressed, a byte order mark counted.
    pub offset: u64,
    /// Its bytes, or that there are more of them than a line may have.
    pub content: Content<'a>,
}

/// What stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// The bytes, without the break and, in the first line, without the byte order mark.
    Bytes(&'a [u8]),
    /// More bytes than the longest line may have; they were not kept.
    TooLong,
}

impl<'a> Content<'a> {
    /// The bytes; None for a line that is too long.
    #[must_use]
    pub fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::TooLong => None,
        }
    }

    fn of(bytes: &'a [u8], longest: usize) -> Self {
        if bytes.len() > longest {
            Self::TooLong
        } else {
            Self::Bytes(bytes)
        }
    }
}

/// Whether a line is blank: nothing but spaces and tabs.
#[must_use]
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|&byte| byte == b' ' || byte == b'\t')
}

/// The end of the line that starts at `start`, without its break, and the start of the next one.
///
/// None where the bytes end before both are known; `is_last` says that nothing follows the bytes.
#[must_use]
pub fn end_of_line(bytes: &[u8], start: usize, is_last: bool) -> Option<(usize, usize)> {
    let rest = bytes.get(start..)?;
    match memchr2(b'\n', b'\r', rest) {
        Some(length) => {
            behind_break(bytes, start + length, is_last).map(|next| (start + length, next))
        }
        None if is_last => Some((bytes.len(), bytes.len())),
        None => None,
    }
}

/// The start of the next line, where a line ends at `end`; None where more bytes have to tell.
#[must_use]
pub fn behind_break(bytes: &[u8], end: usize, is_last: bool) -> Option<usize> {
    match bytes.get(end..)? {
        [b'\r', b'\n', ..] => Some(end + 2),
        [b'\r'] | [] if !is_last => None,
        [] => Some(end),
        _ => Some(end + 1),
    }
}

/// The first byte that ends a line.
#[must_use]
pub fn next_break(bytes: &[u8]) -> Option<usize> {
    memchr2(b'\n', b'\r', bytes)
}

/// The start of the last line that is known to start; the bytes in front of it are whole lines.
#[must_use]
pub fn last_break(bytes: &[u8]) -> Option<usize> {
    let end = memrchr2(b'\n', b'\r', bytes)?;
    match behind_break(bytes, end, false) {
        Some(next) => Some(next),
        // A CR whose LF may follow: the break in front of it is the last one that is known.
        None => last_break(bytes.get(..end)?),
    }
}

/// How many bytes of a file's start are a byte order mark.
#[must_use]
pub fn length_of_mark(bytes: &[u8]) -> usize {
    without_mark(bytes).1
}

/// What of the bytes stands behind a byte order mark, and how long the mark is.
fn without_mark(bytes: &[u8]) -> (&[u8], usize) {
    match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (rest, BYTE_ORDER_MARK.len()),
        None => (bytes, 0),
    }
}

/// Splits a whole file in memory into its lines.
#[must_use]
pub fn split(file: &[u8]) -> Lines<'_> {
    let (rest, mark) = without_mark(file);
    Lines {
        rest,
        number: 0,
        offset: mark as u64,
    }
}

/// The lines of bytes in memory.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
    number: u64,
    offset: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
        let (bytes, rest) = self.rest.split_at_checked(end)?;
        let after = match rest {
            [b'\r', b'\n', after @ ..] | [b'\n' | b'\r', after @ ..] => after,
            _ => rest,
        };
        self.number += 1;
        let line = Line {
            number: self.number,
            offset: self.offset,
            content: Content::of(bytes, LONGEST_LINE),
        };
        self.offset += (self.rest.len() - after.len()) as u64;
        self.rest = after;
        Some(line)
    }
}

/// Reads the lines of an input one after the other, in one buffer.
#[derive(Debug)]
pub struct LineReader {
    input: Input,
    buffer: Vec<u8>,
    /// What of the buffer was read and not yet given.
    start: usize,
    end: usize,
    /// The place of `buffer[start]` in the input.
    offset: u64,
    number: u64,
    longest: usize,
    is_started: bool,
    /// The last line ended with CR, so that an LF in front of the next one belongs to it.
    is_after_cr: bool,
}

impl LineReader {
    /// Reads from the start of an input.
    #[must_use]
    pub fn new(input: Input) -> Self {
        Self::with_limits(input, BUFFER, LONGEST_LINE)
    }

    /// Reads with a buffer of `buffer` bytes at first (at least 4) and lines of `longest` bytes at
    /// most.
    #[must_use]
    pub fn with_limits(input: Input, buffer: usize, longest: usize) -> Self {
        Self {
            input,
            buffer: vec![0; buffer.max(4)],
            start: 0,
            end: 0,
            offset: 0,
            number: 0,
            longest,
            is_started: false,
            is_after_cr: false,
        }
    }

    /// The bytes read so far, decompressed.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.offset + (self.end - self.start) as u64
    }

    /// The next line, or None at the end.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, InputError> {
        if !self.is_started {
            self.is_started = true;
            while self.pending().len() < BYTE_ORDER_MARK.len() && self.fill()? {}
            self.skip(without_mark(self.pending()).1);
        }
        if self.is_after_cr {
            if self.pending().is_empty() {
                self.fill()?;
            }
            if self.pending().first() == Some(&b'\n') {
                self.skip(1);
            }
            self.is_after_cr = false;
        }
        let offset = self.offset;
        let mut is_too_long = false;
        let mut searched = 0;
        let (length, break_length) = loop {
            let pending = self.pending();
            let unseen = pending.get(searched..).unwrap_or_default();
            if let Some(at) = memchr2(b'\n', b'\r', unseen) {
                self.is_after_cr = unseen.get(at) == Some(&b'\r');
                break (searched + at, 1);
            }
            searched = pending.len();
            if searched > self.longest {
                is_too_long = true;
                self.skip(searched);
                searched = 0;
            }
            if !self.fill()? {
                if searched == 0 && !is_too_long {
                    return Ok(None);
                }
                break (searched, 0);
            }
        };
        self.number += 1;
        let start = self.start;
        self.skip(length + break_length);
        let bytes = self.buffer.get(start..start + length).unwrap_or_default();
        let content = if is_too_long {
            Content::TooLong
        } else {
            Content::of(bytes, self.longest)
        };
        Ok(Some(Line {
            number: self.number,
            offset,
            content,
        }))
    }

    fn pending(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    fn skip(&mut self, length: usize) {
        self.start += length;
        self.offset += length as u64;
    }

    /// Reads more behind what is pending; false at the end of the input.
    fn fill(&mut self) -> Result<bool, InputError> {
        if self.start > 0 && self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            // One byte above the longest line is enough to know that a line is longer.
            let wanted = (self.buffer.len() * 2).min(self.longest.saturating_add(1));
            self.buffer.resize(wanted.max(self.buffer.len() + 1), 0);
        }
        let free = self.buffer.get_mut(self.end..).unwrap_or_default();
        let read = self.input.read(free)?;
        self.end += read;
        Ok(read > 0)
    }
}
