//! A pipe or a compressed file: one thread reads, workers check what it has read.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::check::Run;
use super::work::{Desk, run};
use super::{Batch, Plan, Summary, ValidateError, Watch};
use crate::input::{Input, InputError};
use crate::lines::{behind_break, last_break, length_of_mark, next_break};

/// The most bytes that are handed to a worker at once: several such pieces are in memory.
const LARGEST_PIECE: usize = 1 << 20;

/// Whole lines, or a line that is too long.
enum Piece {
    Lines(Vec<u8>),
    TooLong(u64),
}

pub(super) fn validate(
    input: Input,
    plan: &Plan,
    watch: &Watch,
    tell: &mut dyn FnMut(Batch),
) -> Result<Summary, ValidateError> {
    let (pieces, received) = sync_channel(plan.threads.get());
    let (used, reused) = channel();
    let feed = move || {
        let mut feeder = Feeder {
            input,
            pieces,
            reused,
            chunk: 0,
            size: plan.chunk.get().min(LARGEST_PIECE),
            longest: plan.longest,
        };
        feeder.feed()
    };
    let counter = Counter {
        received: Mutex::new(Some(received)),
        used: Mutex::new(used),
    };
    run(plan, watch, None, tell, feed, |desk| {
        let _close = CloseOnDrop(&counter);
        work(desk, &counter);
    })
}

/// Where workers fetch pieces, and give their buffers back.
struct Counter {
    received: Mutex<Option<Receiver<(u64, Piece)>>>,
    used: Mutex<Sender<Vec<u8>>>,
}

impl Counter {
    fn next(&self) -> Option<(u64, Piece)> {
        locked(&self.received).as_ref()?.recv().ok()
    }

    fn give_back(&self, buffer: Vec<u8>) {
        // Where the feeder has gone, nobody needs the buffer.
        let _ = locked(&self.used).send(buffer);
    }
}

/// Closes the counter when a worker leaves, so that the feeder does not wait in front of it.
struct CloseOnDrop<'c>(&'c Counter);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        locked(&self.0.received).take();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(desk: &mut Desk<'_>, counter: &Counter) {
    while let Some((chunk, piece)) = counter.next() {
        if !desk.begin(chunk) {
            return;
        }
        match piece {
            Piece::Lines(bytes) => {
                let mut at = 0;
                while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
                    at += desk.checker.check(Run {
                        text: rest,
                        offset: 0,
                        stop: usize::MAX,
                        is_last: true,
                    });
                    if desk.is_stopped() || desk.checker.is_full() && !desk.hand_on(chunk) {
                        return;
                    }
                }
                counter.give_back(bytes);
            }
            Piece::TooLong(bytes) => desk.checker.skip_line(bytes),
        }
        if !desk.end(chunk, Ok(())) {
            return;
        }
    }
}

/// Reads an input and cuts it between lines.
struct Feeder {
    input: Input,
    pieces: SyncSender<(u64, Piece)>,
    reused: Receiver<Vec<u8>>,
    chunk: u64,
    size: usize,
    longest: usize,
}

impl Feeder {
    fn feed(&mut self) -> Result<(), InputError> {
        let mut bytes = self.buffer();
        let mut is_last = self.fill(&mut bytes, 3)?;
        bytes.drain(..length_of_mark(&bytes));
        loop {
            let wanted = self.size.max(bytes.len() * 2);
            if !is_last {
                is_last = match self.fill(&mut bytes, wanted) {
                    Ok(is_last) => is_last,
                    Err(error) => {
                        // The lines in front of the damage are told.
                        bytes.truncate(last_break(&bytes).unwrap_or(0));
                        self.send(Piece::Lines(bytes));
                        return Err(error);
                    }
                };
            }
            let cut = if is_last {
                Some(bytes.len())
            } else {
                last_break(&bytes)
            };
            let mut rest = self.buffer();
            if let Some(cut) = cut {
                rest.extend_from_slice(bytes.get(cut..).unwrap_or_default());
                bytes.truncate(cut);
                if !self.send(Piece::Lines(std::mem::replace(&mut bytes, rest))) || is_last {
                    return Ok(());
                }
            } else if bytes.len() > self.longest {
                let skipped;
                (skipped, is_last) = self.skip_line(&mut bytes)?;
                if !self.send(Piece::TooLong(skipped)) {
                    return Ok(());
                }
            }
        }
    }

    /// Skips a line whose start is in `bytes`; leaves what stands behind it there.
    fn skip_line(&mut self, bytes: &mut Vec<u8>) -> Result<(u64, bool), InputError> {
        let mut skipped = 0;
        let mut is_last = false;
        loop {
            if let Some(end) = next_break(bytes) {
                if let Some(next) = behind_break(bytes, end, is_last) {
                    bytes.drain(..next);
                    return Ok((skipped + next as u64, is_last));
                }
                skipped += end as u64;
                bytes.drain(..end);
            } else {
                skipped += bytes.len() as u64;
                bytes.clear();
            }
            if is_last {
                return Ok((skipped + bytes.len() as u64, is_last));
            }
            is_last = self.fill(bytes, self.size.max(2))?;
        }
    }

    /// Reads until there are `wanted` bytes; true at the end of the input.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<bool, InputError> {
        let mut length = bytes.len();
        bytes.resize(wanted.max(length), 0);
        let mut is_last = Ok(false);
        while let Some(free) = bytes.get_mut(length..).filter(|free| !free.is_empty()) {
            match self.input.read(free) {
                Ok(0) => is_last = Ok(true),
                Ok(read) => {
                    length += read;
                    continue;
                }
                Err(error) => is_last = Err(error),
            }
            break;
        }
        bytes.truncate(length);
        is_last
    }

    fn buffer(&mut self) -> Vec<u8> {
        let mut buffer = self.reused.try_recv().unwrap_or_default();
        buffer.clear();
        buffer
    }

    fn send(&mut self, piece: Piece) -> bool {
        let chunk = self.chunk;
        self.chunk += 1;
        self.pieces.send((chunk, piece)).is_ok()
    }
}
