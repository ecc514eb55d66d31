//! The grammar, without recursion: open brackets stand on a stack of at most 512.

use std::borrow::Cow;
use std::collections::HashSet;

use super::fault::{Expectation, Fault};
use super::text::unescape;
use super::tree::{Kind, NO_NAME, Node, Tree};
use crate::lines::LONGEST_LINE;

/// The deepest level that is read; the line itself is level 1.
pub const DEEPEST: usize = 512;

/// Up to this many members, comparing each with each beats a table.
const FEW_MEMBERS: usize = 12;

/// An object or array that is not closed yet.
struct Open {
    node: usize,
    is_object: bool,
    is_free_form: bool,
    holds_repeats: bool,
    children: u32,
    height: u16,
}

/// Where a value belongs.
#[derive(Clone, Copy)]
struct Place {
    name_start: u32,
    name_end: u32,
}

pub(super) struct Reader<'a, 'n> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    nodes: Vec<Node>,
    open: Vec<Open>,
    names: Vec<Cow<'a, str>>,
    free_form: &'n [&'n str],
    has_repeats: bool,
}

impl<'a> Reader<'a, '_> {
    pub(super) fn read(text: &'a str, free_form: &[&str]) -> Result<Tree<'a>, Fault> {
        if text.len() > LONGEST_LINE {
            return Err(Fault::TooLong);
        }
        let mut reader = Reader {
            text,
            at: 0,
            nodes: Vec::with_capacity(64),
            open: Vec::with_capacity(8),
            names: Vec::new(),
            free_form,
            has_repeats: false,
        };
        reader.line()?;
        Ok(Tree {
            text,
            nodes: reader.nodes,
            has_repeats: reader.has_repeats,
        })
    }

    fn line(&mut self) -> Result<(), Fault> {
        let mut place = Place {
            name_start: 0,
            name_end: NO_NAME,
        };
        let mut expected = Expectation::Value;
        loop {
            self.skip_space();
            let next = match self.peek() {
                Some(b'{') => {
                    self.open(place, Kind::Object)?;
                    self.first_member()?
                }
                Some(b'[') => {
                    self.open(place, Kind::Array)?;
                    self.first_element()
                }
                _ => {
                    self.scalar(place, expected)?;
                    None
                }
            };
            expected = match next {
                Some((first, expectation)) => {
                    place = first;
                    expectation
                }
                None => match self.after_value()? {
                    Some(following) => {
                        place = following;
                        Expectation::Value
                    }
                    None => return Ok(()),
                },
            };
        }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// Whether the next byte is this one, which is then taken.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn fault(&self, expected: Expectation) -> Fault {
        Fault::InvalidJson {
            byte: self.at,
            expected,
            at_end: self.at == self.text.len(),
        }
    }

    fn offset(at: usize) -> u32 {
        // The longest line's offsets fit 32 bits.
        u32::try_from(at).unwrap_or(NO_NAME)
    }

    fn push(&mut self, place: Place, kind: Kind, start: usize, height: u16) {
        let index = Self::offset(self.nodes.len());
        self.nodes.push(Node {
            kind,
            is_repeat: false,
            height,
            start: Self::offset(start),
            end: Self::offset(self.at),
            name_start: place.name_start,
            name_end: place.name_end,
            next: index + 1,
        });
    }

    fn open(&mut self, place: Place, kind: Kind) -> Result<(), Fault> {
        if self.open.len() >= DEEPEST {
            return Err(Fault::TooDeep { byte: self.at });
        }
        let is_free_form = match self.open.as_slice() {
            [] => false,
            [_] => {
                let span = place.name_start as usize..place.name_end as usize;
                let name = self.text.get(span).unwrap_or_default();
                self.free_form.contains(&name)
            }
            [.., parent] => parent.is_free_form,
        };
        self.open.push(Open {
            node: self.nodes.len(),
            is_object: kind == Kind::Object,
            is_free_form,
            holds_repeats: false,
            children: 0,
            height: 0,
        });
        let start = self.at;
        self.at += 1;
        self.push(place, kind, start, 0);
        Ok(())
    }

    fn first_member(&mut self) -> Result<Option<(Place, Expectation)>, Fault> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => Ok(Some((self.name()?, Expectation::Value))),
            Some(b'}') => Ok(None),
            _ => Err(self.fault(Expectation::NameOrEnd)),
        }
    }

    fn first_element(&mut self) -> Option<(Place, Expectation)> {
        self.skip_space();
        (self.peek() != Some(b']')).then(|| (self.element(), Expectation::ValueOrEnd))
    }

    /// Takes a member name and its colon.
    fn name(&mut self) -> Result<Place, Fault> {
        let start = self.at;
        self.string()?;
        let place = Place {
            name_start: Self::offset(start + 1),
            name_end: Self::offset(self.at - 1),
        };
        self.skip_space();
        if !self.take(b':') {
            return Err(self.fault(Expectation::Colon));
        }
        if let Some(object) = self.open.last_mut() {
            object.children += 1;
        }
        Ok(place)
    }

    /// The place of the next element of the innermost array.
    fn element(&mut self) -> Place {
        let place = self.open.last_mut().map_or(0, |array| {
            array.children += 1;
            array.children - 1
        });
        Place {
            name_start: place,
            name_end: NO_NAME,
        }
    }

    /// Goes on behind a value, closing what closes there: to the place of the next value, or to
    /// the end of the line.
    fn after_value(&mut self) -> Result<Option<Place>, Fault> {
        loop {
            self.skip_space();
            let byte = self.peek();
            match (self.open.last().map(|open| open.is_object), byte) {
                (None, None) => return Ok(None),
                (None, Some(_)) => return Err(self.fault(Expectation::EndOfLine)),
                (Some(true), Some(b',')) => {
                    self.at += 1;
                    self.skip_space();
                    if self.peek() != Some(b'"') {
                        return Err(self.fault(Expectation::Name));
                    }
                    return Ok(Some(self.name()?));
                }
                (Some(false), Some(b',')) => {
                    self.at += 1;
                    return Ok(Some(self.element()));
                }
                (Some(true), Some(b'}')) | (Some(false), Some(b']')) => self.close(),
                (Some(true), _) => return Err(self.fault(Expectation::CommaOrBrace)),
                (Some(false), _) => return Err(self.fault(Expectation::CommaOrBracket)),
            }
        }
    }

    fn close(&mut self) {
        self.at += 1;
        let Some(mut closed) = self.open.pop() else {
            return;
        };
        if closed.is_object && closed.children > 1 {
            closed.holds_repeats |= self.mark_repeats(&closed);
        }
        if closed.is_free_form && !closed.holds_repeats {
            self.nodes.truncate(closed.node + 1);
        }
        self.has_repeats |= closed.holds_repeats;
        let height = closed.height + 1;
        let next = Self::offset(self.nodes.len());
        let end = Self::offset(self.at);
        if let Some(node) = self.nodes.get_mut(closed.node) {
            (node.end, node.next, node.height) = (end, next, height);
        }
        if let Some(parent) = self.open.last_mut() {
            parent.height = parent.height.max(height);
            parent.holds_repeats |= closed.holds_repeats;
            if parent.is_free_form && !parent.is_object && !closed.holds_repeats {
                self.nodes.truncate(closed.node);
            }
        }
    }

    /// Marks the members of an object whose name was used before in it; whether there are any.
    fn mark_repeats(&mut self, object: &Open) -> bool {
        self.names.clear();
        let mut at = object.node + 1;
        while let Some(node) = self.nodes.get(at) {
            let span = node.name_start as usize..node.name_end as usize;
            self.names
                .push(unescape(self.text.get(span).unwrap_or_default()));
            at = node.next as usize;
        }
        let is_unique = if self.names.len() <= FEW_MEMBERS {
            (1..)
                .zip(&self.names)
                .all(|(after, name)| !self.names.iter().skip(after).any(|other| other == name))
        } else {
            let mut seen = HashSet::with_capacity(self.names.len());
            self.names.iter().all(|name| seen.insert(name.as_ref()))
        };
        if is_unique {
            return false;
        }
        let mut seen = HashSet::with_capacity(self.names.len());
        let mut at = object.node + 1;
        for name in &self.names {
            if let Some(node) = self.nodes.get_mut(at) {
                node.is_repeat = !seen.insert(name.as_ref());
                at = node.next as usize;
            }
        }
        true
    }

    fn scalar(&mut self, place: Place, expected: Expectation) -> Result<(), Fault> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => {
                self.string()?;
                Kind::String
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Kind::Number
            }
            Some(b't') => self.literal("true", Kind::True)?,
            Some(b'f') => self.literal("false", Kind::False)?,
            Some(b'n') => self.literal("null", Kind::Null)?,
            _ => return Err(self.fault(expected)),
        };
        let is_kept = self
            .open
            .last()
            .is_none_or(|parent| parent.is_object || !parent.is_free_form);
        if is_kept {
            self.push(place, kind, start, 0);
        }
        Ok(())
    }
}
