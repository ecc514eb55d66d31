//! How far workers may be ahead of the merger.

use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Watch;

/// How often a waiting worker looks whether it is still needed.
const LOOK: Duration = Duration::from_millis(50);

/// The chunk that is merged now, and who waits for it.
#[derive(Debug)]
pub(super) struct Turns<'w> {
    current: Mutex<u64>,
    changed: Condvar,
    watch: &'w Watch,
}

impl<'w> Turns<'w> {
    pub(super) fn new(watch: &'w Watch) -> Self {
        Self {
            current: Mutex::default(),
            changed: Condvar::new(),
            watch,
        }
    }

    /// Waits until a chunk is less than `ahead` chunks away; false where nobody needs it any more.
    pub(super) fn wait(&self, chunk: u64, ahead: u64) -> bool {
        let mut current = self.lock();
        loop {
            if self.is_stopped() {
                return false;
            }
            if chunk < *current + ahead {
                return true;
            }
            let waited = self.changed.wait_timeout(current, LOOK);
            current = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Tells that a chunk was merged.
    pub(super) fn advance(&self) {
        *self.lock() += 1;
        self.changed.notify_all();
    }

    /// Ends the work of all.
    pub(super) fn stop(&self) {
        self.watch.cancel.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.watch.is_cancelled()
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
