//! Workers and their merger.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::check::Checker;
use super::merge::Merger;
use super::part::Part;
use super::turns::Turns;
use super::{Batch, Plan, Summary, ValidateError, Watch};
use crate::decision::ids::{Ids, Reread};
use crate::input::InputError;

/// What a worker hands on of a chunk.
enum Message {
    /// A part of the chunk that is merged now; more of it follows.
    Part(Part),
    /// The last part of a chunk, or why there is none.
    End(u64, Result<Part, InputError>),
}

/// A worker's way to hand parts on.
pub(super) struct Desk<'w> {
    pub(super) checker: Checker<'w>,
    turns: &'w Turns<'w>,
    sender: Sender<Message>,
    /// How many chunks may be begun before the merger has come to them.
    ahead: u64,
}

impl Desk<'_> {
    /// Begins a chunk; false where nobody needs it.
    pub(super) fn begin(&mut self, chunk: u64) -> bool {
        self.checker.begin();
        self.turns.wait(chunk, self.ahead)
    }

    /// Hands a part of a chunk on that goes on; false where nobody needs the rest.
    ///
    /// Waits until the chunk is the one that is merged, so that what waits stays small.
    pub(super) fn hand_on(&mut self, chunk: u64) -> bool {
        let part = self.checker.take();
        self.turns.wait(chunk, 1) && self.sender.send(Message::Part(part)).is_ok()
    }

    /// Whether nobody needs the result any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.turns.is_stopped()
    }

    /// Ends a chunk.
    pub(super) fn end(&mut self, chunk: u64, outcome: Result<(), InputError>) -> bool {
        let part = self.checker.take();
        let message = Message::End(chunk, outcome.map(|()| part));
        self.sender.send(message).is_ok()
    }
}

/// Stops the others when a worker panics.
struct StopOnPanic<'w>(&'w Turns<'w>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Runs workers, each of which does `work`, and merges what they hand on.
///
/// `read` runs beside them on a thread of its own.
pub(super) fn run(
    plan: &Plan,
    watch: &Watch,
    reread: Option<Reread>,
    tell: &mut dyn FnMut(Batch),
    read: impl FnOnce() -> Result<(), InputError> + Send,
    work: impl Fn(&mut Desk<'_>) + Sync,
) -> Result<Summary, ValidateError> {
    let is_silent = AtomicBool::new(false);
    let ids = Ids::new(reread, plan.room.clone());
    let hasher = ids.hasher();
    let turns = Turns::new(watch);
    let threads = plan.threads.get();
    let ahead = 2 * threads as u64 + 2;
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..threads {
            let mut desk = Desk {
                checker: Checker::new(plan, watch, &is_silent, hasher.clone()),
                turns: &turns,
                sender: sender.clone(),
                ahead,
            };
            let (work, turns) = (&work, &turns);
            scope.spawn(move || {
                let _stop = StopOnPanic(turns);
                work(&mut desk);
            });
        }
        drop(sender);
        let reader = scope.spawn(read);
        let all_parts = merge(Merger::new(plan, &is_silent, ids, tell), &receiver, &turns);
        if all_parts.is_err() {
            turns.stop();
        }
        drop(receiver);
        let read = reader
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let merger = all_parts?;
        read.map_err(ValidateError::Input)?;
        if watch.is_cancelled() {
            return Err(ValidateError::Input(InputError::Cancelled));
        }
        merger.finish().map_err(ValidateError::Spill)
    })
}

/// Takes parts in the order of their chunks until the workers have gone.
fn merge<'m>(
    mut merger: Merger<'m>,
    receiver: &Receiver<Message>,
    turns: &Turns<'_>,
) -> Result<Merger<'m>, ValidateError> {
    let mut current = 0;
    // Chunks that ended before their turn; each has one part, since a second one waits for it.
    let mut waiting: BTreeMap<u64, Result<Part, InputError>> = BTreeMap::new();
    for message in receiver {
        match message {
            Message::Part(part) => merger.push(part).map_err(ValidateError::Spill)?,
            Message::End(chunk, outcome) => _ = waiting.insert(chunk, outcome),
        }
        while let Some(outcome) = waiting.remove(&current) {
            let part = outcome.map_err(ValidateError::Input)?;
            merger.push(part).map_err(ValidateError::Spill)?;
            current += 1;
            turns.advance();
        }
    }
    Ok(merger)
}
