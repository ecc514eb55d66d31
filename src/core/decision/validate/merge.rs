//! Takes the parts of a file in their order: gives lines their numbers, finds ids again, tells.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::form::Form;
use super::part::{Part, Told};
use super::{Batch, Plan, Summary};
use crate::decision::diagnose::duplicate_id;
use crate::decision::ids::{Id, Ids};
use crate::problem::Problem;

/// How many ids are looked up together.
const TOGETHER: usize = 32;
/// A batch is told when it has this many bytes.
const BATCH: usize = 64 << 10;
/// A batch of problems as they are is told when it has so many.
const OBJECTS: usize = 1 << 10;

/// Merges parts.
pub(super) struct Merger<'m> {
    ids: Ids,
    summary: Summary,
    teller: Teller<'m>,
}

impl<'m> Merger<'m> {
    pub(super) fn new(
        plan: &'m Plan,
        is_silent: &'m AtomicBool,
        ids: Ids,
        tell: &'m mut dyn FnMut(Batch),
    ) -> Self {
        Self {
            ids,
            summary: Summary::default(),
            teller: Teller {
                form: &plan.form,
                left: plan.most_problems,
                is_silent,
                objects: Vec::new(),
                text: Vec::new(),
                tell,
            },
        }
    }

    /// Takes the next part.
    pub(super) fn push(&mut self, part: Part) -> io::Result<()> {
        // Lines are counted from 0 in a part and from 1 in the file.
        let first = self.summary.lines + 1;
        self.summary.lines += part.lines;
        self.summary.items += part.items;
        self.summary.bytes += part.bytes;
        self.summary.problems += part.problems;
        for &(line, offset) in &part.places {
            self.ids.place(first + line, offset);
        }
        let repeats = self.find_repeats(&part, first)?;
        self.summary.problems += repeats.len() as u64;
        self.teller.tell_part(part.told, repeats, first);
        Ok(())
    }

    /// Tells what is known only at the end.
    pub(super) fn finish(self) -> io::Result<Summary> {
        let Self {
            ids,
            mut summary,
            mut teller,
        } = self;
        ids.finish(|repeat| {
            summary.items -= u64::from(!repeat.has_problems);
            summary.problems += 1;
            teller.tell_one(duplicate_id(repeat.line, &repeat.id, repeat.first_line));
        })?;
        teller.flush();
        Ok(summary)
    }

    /// The problems of the ids that an earlier line has.
    fn find_repeats(&mut self, part: &Part, first: u64) -> io::Result<Vec<Problem>> {
        let mut repeats = Vec::new();
        let mut start = 0;
        let mut groups = part.ids.chunks(TOGETHER).peekable();
        while let Some(ids) = groups.next() {
            // While these are looked up, the memory for the next ones is on its way.
            let next = groups.peek().copied().unwrap_or_default();
            self.ids.prepare(next.iter().map(|id| id.hash));
            for found in ids {
                let text = part.id_texts.get(start..found.end).unwrap_or_default();
                start = found.end;
                let id = Id {
                    hash: found.hash,
                    text,
                    line: first + found.line,
                    has_problems: found.has_problems,
                };
                if let Some(first_line) = self.ids.first_line(id)? {
                    let text = String::from_utf8_lossy(text);
                    repeats.push(duplicate_id(id.line, &text, first_line));
                    self.summary.items -= u64::from(!id.has_problems);
                }
            }
        }
        Ok(repeats)
    }
}

/// Hands problems on in batches, as many as are wanted.
struct Teller<'m> {
    form: &'m Form,
    /// How many more may be told.
    left: u64,
    is_silent: &'m AtomicBool,
    objects: Vec<Problem>,
    text: Vec<u8>,
    tell: &'m mut dyn FnMut(Batch),
}

impl Teller<'_> {
    /// Tells the problems of a part in the order of their lines, a repeated id last in its line.
    fn tell_part(&mut self, told: Told, repeats: Vec<Problem>, first: u64) {
        let mut repeats = repeats.into_iter().peekable();
        for mut problem in told.objects {
            problem.line += first;
            while let Some(repeat) = repeats.next_if(|repeat| repeat.line < problem.line) {
                self.tell_one(repeat);
            }
            self.tell_one(problem);
        }
        let mut start = 0;
        for (line, end) in told.ends {
            let line = first + line;
            while let Some(repeat) = repeats.next_if(|repeat| repeat.line < line) {
                self.tell_one(repeat);
            }
            if self.may_tell() {
                self.form.write_line(line, &mut self.text);
                let rest = told.text.get(start..end).unwrap_or_default();
                self.text.extend_from_slice(rest);
                self.flush_when_large();
            }
            start = end;
        }
        for repeat in repeats {
            self.tell_one(repeat);
        }
        // What was found is told before more is looked for.
        self.flush();
    }

    fn tell_one(&mut self, problem: Problem) {
        if !self.may_tell() {
            return;
        }
        if *self.form == Form::Objects {
            self.objects.push(problem);
        } else {
            self.form.write_line(problem.line, &mut self.text);
            self.form.write_rest(&problem, &mut self.text);
        }
        self.flush_when_large();
    }

    fn may_tell(&mut self) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_silent.store(true, Ordering::Relaxed);
            return false;
        };
        self.left = left;
        true
    }

    fn flush_when_large(&mut self) {
        if self.text.len() >= BATCH || self.objects.len() >= OBJECTS {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            (self.tell)(Batch::Rendered(std::mem::take(&mut self.text)));
        }
        if !self.objects.is_empty() {
            (self.tell)(Batch::Problems(std::mem::take(&mut self.objects)));
        }
    }
}
