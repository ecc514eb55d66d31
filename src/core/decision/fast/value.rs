//! Free-form JSON: read, not kept.

use super::block::{Behind, Block};
use super::names::{Name, Names, Texts};

/// The names of the free-form objects that are open.
#[derive(Debug, Default)]
pub(super) struct Open {
    names: Names,
    arena: Vec<u8>,
}

impl Open {
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.arena.clear();
    }
}

impl Block<'_> {
    /// Reads a value that may nest `room` levels deep.
    #[inline(always)]
    pub(super) fn value(self, at: usize, room: usize, open: &mut Open) -> Option<usize> {
        match self.byte(at) {
            b'"' => self.quoted(at).map(|text| text.end + 1),
            b'{' => self.object(at + 1, room.checked_sub(1)?, open),
            b'[' => self.array(at + 1, room.checked_sub(1)?, open),
            b'-' | b'0'..=b'9' => self.number(at),
            _ => self.literal(at),
        }
    }

    /// Reads a string, object or array that is not blank and nests at most `room` levels deep.
    #[inline(always)]
    pub(super) fn content(self, at: usize, room: usize, open: &mut Open) -> Option<usize> {
        match self.byte(at) {
            b'"' => {
                let text = self.quoted(at)?;
                (!self.is_blank(text)).then_some(text.end + 1)
            }
            b'{' | b'[' => {
                let is_empty = matches!(self.byte(self.blanks(at + 1)), b'}' | b']');
                if is_empty {
                    None
                } else {
                    self.value(at, room, open)
                }
            }
            _ => None,
        }
    }

    fn array(self, at: usize, room: usize, open: &mut Open) -> Option<usize> {
        let mut at = self.blanks(at);
        if self.byte(at) == b']' {
            return Some(at + 1);
        }
        loop {
            at = self.value(at, room, open)?;
            match self.behind(at, b']')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => return Some(end),
            }
        }
    }

    fn object(self, at: usize, room: usize, open: &mut Open) -> Option<usize> {
        let mut at = self.blanks(at);
        if self.byte(at) == b'}' {
            return Some(at + 1);
        }
        let mut members = open.names.open();
        loop {
            let text = self.quoted(at)?;
            let name = Name::new(self, text, &mut open.arena);
            let texts = Texts {
                block: self.bytes(),
                arena: &open.arena,
            };
            open.names.add(&mut members, name, texts)?;
            at = self.colon(text.end + 1)?;
            at = self.value(at, room, open)?;
            match self.behind(at, b'}')? {
                Behind::Another(next) => at = next,
                Behind::End(end) => {
                    open.names.close(members);
                    return Some(end);
                }
            }
        }
    }
}
