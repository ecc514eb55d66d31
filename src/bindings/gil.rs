//! Long work without the interpreter's lock, and with Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often a long call looks for signals.
const TICK: Duration = Duration::from_millis(50);

/// How many threads are used where `asked` are asked for; 0 asks for one for each core.
pub(crate) fn threads(asked: usize) -> NonZeroUsize {
    let cores = || thread::available_parallelism().ok();
    NonZeroUsize::new(asked)
        .or_else(cores)
        .unwrap_or(NonZeroUsize::MIN)
}

/// Does `work` on a thread of its own while the calling one watches for signals.
///
/// The lock is not held. A signal whose handler raises (Ctrl-C) sets the flag that `work` is given;
/// `work` should end soon after, and what the handler raised is raised here.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    let nothing = |_: Python<'_>, (): ()| Ok(());
    attend(py, &cancel, |_| work(&cancel), nothing, |_| Ok(()))
}

/// What a working thread says to the one that attends to it.
enum Said<M> {
    Message(M),
    Done,
}

/// Does `work` on a thread of its own, while the calling one hands each message of it to
/// `on_message`, and watches for signals and calls `on_tick` every 50 ms.
///
/// What one of them raises sets `cancel`; `work` should end soon after, and the first of it is
/// raised here. A message waits until the one before it was taken.
pub(crate) fn attend<T: Send, M: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce(&dyn Fn(M)) -> T + Send,
    mut on_message: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
    mut on_tick: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, said) = sync_channel(1);
            let worker = scope.spawn(move || {
                // The receiver lives until the worker is joined.
                let result = work(&|message| _ = sender.send(Said::Message(message)));
                let _ = sender.send(Said::Done);
                result
            });
            let mut raised = None;
            let mut next_tick = Instant::now() + TICK;
            loop {
                let wait = next_tick.saturating_duration_since(Instant::now());
                let mut outcome = match said.recv_timeout(wait) {
                    Ok(Said::Done) | Err(RecvTimeoutError::Disconnected) => break,
                    _ if raised.is_some() => Ok(()),
                    Ok(Said::Message(message)) => Python::attach(|py| on_message(py, message)),
                    Err(RecvTimeoutError::Timeout) => Ok(()),
                };
                if Instant::now() >= next_tick {
                    next_tick = Instant::now() + TICK;
                    if raised.is_none() && outcome.is_ok() {
                        outcome =
                            Python::attach(|py| py.check_signals().and_then(|()| on_tick(py)));
                    }
                }
                if let Err(error) = outcome {
                    raised = Some(error);
                    cancel.store(true, Ordering::Relaxed);
                }
            }
            let result = match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            raised.map_or(Ok(result), Err)
        })
    })
}
