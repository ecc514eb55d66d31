//! A piece of a results file: its items, and what is wrong with its other lines.

use super::batch::Batch;
use super::diagnose::diagnose;
use crate::decision::ids::Hasher;
use crate::json::Fault;
use crate::lines::{LONGEST_LINE, behind_break, end_of_line, is_blank};
use crate::pieces::Piece;
use crate::problem::Problem;

/// How the items of a part are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// With the lines that they were read from, until they have been looked at.
    Lines,
    /// Without them, for as long as they are wanted.
    Items,
}

/// Lines of a results file. They are counted from 1.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The bytes of the piece.
    pub(super) bytes: Vec<u8>,
    /// The items of lines in which nothing is wrong.
    pub(crate) batch: Batch,
    /// How many lines there are, blank ones included.
    pub(super) lines: u64,
    /// How many of them are not blank.
    pub(super) filled: u64,
    pub(super) problems: Vec<Problem>,
    /// The ids of lines with problems, where they take part in uniqueness.
    pub(super) wrong_ids: Vec<(u64, String)>,
    /// The hashes of all ids, where they are asked for.
    pub(super) hashes: Vec<u64>,
    /// The lines before their items are taken out of them.
    scratch: Batch,
}

impl Part {
    fn clear(&mut self) {
        self.batch.clear();
        self.lines = 0;
        self.filled = 0;
        self.problems.clear();
        self.wrong_ids.clear();
    }

    /// Reads the lines of a piece.
    pub(super) fn read(&mut self, piece: Piece, keep: Keep) {
        self.clear();
        match piece {
            Piece::Lines => self.read_lines(keep),
            Piece::TooLong(_) => self.too_long(),
        }
    }

    /// Makes the hashes of the ids.
    pub(super) fn hash_ids(&mut self, hasher: &Hasher) {
        let right = self.batch.iter().map(|item| item.id());
        let wrong = self.wrong_ids.iter().map(|(_, id)| id.as_str());
        let hash = |id: &str| hasher.hash(id.as_bytes()).part();
        self.hashes.clear();
        self.hashes.extend(right.chain(wrong).map(hash));
    }

    /// Reads whole lines.
    fn read_lines(&mut self, keep: Keep) {
        let bytes = std::mem::take(&mut self.bytes);
        let mut batch = match keep {
            Keep::Lines => std::mem::take(&mut self.batch),
            Keep::Items => std::mem::take(&mut self.scratch),
        };
        batch.clear();
        match simdutf8::basic::from_utf8(&bytes) {
            Ok(text) => self.read_text(text, &mut batch, keep),
            // Some line is not UTF-8: each one is looked at by itself.
            Err(_) => self.read_bytes(&bytes, &mut batch, keep),
        }
        self.bytes = bytes;
        if keep == Keep::Lines {
            self.batch = batch;
            return;
        }
        self.batch = batch.take_items();
        self.scratch = batch;
    }

    fn read_text(&mut self, text: &str, batch: &mut Batch, keep: Keep) {
        batch.set_source(text);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if let Some(end) = batch.push_at(at, self.lines + 1, keep)
                && end - at <= LONGEST_LINE
            {
                self.lines += 1;
                self.filled += 1;
                at = behind_break(bytes, end, true).unwrap_or(bytes.len());
                continue;
            }
            at = self.diagnose_at(bytes, at);
        }
    }

    fn read_bytes(&mut self, bytes: &[u8], batch: &mut Batch, keep: Keep) {
        let mut at = 0;
        while let Some((end, next)) = end_of_line(bytes, at, true).filter(|_| at < bytes.len()) {
            let line = bytes.get(at..end).unwrap_or_default();
            let is_item = simdutf8::basic::from_utf8(line)
                .is_ok_and(|line| batch.push_line(line, self.lines + 1, keep));
            if is_item {
                self.lines += 1;
                self.filled += 1;
                at = next;
            } else {
                at = self.diagnose_at(bytes, at);
            }
        }
    }

    /// Tells what is wrong with the line at `start`; gives the start of the next one.
    #[cold]
    fn diagnose_at(&mut self, bytes: &[u8], start: usize) -> usize {
        let Some((end, next)) = end_of_line(bytes, start, true) else {
            return bytes.len();
        };
        let line = bytes.get(start..end).unwrap_or_default();
        if line.len() > LONGEST_LINE {
            self.too_long();
        } else if is_blank(line) {
            self.lines += 1;
        } else {
            self.lines += 1;
            self.filled += 1;
            if let Some(id) = diagnose(line, self.lines, &mut self.problems) {
                self.wrong_ids.push((self.lines, id));
            }
        }
        next
    }

    fn too_long(&mut self) {
        self.lines += 1;
        self.filled += 1;
        self.problems.push(Fault::TooLong.problem(self.lines));
    }
}
