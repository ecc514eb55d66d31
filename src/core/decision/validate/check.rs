//! Checks the lines of a block of bytes.

use std::sync::atomic::{AtomicBool, Ordering};

use super::form::Form;
use super::part::{FoundId, Part};
use super::{Plan, Watch};
use crate::decision::diagnose;
use crate::decision::fast::{Padded, Scratch};
use crate::decision::ids::Hasher;
use crate::json::Fault;
use crate::lines::{behind_break, end_of_line, is_blank};
use crate::problem::Problem;

/// A line is remembered with its place once in so many bytes.
const PLACE_EVERY: usize = 32 << 10;

/// Checks lines and gathers what it finds in a part.
pub(super) struct Checker<'c> {
    form: &'c Form,
    longest: usize,
    watch: &'c Watch,
    /// Set once enough problems were told.
    is_silent: &'c AtomicBool,
    hasher: Hasher,
    scratch: Scratch,
    problems: Vec<Problem>,
    part: Part,
    next_place: u64,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'b> {
    pub(super) text: Padded<'b>,
    /// Where they start in the file.
    pub(super) offset: u64,
    /// Where the first line starts.
    pub(super) start: usize,
    /// Lines that start here or behind are not this part's.
    pub(super) stop: usize,
    /// Nothing follows the bytes.
    pub(super) is_last: bool,
}

impl<'c> Checker<'c> {
    pub(super) fn new(
        plan: &'c Plan,
        watch: &'c Watch,
        is_silent: &'c AtomicBool,
        hasher: Hasher,
    ) -> Self {
        Self {
            form: &plan.form,
            longest: plan.longest,
            watch,
            is_silent,
            hasher,
            scratch: Scratch::default(),
            problems: Vec::new(),
            part: Part::default(),
            next_place: 0,
        }
    }

    /// Begins a chunk.
    pub(super) fn begin(&mut self) {
        self.next_place = 0;
    }

    /// What was found since this was asked last.
    pub(super) fn take(&mut self) -> Part {
        std::mem::take(&mut self.part)
    }

    /// Checks the lines whose end is known, until the part is full; returns where the next line
    /// starts.
    pub(super) fn check(&mut self, run: Run<'_>) -> usize {
        let Run { text, is_last, .. } = run;
        let (lines, mut at) = (self.part.lines, run.start);
        self.scratch.begin(text, at);
        while at < run.stop.min(text.len()) {
            self.place(run.offset + at as u64);
            let Some(next) = self.check_line(text, at, is_last) else {
                break;
            };
            at = next;
            if self.part.is_full() {
                break;
            }
        }
        let checked = (at - run.start) as u64;
        self.part.bytes += checked;
        self.watch.bytes.fetch_add(checked, Ordering::Relaxed);
        let lines = self.part.lines - lines;
        self.watch.lines.fetch_add(lines, Ordering::Relaxed);
        at
    }

    /// Tells of a line that is too long to be read, of which `bytes` were skipped.
    pub(super) fn skip_line(&mut self, bytes: u64) {
        self.part.bytes += bytes;
        self.watch.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.watch.lines.fetch_add(1, Ordering::Relaxed);
        self.too_long();
    }

    /// Whether enough was found to hand it on.
    pub(super) fn is_full(&self) -> bool {
        self.part.is_full()
    }

    fn place(&mut self, offset: u64) {
        if offset >= self.next_place {
            self.part.places.push((self.part.lines, offset));
            self.next_place = offset + PLACE_EVERY as u64;
        }
    }

    /// Checks the line at `start` and gives the start of the next one; None where its end is not
    /// known.
    fn check_line(&mut self, text: Padded<'_>, start: usize, is_last: bool) -> Option<usize> {
        let bytes = text.bytes();
        if let Some(accepted) = self.scratch.accept_at(text, start)
            && accepted.end - start <= self.longest
        {
            let next = behind_break(bytes, accepted.end, is_last)?;
            self.part.id_texts.extend_from_slice(accepted.id);
            self.part.ids.push(FoundId {
                hash: self.hasher.hash(accepted.id),
                line: self.part.lines,
                end: self.part.id_texts.len(),
                has_problems: false,
            });
            self.part.items += 1;
            self.part.lines += 1;
            return Some(next);
        }
        let (end, next) = end_of_line(bytes, start, is_last)?;
        let line = bytes.get(start..end).unwrap_or_default();
        if line.len() > self.longest {
            self.too_long();
        } else if is_blank(line) {
            self.part.lines += 1;
        } else {
            self.diagnose(line);
        }
        Some(next)
    }

    #[cold]
    fn diagnose(&mut self, line: &[u8]) {
        let id = diagnose(line, self.part.lines, &mut self.problems).id;
        let has_problems = !self.problems.is_empty();
        if let Some(id) = id {
            self.part.id_texts.extend_from_slice(id.as_bytes());
            self.part.ids.push(FoundId {
                hash: self.hasher.hash(id.as_bytes()),
                line: self.part.lines,
                end: self.part.id_texts.len(),
                has_problems,
            });
        }
        self.tell();
        self.part.items += u64::from(!has_problems);
        self.part.lines += 1;
    }

    fn too_long(&mut self) {
        let problem = Fault::TooLong.problem(self.part.lines);
        self.problems.push(problem);
        self.tell();
        self.part.lines += 1;
    }

    fn tell(&mut self) {
        self.part.problems += self.problems.len() as u64;
        if self.is_silent.load(Ordering::Relaxed) {
            self.problems.clear();
        }
        for problem in self.problems.drain(..) {
            self.part.told.add(problem, self.form);
        }
    }
}
