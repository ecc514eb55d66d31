//! A results file read piece by piece, on as many threads as one likes.

use std::sync::atomic::{AtomicBool, Ordering};

use super::ledger::Ledger;
use super::part::{Keep, Part};
use super::record::RunHeader;
use crate::decision::ids::Hasher;
use crate::in_order::in_order;
use crate::input::{Input, InputError};
use crate::lines::{LONGEST_LINE, end_of_line, is_blank};
use crate::pieces::{Piece, Pieces};
use crate::problem::Problem;

/// How many bytes make a piece.
const PIECE: usize = 512 << 10;

/// How many bytes make a piece of a pipe: who writes into it may be waiting for its items to be
/// taken before there are more.
const PIECE_OF_PIPE: usize = 32 << 10;

/// How a file is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// How many threads read lines.
    pub(crate) threads: usize,
    /// How the items are kept.
    pub(crate) keep: Keep,
    /// Whether repeated ids are looked for.
    pub(crate) keeps_ids: bool,
}

/// Why reading ended before its time.
#[derive(Debug)]
pub(crate) enum StreamError<E> {
    /// The file could not be read.
    Input(InputError),
    /// Whoever took the items says so.
    Taker(E),
}

/// What a file turned out to be.
#[derive(Debug)]
pub(crate) struct Read {
    /// Its header, or everything that is wrong with it.
    pub(crate) outcome: Result<RunHeader, Vec<Problem>>,
    /// Lines, blank ones included.
    pub(crate) lines: u64,
    /// Lines that hold an item without a problem.
    pub(crate) items: u64,
    /// Bytes, decompressed.
    pub(crate) bytes: u64,
}

/// Where the bytes of a file are.
pub(crate) enum Bytes<'b> {
    /// Still to be read.
    Input(Input),
    /// In memory.
    Slice(&'b [u8]),
}

impl From<Input> for Bytes<'_> {
    fn from(input: Input) -> Self {
        Self::Input(input)
    }
}

/// Reads a results file. `take` is given what is known so far and the items of a piece: none at
/// first, when the header was read, and then those of each piece in turn.
pub(crate) fn stream<E: Send>(
    bytes: Bytes<'_>,
    plan: Plan,
    cancel: &AtomicBool,
    mut take: impl FnMut(&Ledger, &mut Part) -> Result<(), E>,
) -> Result<Read, StreamError<E>> {
    let mut pieces = match bytes {
        Bytes::Input(input) => {
            let is_pipe = input.file().is_none();
            let size = if is_pipe { PIECE_OF_PIPE } else { PIECE };
            Pieces::new(input, size, LONGEST_LINE)
        }
        Bytes::Slice(slice) => Pieces::of_bytes(slice, PIECE, LONGEST_LINE),
    };
    let (lines, ledger) = header(&mut pieces, plan.keeps_ids).map_err(StreamError::Input)?;
    let Some(mut ledger) = ledger else {
        return Ok(Read {
            outcome: Err(vec![Ledger::empty()]),
            lines,
            items: 0,
            bytes: pieces.bytes_read(),
        });
    };
    take(&ledger, &mut Part::default()).map_err(StreamError::Taker)?;
    let fill = |part: &mut Filled| {
        if cancel.load(Ordering::Relaxed) {
            return Err(StreamError::Input(InputError::Cancelled));
        }
        let next = pieces.next(&mut part.part.bytes);
        part.piece = next.map_err(StreamError::Input)?;
        Ok(part.piece.is_some())
    };
    let hasher = Hasher::quick();
    let work = |part: &mut Filled| {
        if let Some(piece) = part.piece {
            part.part.read(piece, plan.keep);
            if plan.keep == Keep::Items {
                part.part.hash_ids(&hasher);
            }
        }
    };
    let leads_items = ledger.leads_items();
    if leads_items {
        in_order(plan.threads, cancel, fill, work, |part: &mut Filled| {
            ledger.add(&mut part.part);
            take(&ledger, &mut part.part).map_err(StreamError::Taker)
        })?;
    }
    Ok(Read {
        lines: ledger.lines(),
        items: ledger.items(),
        bytes: pieces.bytes_read(),
        outcome: ledger.finish(),
    })
}

/// A part and what its bytes are.
#[derive(Debug, Default)]
struct Filled {
    piece: Option<Piece>,
    part: Part,
}

/// Reads up to the first line that is not blank: how many lines that is, and what they begin, if
/// there is one.
fn header(pieces: &mut Pieces<'_>, keeps_ids: bool) -> Result<(u64, Option<Ledger>), InputError> {
    let mut bytes = Vec::new();
    let mut number = 0;
    while let Some(piece) = pieces.next(&mut bytes)? {
        if let Piece::TooLong(_) = piece {
            number += 1;
            return Ok((number, Some(Ledger::new(number, None, keeps_ids))));
        }
        let mut at = 0;
        while let Some((end, next)) = end_of_line(&bytes, at, true).filter(|_| at < bytes.len()) {
            number += 1;
            let line = bytes.get(at..end).unwrap_or_default();
            if !is_blank(line) {
                let is_kept = line.len() <= LONGEST_LINE;
                let ledger = Ledger::new(number, is_kept.then_some(line), keeps_ids);
                pieces.put_back(bytes.get(next..).unwrap_or_default());
                return Ok((number, Some(ledger)));
            }
            at = next;
        }
    }
    Ok((number, None))
}
