//! JSON for people and programs: one line for each small thing, indented blocks for the rest.

use crate::json::{push_double, push_text, push_whole};

/// A document that is written from start to end.
#[derive(Debug, Default)]
pub(super) struct Layout {
    text: String,
    open: Vec<Level>,
}

#[derive(Debug)]
struct Level {
    closing: char,
    /// Whether each value in it has a line of its own.
    is_block: bool,
    is_empty: bool,
}

impl Layout {
    /// The document, with a last line break.
    pub(super) fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }

    /// Opens an object whose members have lines of their own.
    pub(super) fn block(&mut self) {
        self.open('{', '}', true);
    }

    /// Opens an object that is one line.
    pub(super) fn line(&mut self) {
        self.open('{', '}', false);
    }

    /// Opens a list whose entries have lines of their own.
    pub(super) fn list(&mut self) {
        self.open('[', ']', true);
    }

    /// Opens a list that is one line.
    pub(super) fn short_list(&mut self) {
        self.open('[', ']', false);
    }

    fn open(&mut self, opening: char, closing: char, is_block: bool) {
        self.text.push(opening);
        self.open.push(Level {
            closing,
            is_block,
            is_empty: true,
        });
    }

    /// Closes what was opened last.
    pub(super) fn close(&mut self) {
        if let Some(level) = self.open.pop() {
            if level.is_block && !level.is_empty {
                self.break_line();
            }
            self.text.push(level.closing);
        }
    }

    /// Goes to the next entry of a list.
    pub(super) fn entry(&mut self) {
        let Some(level) = self.open.last_mut() else {
            return;
        };
        let is_first = std::mem::replace(&mut level.is_empty, false);
        let is_block = level.is_block;
        if !is_first {
            self.text.push(',');
        }
        if is_block {
            self.break_line();
        } else if !is_first {
            self.text.push(' ');
        }
    }

    /// Goes to the next member of an object.
    pub(super) fn name(&mut self, name: &str) {
        self.entry();
        push_text(&mut self.text, name);
        self.text.push_str(": ");
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        for _ in &self.open {
            self.text.push_str("  ");
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        push_text(&mut self.text, text);
    }

    pub(super) fn text_or_null(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.null(),
        }
    }

    pub(super) fn null(&mut self) {
        self.text.push_str("null");
    }

    pub(super) fn boolean(&mut self, holds: bool) {
        self.text.push_str(if holds { "true" } else { "false" });
    }

    /// Writes a member that is a whole number.
    pub(super) fn whole(&mut self, name: &str, number: u64) {
        self.name(name);
        push_whole(&mut self.text, number);
    }

    /// Writes a member that is a number, or null where it is not defined.
    pub(super) fn double(&mut self, name: &str, number: Option<f64>) {
        self.name(name);
        match number {
            Some(number) => push_double(&mut self.text, number),
            None => self.null(),
        }
    }
}
