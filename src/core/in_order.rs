//! Work on many threads whose results are taken in the order of the input.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Fills parts one after the other, works on them on `threads` threads, and takes them in the order
/// in which they were filled.
///
/// `fill` says false at the end of the input; `take` is called on this thread. Parts are used
/// again, so that only a few are ever made. The first error ends the work; one of `fill` is told
/// behind the parts that were filled before it. An error of `take` also sets `cancel`, which `fill`
/// may be waiting on. With one thread, everything happens on this one.
pub(crate) fn in_order<T: Default + Send, E: Send>(
    threads: usize,
    cancel: &AtomicBool,
    mut fill: impl FnMut(&mut T) -> Result<bool, E> + Send,
    work: impl Fn(&mut T) + Sync,
    mut take: impl FnMut(&mut T) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        let mut part = T::default();
        while fill(&mut part)? {
            work(&mut part);
            take(&mut part)?;
        }
        return Ok(());
    }
    let (free, free_parts) = channel();
    let (filled, filled_parts) = channel();
    let (done, done_parts) = channel();
    for _ in 0..2 * threads + 2 {
        // The receiver is in this function.
        let _ = free.send(T::default());
    }
    let filled_parts = Mutex::new(filled_parts);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (filled_parts, work, done) = (&filled_parts, &work, done.clone());
            scope.spawn(move || work_on(filled_parts, work, &done));
        }
        drop(done);
        let reader = scope.spawn(move || {
            for index in 0.. {
                let Ok(mut part) = free_parts.recv() else {
                    break;
                };
                if !fill(&mut part)? || filled.send((index, part)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        let taken = take_in_order(&done_parts, &free, &mut take);
        if taken.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        // Who waits for one of these sees that nothing comes any more.
        drop((free, done_parts));
        let read = reader
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        taken.and(read)
    })
}

/// What a worker hands on: a part and its place, or that the worker panicked.
type Done<T> = Option<(u64, T)>;

/// Tells when a worker panics, so that nobody waits for its part.
struct TellOnPanic<'d, T>(&'d Sender<Done<T>>);

impl<T> Drop for TellOnPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

fn work_on<T>(
    filled_parts: &Mutex<Receiver<(u64, T)>>,
    work: &impl Fn(&mut T),
    done: &Sender<Done<T>>,
) {
    let _tell = TellOnPanic(done);
    loop {
        let next = filled_parts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok((index, mut part)) = next else { return };
        work(&mut part);
        if done.send(Some((index, part))).is_err() {
            return;
        }
    }
}

/// Takes parts in their order and gives them back to be filled again.
fn take_in_order<T, E>(
    done_parts: &Receiver<Done<T>>,
    free: &Sender<T>,
    take: &mut impl FnMut(&mut T) -> Result<(), E>,
) -> Result<(), E> {
    let mut next = 0;
    let mut waiting = BTreeMap::new();
    while let Ok(Some((index, part))) = done_parts.recv() {
        waiting.insert(index, part);
        while let Some(mut part) = waiting.remove(&next) {
            take(&mut part)?;
            next += 1;
            // Where the filler has ended, nobody needs the part.
            let _ = free.send(part);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares the numbers below `count`, with a wait that turns their order around.
    fn squares(threads: usize, count: u64, fails_at: Option<u64>) -> (Vec<u64>, Result<(), u64>) {
        let mut next = 0;
        let mut taken = Vec::new();
        let outcome = in_order(
            threads,
            &AtomicBool::new(false),
            |part: &mut u64| {
                *part = next;
                next += 1;
                Ok(*part < count)
            },
            |part| {
                for _ in 0..(7 - *part % 7) * 1000 {
                    std::hint::spin_loop();
                }
                *part *= *part;
            },
            |part| {
                if fails_at == Some(*part) {
                    return Err(*part);
                }
                taken.push(*part);
                Ok(())
            },
        );
        (taken, outcome)
    }

    #[test]
    fn parts_are_taken_in_order_by_any_number_of_threads() {
        let expected: Vec<u64> = (0..200).map(|n| n * n).collect();
        for threads in [0, 1, 2, 3, 7] {
            assert_eq!(squares(threads, 200, None), (expected.clone(), Ok(())));
            let (taken, outcome) = squares(threads, 200, Some(49));
            assert_eq!((taken.len(), outcome), (7, Err(49)));
        }
    }

    #[test]
    fn an_error_of_the_input_is_told_behind_what_was_read() {
        for threads in [1, 4] {
            let mut next = 0;
            let mut taken = 0;
            let outcome = in_order(
                threads,
                &AtomicBool::new(false),
                |part: &mut u64| {
                    next += 1;
                    *part = next;
                    if next > 20 { Err("damaged") } else { Ok(true) }
                },
                |_| {},
                |_| {
                    taken += 1;
                    Ok(())
                },
            );
            assert_eq!((taken, outcome), (20, Err("damaged")));
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_worker_is_a_panic_of_the_caller() {
        let mut next = 0;
        let _ = in_order::<u64, ()>(
            3,
            &AtomicBool::new(false),
            |part| {
                next += 1;
                *part = next;
                Ok(next < 100)
            },
            |part| assert!(*part != 50, "on purpose"),
            |_| Ok(()),
        );
    }
}
