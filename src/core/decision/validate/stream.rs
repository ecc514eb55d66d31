//! A pipe or a compressed file: one thread reads, workers check what it has read.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::check::Run;
use super::work::{Desk, run};
use super::{Batch, Plan, Summary, ValidateError, Watch};
use crate::decision::fast::Padded;
use crate::input::{Input, InputError};
use crate::pieces::{self, Pieces};

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
        let size = plan.chunk.get().min(LARGEST_PIECE);
        let mut feeder = Feeder {
            input: Pieces::new(input, size, plan.longest),
            pieces,
            reused,
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
            Piece::Lines(mut bytes) => {
                let (length, mut at) = (bytes.len(), 0);
                while at < length {
                    at = desk.checker.check(Run {
                        text: Padded::new(&mut bytes, length),
                        offset: 0,
                        start: at,
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

/// Reads an input and hands out what it read.
struct Feeder {
    input: Pieces<'static>,
    pieces: SyncSender<(u64, Piece)>,
    reused: Receiver<Vec<u8>>,
}

impl Feeder {
    fn feed(&mut self) -> Result<(), InputError> {
        for chunk in 0.. {
            let mut bytes = self.reused.try_recv().unwrap_or_default();
            let piece = match self.input.next(&mut bytes)? {
                Some(pieces::Piece::Lines) => Piece::Lines(bytes),
                Some(pieces::Piece::TooLong(skipped)) => Piece::TooLong(skipped),
                None => break,
            };
            if self.pieces.send((chunk, piece)).is_err() {
                break;
            }
        }
        Ok(())
    }
}
