//! Long work without the interpreter's lock, and with Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often a long call looks for signals.
const TICK: Duration = Duration::from_millis(50);

/// Does `work` on a thread of its own while the calling one watches for signals.
///
/// The lock is not held. A signal whose handler raises (Ctrl-C) sets the flag that `work` is given;
/// `work` should end soon after, and what the handler raised is raised here.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let cancel = Arc::new(AtomicBool::new(false));
        thread::scope(|scope| {
            let (done, ticks) = channel();
            let flag = Arc::clone(&cancel);
            let worker = scope.spawn(move || {
                let result = work(&flag);
                // The receiver lives until the worker is joined.
                let _ = done.send(());
                result
            });
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) = ticks.recv_timeout(TICK) {
                if raised.is_none() {
                    let signals = |py: Python<'_>| py.check_signals();
                    raised = Python::attach(signals).err();
                    cancel.store(raised.is_some(), Ordering::Relaxed);
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
