//! What was found in a part of a file, with lines counted from its start.

use super::form::Form;
use crate::decision::ids::Hash;
use crate::problem::Problem;

/// A part is handed on when it tells this many bytes, or so many problems as they are.
const FULL_TEXT: usize = 1 << 20;
const FULL_OBJECTS: usize = 4 << 10;

/// What was found in a part of a file.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Lines that start in the part.
    pub(super) lines: u64,
    pub(super) items: u64,
    pub(super) bytes: u64,
    pub(super) ids: Vec<FoundId>,
    /// The texts of the ids, one behind the other.
    pub(super) id_texts: Vec<u8>,
    pub(super) told: Told,
    /// How many problems there are; some may not be told.
    pub(super) problems: u64,
    /// Lines, counted from 0, and where they start in the file.
    pub(super) places: Vec<(u64, u64)>,
}

/// An id of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundId {
    pub(super) hash: Hash,
    /// Counted from 0.
    pub(super) line: u64,
    /// Where its text ends.
    pub(super) end: usize,
    pub(super) has_problems: bool,
}

/// Problems in the order of their lines, which are counted from 0.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) objects: Vec<Problem>,
    /// Each problem's line, and where its text ends.
    pub(super) ends: Vec<(u64, usize)>,
    pub(super) text: Vec<u8>,
}

impl Told {
    pub(super) fn add(&mut self, problem: Problem, form: &Form) {
        if *form == Form::Objects {
            self.objects.push(problem);
        } else {
            form.write_rest(&problem, &mut self.text);
            self.ends.push((problem.line, self.text.len()));
        }
    }
}

impl Part {
    /// Whether the part should be handed on before it grows further.
    pub(super) fn is_full(&self) -> bool {
        self.told.text.len() + self.told.ends.len() * 16 > FULL_TEXT
            || self.told.objects.len() > FULL_OBJECTS
            || self.id_texts.len() > FULL_TEXT
    }
}
