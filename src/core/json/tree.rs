//! The shape of a line that was read: its values as spans, in the order they stand.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};
use std::ops::{ControlFlow, Range};

use super::fault::Fault;
use super::read::Reader;
use super::text::unescape;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the six kinds of JSON")]
pub enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    Array,
    Object,
}

/// Stands for the end of a member name where a value is an element of an array.
pub(super) const NO_NAME: u32 = u32::MAX;

/// A value and where it stands. Offsets fit 32 bits, since a longer line is not read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The member's name was used before in its object.
    pub(super) is_repeat: bool,
    /// Levels of containers, this one included; 0 for what is no container.
    pub(super) height: u16,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The member name between its quotes; the place in the array for an element.
    pub(super) name_start: u32,
    pub(super) name_end: u32,
    /// The first node behind this value.
    pub(super) next: u32,
}

/// A line of JSON: its values in the order they stand.
#[derive(Debug)]
pub struct Tree<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node>,
    pub(super) has_repeats: bool,
}

impl<'a> Tree<'a> {
    /// Reads a line.
    ///
    /// Inside the members of the root that `free_form` names, only what repeated members need is
    /// kept, so that a large free-form value costs no memory: do not look into them.
    pub fn read(line: &'a [u8], free_form: &[&str]) -> Result<Self, Fault> {
        let text = simdutf8::compat::from_utf8(line).map_err(|error| Fault::InvalidUtf8 {
            byte: error.valid_up_to(),
        })?;
        Reader::read(text, free_form)
    }

    /// Every value that was kept, in the order they stand.
    pub fn values(&self) -> impl Iterator<Item = Value<'_>> {
        (0_u32..)
            .zip(&self.nodes)
            .map(|(index, _)| Value { tree: self, index })
    }

    /// The value that is the line.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value {
            tree: self,
            index: 0,
        }
    }

    /// Gives the paths of members that are repeated, in the order the repeats stand, each path
    /// once, with the value of its first repeat; until `each` breaks.
    pub fn each_repeat(&self, mut each: impl FnMut(&str, Value<'_>) -> ControlFlow<()>) {
        if !self.has_repeats {
            return;
        }
        let mut told = HashSet::new();
        let mut path = Path::new();
        for (index, node) in (0_u32..).zip(&self.nodes).skip(1) {
            if !node.is_repeat && node.next == index + 1 {
                // No path leads through what holds nothing.
                continue;
            }
            let value = Value { tree: self, index };
            path.enter(index, node, value.name().as_deref());
            if node.is_repeat && told.insert(path.hash()) && each(&path.text, value).is_break() {
                return;
            }
        }
    }
}

/// The path of the value that a walk over a tree has come to.
struct Path {
    text: String,
    /// For each value around: the node behind it, the length of its path, and the hash so far.
    around: Vec<(u32, usize, PathHash)>,
    empty: PathHash,
}

/// Hashes a path as it grows, since to hash each path anew would not be linear.
type PathHash = [DefaultHasher; 2];

impl Path {
    fn new() -> Self {
        Self {
            text: String::new(),
            around: Vec::new(),
            empty: [0; 2].map(|_| RandomState::new().build_hasher()),
        }
    }

    fn enter(&mut self, index: u32, node: &Node, name: Option<&str>) {
        while self.around.last().is_some_and(|&(next, ..)| next <= index) {
            self.around.pop();
        }
        let (length, mut hash) = match self.around.last() {
            Some((_, length, hash)) => (*length, hash.clone()),
            None => (0, self.empty.clone()),
        };
        self.text.truncate(length);
        match name {
            Some(name) => {
                if !self.around.is_empty() {
                    self.text.push('.');
                }
                self.text.push_str(name);
            }
            // Writing to a string cannot fail.
            None => _ = write!(self.text, "[{}]", node.name_start),
        }
        let added = self.text.as_bytes().get(length..).unwrap_or_default();
        for hash in &mut hash {
            hash.write(added);
        }
        self.around.push((node.next, self.text.len(), hash));
    }

    /// A keyed hash of 128 bits, which decides.
    fn hash(&self) -> [u64; 2] {
        let (.., hash) = self
            .around
            .last()
            .unwrap_or(&(0, 0, self.empty.clone()))
            .clone();
        hash.map(|hash| hash.finish())
    }
}

/// A value of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    tree: &'t Tree<'t>,
    index: u32,
}

impl<'t> Value<'t> {
    fn node(self) -> Option<&'t Node> {
        self.tree.nodes.get(self.index as usize)
    }

    /// The kind.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.node().map_or(Kind::Null, |node| node.kind)
    }

    /// Whether the value is text, or an object or array.
    #[must_use]
    pub fn is_content(self) -> bool {
        matches!(self.kind(), Kind::String | Kind::Array | Kind::Object)
    }

    /// How many values stand in front of this one, the ones it is in counted.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// Where the name of the member stands in the line, between its quotes; None where there is no
    /// name.
    #[must_use]
    pub fn name_span(self) -> Option<Range<usize>> {
        let node = self.node().filter(|node| node.name_end != NO_NAME)?;
        Some(node.name_start as usize..node.name_end as usize)
    }

    /// Where the value stands in the line.
    #[must_use]
    pub fn span(self) -> Range<usize> {
        self.node()
            .map_or(0..0, |node| node.start as usize..node.end as usize)
    }

    /// The value as it was written.
    #[must_use]
    pub fn literal(self) -> &'t str {
        self.tree.text.get(self.span()).unwrap_or_default()
    }

    /// The text of a string, unescaped.
    #[must_use]
    pub fn string(self) -> Option<Cow<'t, str>> {
        if self.kind() != Kind::String {
            return None;
        }
        let literal = self.literal();
        let inner = literal.get(1..literal.len().saturating_sub(1));
        Some(unescape(inner.unwrap_or_default()))
    }

    /// The digits of a number without fraction and exponent, with its sign.
    #[must_use]
    pub fn whole_number(self) -> Option<&'t str> {
        Some(self.literal())
            .filter(|literal| self.kind() == Kind::Number && !literal.contains(['.', 'e', 'E']))
    }

    /// Levels of containers, this one included; 0 for what is no container.
    #[must_use]
    pub fn height(self) -> usize {
        self.node().map_or(0, |node| usize::from(node.height))
    }

    /// Whether the value is an object or array with nothing in it.
    #[must_use]
    pub fn is_empty_container(self) -> bool {
        let literal = self.literal();
        let inner = literal.get(1..literal.len().saturating_sub(1));
        self.height() == 1 && inner.unwrap_or_default().trim().is_empty()
    }

    /// The unescaped name of the member that this is the value of; None for the root and for an
    /// element of an array.
    #[must_use]
    pub fn name(self) -> Option<Cow<'t, str>> {
        let name = self.tree.text.get(self.name_span()?);
        Some(unescape(name.unwrap_or_default()))
    }

    /// Whether the member's name was used before in its object.
    #[must_use]
    pub fn is_repeat(self) -> bool {
        self.node().is_some_and(|node| node.is_repeat)
    }

    /// The values in an object or array, repeats of a member included.
    #[must_use]
    pub fn children(self) -> Members<'t> {
        Members {
            tree: self.tree,
            index: self.index + 1,
            end: self.node().map_or(0, |node| node.next),
        }
    }

    /// The members of an object by their first use.
    pub fn members(self) -> impl Iterator<Item = (Cow<'t, str>, Value<'t>)> {
        self.children()
            .filter(|value| !value.is_repeat())
            .filter_map(|value| Some((value.name()?, value)))
    }

    /// The first member of that name.
    #[must_use]
    pub fn member(self, name: &str) -> Option<Value<'t>> {
        self.members()
            .find_map(|(known, value)| (known == name).then_some(value))
    }
}

/// The values in an object or array.
#[derive(Clone, Debug)]
pub struct Members<'t> {
    tree: &'t Tree<'t>,
    index: u32,
    end: u32,
}

impl<'t> Iterator for Members<'t> {
    type Item = Value<'t>;

    fn next(&mut self) -> Option<Value<'t>> {
        if self.index >= self.end {
            return None;
        }
        let value = Value {
            tree: self.tree,
            index: self.index,
        };
        self.index = value.node().map_or(self.end, |node| node.next);
        Some(value)
    }
}
