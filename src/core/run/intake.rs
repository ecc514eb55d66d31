//! The lines of a results file on their way in: a header first, items behind it.

use std::collections::HashMap;

use super::batch::Batch;
use super::diagnose::diagnose;
use super::header;
use super::record::RunHeader;
use crate::json::Fault;
use crate::lines::{Content, Line, is_blank};
use crate::problem::{Code, Problem};

/// What is expected of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Header,
    Items,
    /// The first line is no header: nothing is known of the others.
    Foreign,
}

/// Takes the lines of a results file one after the other.
#[derive(Debug)]
pub struct Intake {
    state: State,
    header_line: u64,
    item_count: Option<u64>,
    header: Option<RunHeader>,
    header_problems: Vec<Problem>,
    problems: Vec<Problem>,
    items: u64,
    /// The first line of each id, where repeated ones are looked for.
    ids: Option<HashMap<Box<str>, u64>>,
}

impl Intake {
    /// Looks for everything, repeated ids too.
    #[must_use]
    pub fn new() -> Self {
        Self {
            ids: Some(HashMap::new()),
            ..Self::without_ids()
        }
    }

    /// Keeps no ids: whoever asks finds repeated ones in another way.
    #[must_use]
    pub fn without_ids() -> Self {
        Self {
            state: State::Header,
            header_line: 1,
            item_count: None,
            header: None,
            header_problems: Vec::new(),
            problems: Vec::new(),
            items: 0,
            ids: None,
        }
    }

    /// The header, once it was read and found right.
    #[must_use]
    pub fn header(&self) -> Option<&RunHeader> {
        self.header.as_ref()
    }

    /// Whether something is wrong with the lines so far.
    #[must_use]
    pub fn has_problems(&self) -> bool {
        !self.header_problems.is_empty() || !self.problems.is_empty()
    }

    /// How many lines with items there were so far, broken ones included.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The line of the header.
    #[must_use]
    pub fn header_line(&self) -> u64 {
        self.header_line
    }

    /// Takes a line. The item of a right one is added to the batch.
    pub fn push(&mut self, line: &Line<'_>, batch: &mut Batch) {
        let bytes = match line.content {
            Content::Bytes(bytes) if is_blank(bytes) => return,
            Content::Bytes(bytes) => Some(bytes),
            Content::TooLong => None,
        };
        match self.state {
            State::Header => self.push_header(bytes, line.number),
            State::Items => self.push_item(bytes, line.number, batch),
            State::Foreign => {}
        }
    }

    fn push_header(&mut self, bytes: Option<&[u8]>, number: u64) {
        self.header_line = number;
        let Some(bytes) = bytes else {
            self.state = State::Foreign;
            self.header_problems.push(Fault::TooLong.problem(number));
            return;
        };
        let header = header::read(bytes, number, &mut self.header_problems);
        self.state = if header.leads_items {
            State::Items
        } else {
            State::Foreign
        };
        self.item_count = header.item_count;
        self.header = header.read;
    }

    fn push_item(&mut self, bytes: Option<&[u8]>, number: u64, batch: &mut Batch) {
        self.items += 1;
        let Some(bytes) = bytes else {
            self.problems.push(Fault::TooLong.problem(number));
            return;
        };
        let text = simdutf8::basic::from_utf8(bytes);
        if text.is_ok_and(|text| batch.push(text, number)) {
            if let Some(item) = batch.last()
                && let Some(problem) = self.repeated_id(item.id(), number)
            {
                self.problems.push(problem);
            }
            return;
        }
        let id = diagnose(bytes, number, &mut self.problems);
        if let Some(problem) = id.and_then(|id| self.repeated_id(&id, number)) {
            self.problems.push(problem);
        }
    }

    /// Notes an id, or tells that an earlier line has it.
    fn repeated_id(&mut self, id: &str, line: u64) -> Option<Problem> {
        let ids = self.ids.as_mut()?;
        let Some(first) = ids.get(id) else {
            ids.insert(id.into(), line);
            return None;
        };
        Some(Problem {
            line,
            code: Code::DuplicateId,
            path: "id".to_owned(),
            byte: None,
            message: format!("'id' '{id}' is already used on line {first}."),
        })
    }

    /// The header; or everything that is wrong with the file, in line order.
    pub fn finish(mut self) -> Result<RunHeader, Vec<Problem>> {
        if self.state == State::Header {
            self.header_problems.push(Problem {
                line: 1,
                code: Code::InvalidHeader,
                path: String::new(),
                byte: None,
                message: "The file is empty: a results file starts with a header.".to_owned(),
            });
        }
        if let Some(told) = self.item_count.filter(|&told| told != self.items) {
            let message = format!(
                "'itemCount' is {told}, but {} item lines follow.",
                self.items
            );
            self.header_problems.push(Problem {
                line: self.header_line,
                code: Code::CountMismatch,
                path: "itemCount".to_owned(),
                byte: None,
                message,
            });
        }
        self.header_problems.append(&mut self.problems);
        match self.header {
            Some(header) if self.header_problems.is_empty() => Ok(header),
            _ => Err(self.header_problems),
        }
    }
}

impl Default for Intake {
    fn default() -> Self {
        Self::new()
    }
}
