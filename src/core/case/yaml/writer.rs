//! Writes nodes as JSON text while they are read, and copies what aliases stand for.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use super::LARGEST;
use super::scalar::Scalar;
use crate::case::file::{Entry, Told};
use crate::case::place::Lines;
use crate::json::DEEPEST;
use crate::problem::{Code, Problem};

/// How many aliases may be expanded, those inside of what an alias stands for included.
const MOST_EXPANSIONS: usize = 10_000;

/// A file as JSON text: a list of values, the place of each, and the lines of everything in it.
#[derive(Default)]
pub(in crate::case) struct Rendered {
    pub(in crate::case) json: Vec<u8>,
    pub(in crate::case) entries: Vec<Entry>,
    /// The lines of the values in the entries, in the order they stand.
    pub(in crate::case) lines: Vec<Lines>,
}

/// Where a value starts in what is written.
#[derive(Clone, Copy)]
pub(super) struct Start {
    json: usize,
    lines: usize,
}

/// How much a value holds.
#[derive(Clone, Copy, Default)]
struct Size {
    /// Levels of containers.
    height: usize,
    /// Aliases that were expanded in it.
    expansions: usize,
}

/// What an anchor names, as it was written.
#[derive(Clone)]
struct Anchored {
    json: Range<usize>,
    /// The lines of what is in it.
    lines: Range<usize>,
    size: Size,
}

/// A list or object that is not closed yet.
struct Open {
    start: Start,
    anchor: Option<String>,
    path_length: usize,
    children: usize,
    size: Size,
    /// The keys that were used, of an object.
    keys: Option<HashSet<String>>,
    /// The line of the key whose value comes next, of an object.
    key_line: Option<u32>,
}

/// Writes one file. Methods that may have to give up return None then, having told why.
pub(super) struct Writer<'t> {
    pub(super) made: Rendered,
    told: &'t mut Vec<Told>,
    /// How many containers are open where an entry starts: 1 in a list of them, 0 for a document
    /// that is one.
    entry_depth: usize,
    open: Vec<Open>,
    anchors: HashMap<String, Anchored>,
    path: String,
    expansions: usize,
    expanded_bytes: usize,
}

impl<'t> Writer<'t> {
    pub(super) fn new(told: &'t mut Vec<Told>, entry_depth: usize) -> Self {
        Self {
            made: Rendered::default(),
            told,
            entry_depth,
            open: Vec::new(),
            anchors: HashMap::new(),
            path: String::new(),
            expansions: 0,
            expanded_bytes: 0,
        }
    }

    /// Tells a problem of the place that is being written.
    pub(super) fn tell(&mut self, line: u32, code: Code, message: &str) {
        let list = self.open.first().filter(|_| self.entry_depth == 1);
        let path = self.path.strip_prefix('.').unwrap_or(&self.path);
        self.told.push(Told {
            case: list.and_then(|list| list.children.checked_sub(1)),
            problem: Problem {
                line: line.into(),
                code,
                path: path.to_owned(),
                byte: None,
                message: message.to_owned(),
            },
        });
    }

    /// Tells a problem that ends the reading.
    pub(super) fn stop(&mut self, line: u32, code: Code, message: &str) -> Option<()> {
        self.tell(line, code, message);
        None
    }

    /// Whether nothing is open: the root comes next, or is over.
    pub(super) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether a key comes next.
    pub(super) fn awaits_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.keys.is_some() && open.key_line.is_none())
    }

    pub(super) fn key(&mut self, name: &str, line: u32) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        open.key_line = Some(line);
        if open.children > 0 {
            self.made.json.push(b',');
        }
        open.children += 1;
        let is_used = open
            .keys
            .as_mut()
            .is_some_and(|keys| !keys.insert(name.to_owned()));
        push_text(&mut self.made.json, name);
        self.made.json.push(b':');
        self.path.push('.');
        self.path.push_str(name);
        if is_used {
            // The path of a case begins with its place in the list, that of a document with a dot.
            let in_case = self.path.split_once('.').map_or("", |(_, path)| path);
            let message = format!("'{in_case}' appears more than once.");
            self.tell(line, Code::DuplicateMember, &message);
        }
    }

    /// Writes what stands before a value and notes its lines.
    pub(super) fn begin(&mut self, line: u32) -> Start {
        let mut member = line;
        let depth = self.open.len();
        if let Some(open) = self.open.last_mut() {
            if let Some(key_line) = open.key_line.take() {
                member = key_line;
            } else {
                if open.children > 0 {
                    self.made.json.push(b',');
                }
                // Writing to a string cannot fail.
                let _ = write!(self.path, "[{}]", open.children);
                open.children += 1;
            }
        }
        let start = Start {
            json: self.made.json.len(),
            lines: self.made.lines.len(),
        };
        if depth == self.entry_depth {
            self.made.entries.push(Entry {
                offset: start.json as u64,
                length: 0,
                line,
                first_lines: u32::try_from(start.lines).unwrap_or(u32::MAX),
            });
        }
        if depth >= self.entry_depth {
            self.made.lines.push(Lines {
                member,
                value: line,
            });
        }
        start
    }

    pub(super) fn finish_scalar(&mut self, start: Start, anchor: Option<String>) {
        self.finish(start, anchor, Size::default());
    }

    /// Notes what a value that has been written holds, and names it.
    fn finish(&mut self, start: Start, anchor: Option<String>, size: Size) {
        let json = start.json..self.made.json.len();
        if self.open.len() == self.entry_depth
            && let Some(entry) = self.made.entries.last_mut()
        {
            entry.length = u32::try_from(json.len()).unwrap_or(u32::MAX);
        }
        if let Some(parent) = self.open.last_mut() {
            parent.size.height = parent.size.height.max(size.height);
            parent.size.expansions += size.expansions;
            self.path.truncate(parent.path_length);
        }
        if let Some(anchor) = anchor {
            let lines = (start.lines + 1).min(self.made.lines.len())..self.made.lines.len();
            self.anchors.insert(anchor, Anchored { json, lines, size });
        }
    }

    pub(super) fn scalar(&mut self, value: &str, resolved: Scalar<'_>, line: u32) {
        let json = &mut self.made.json;
        match resolved {
            Scalar::Text => push_text(json, value),
            Scalar::Null => json.extend_from_slice(b"null"),
            Scalar::Boolean(true) => json.extend_from_slice(b"true"),
            Scalar::Boolean(false) => json.extend_from_slice(b"false"),
            Scalar::Number(number) => json.extend_from_slice(number.as_bytes()),
            Scalar::NotFinite => {
                json.extend_from_slice(b"null");
                let message = format!("{value} is not a number of JSON.");
                self.tell(line, Code::InvalidNumber, &message);
            }
            Scalar::TooLarge => {
                json.extend_from_slice(b"null");
                let message = "The number is outside the range of a double.";
                self.tell(line, Code::InvalidNumber, message);
            }
        }
    }

    pub(super) fn open(
        &mut self,
        start: Start,
        anchor: Option<String>,
        is_object: bool,
        line: u32,
    ) -> Option<()> {
        if self.open.len() >= DEEPEST {
            return self.too_deep(line);
        }
        self.made.json.push(if is_object { b'{' } else { b'[' });
        self.open.push(Open {
            start,
            anchor,
            path_length: self.path.len(),
            children: 0,
            size: Size::default(),
            keys: is_object.then(HashSet::new),
            key_line: None,
        });
        Some(())
    }

    fn too_deep(&mut self, line: u32) -> Option<()> {
        let message = format!("The file nests deeper than {DEEPEST} levels.");
        self.stop(line, Code::TooDeep, &message)
    }

    pub(super) fn close(&mut self) {
        if let Some(closed) = self.open.pop() {
            let bracket = if closed.keys.is_some() { b'}' } else { b']' };
            self.made.json.push(bracket);
            let size = Size {
                height: closed.size.height + 1,
                expansions: closed.size.expansions,
            };
            self.finish(closed.start, closed.anchor, size);
        }
    }

    /// Copies what an anchor names.
    pub(super) fn alias(&mut self, anchor: &str, start: Start, line: u32) -> Option<()> {
        let Some(named) = self.anchors.get(anchor).cloned() else {
            let message = format!("'*{anchor}' stands for nothing: no '&{anchor}' ends before it.");
            self.tell(line, Code::InvalidYaml, &message);
            self.made.json.extend_from_slice(b"null");
            self.finish(start, None, Size::default());
            return Some(());
        };
        let size = Size {
            height: named.size.height,
            expansions: named.size.expansions + 1,
        };
        self.expansions += size.expansions;
        self.expanded_bytes += named.json.len();
        if self.expansions > MOST_EXPANSIONS {
            let message = "The file expands more than 10,000 aliases.";
            return self.stop(line, Code::TooLarge, message);
        }
        if self.expanded_bytes > LARGEST {
            let message = "The aliases of the file stand for more than 10 MiB.";
            return self.stop(line, Code::TooLarge, message);
        }
        if self.open.len() + size.height > DEEPEST {
            return self.too_deep(line);
        }
        self.made.json.extend_from_within(named.json);
        self.made.lines.extend_from_within(named.lines);
        self.finish(start, None, size);
        Some(())
    }
}

fn push_text(json: &mut Vec<u8>, text: &str) {
    // Writing text to memory cannot fail.
    let _ = serde_json::to_writer(json, text);
}
