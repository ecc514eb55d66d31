//! What is known of a results file as a whole: its header, its line numbers, its ids, its problems.

use std::path::PathBuf;

use super::header;
use super::part::Part;
use super::record::RunHeader;
use crate::decision::diagnose::duplicate_id;
use crate::decision::ids::{Hasher, Id, Ids, Room};
use crate::json::Fault;
use crate::problem::{Code, Problem};

/// Takes the parts of a results file in their order.
#[derive(Debug)]
pub(crate) struct Ledger {
    header_line: u64,
    /// How many items the header tells of, where that can be read.
    told: Option<u64>,
    header: Option<RunHeader>,
    leads_items: bool,
    problems: Vec<Problem>,
    /// Lines so far.
    lines: u64,
    /// Lines behind the header that are not blank.
    filled: u64,
    /// Those of them with which nothing is wrong.
    items: u64,
    /// The ids of the lines so far, where repeated ones are looked for.
    ids: Option<KnownIds>,
}

/// Ids, and what makes their hashes.
#[derive(Debug)]
struct KnownIds {
    ids: Ids,
    hasher: Hasher,
}

impl KnownIds {
    fn new() -> Self {
        let room = Room {
            memory: usize::MAX,
            folder: PathBuf::new(),
        };
        let ids = Ids::new(None, room);
        let hasher = ids.hasher();
        Self { ids, hasher }
    }

    /// Notes the id of a line; a problem where an earlier line has it.
    fn look(&mut self, line: u64, text: &str, has_problems: bool) -> Option<Problem> {
        let id = Id {
            hash: self.hasher.hash(text.as_bytes()),
            text: text.as_bytes(),
            line,
            has_problems,
        };
        // With room for all of them in memory nothing is written that could fail.
        let first = self.ids.first_line(id).ok().flatten()?;
        Some(duplicate_id(line, text, first))
    }
}

impl Ledger {
    /// Begins with the header on a line; None for a line that is too long.
    ///
    /// Where no ids are kept, whoever asks finds repeated ones in another way.
    pub(crate) fn new(line: u64, header: Option<&[u8]>, keeps_ids: bool) -> Self {
        let mut problems = Vec::new();
        let read = if let Some(bytes) = header {
            header::read(bytes, line, &mut problems)
        } else {
            problems.push(Fault::TooLong.problem(line));
            header::Header::default()
        };
        Self {
            header_line: line,
            told: read.item_count,
            header: read.read,
            leads_items: read.leads_items,
            problems,
            lines: line,
            filled: 0,
            items: 0,
            ids: keeps_ids.then(KnownIds::new),
        }
    }

    /// What is wrong with a file that has no line.
    pub(crate) fn empty() -> Problem {
        Problem {
            line: 1,
            code: Code::InvalidHeader,
            path: String::new(),
            byte: None,
            message: "The file is empty: a results file starts with a header.".to_owned(),
        }
    }

    /// The header, where nothing is wrong with it.
    pub(crate) fn header(&self) -> Option<&RunHeader> {
        self.header.as_ref()
    }

    /// Whether items follow. Behind what is no header, nothing is known of the lines.
    pub(crate) fn leads_items(&self) -> bool {
        self.leads_items
    }

    /// Lines so far.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// Lines so far that hold an item without a problem.
    pub(crate) fn items(&self) -> u64 {
        self.items
    }

    /// Whether something is wrong with the file so far.
    pub(crate) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Takes the next part; its lines get their numbers.
    pub(crate) fn add(&mut self, part: &mut Part) {
        let before = self.lines;
        self.lines += part.lines;
        self.filled += part.filled;
        self.items += part.batch.len() as u64;
        part.batch.count_from(before);
        for (line, _) in &mut part.wrong_ids {
            *line += before;
        }
        let mut told = std::mem::take(&mut part.problems);
        for problem in &mut told {
            problem.line += before;
        }
        if let Some(ids) = &mut self.ids {
            let (repeated, right) = find_repeated(ids, part);
            self.items -= right;
            if !repeated.is_empty() {
                told.extend(repeated);
                // A stable sort: in a line a repeated id comes last.
                told.sort_by_key(|problem| problem.line);
            }
        }
        self.problems.append(&mut told);
    }

    /// The header; or everything that is wrong with the file, in line order.
    pub(crate) fn finish(mut self) -> Result<RunHeader, Vec<Problem>> {
        if let Some(told) = self.told.filter(|&told| told != self.filled) {
            let message = format!(
                "'itemCount' is {told}, but {} item lines follow.",
                self.filled
            );
            let header = |problem: &Problem| problem.line <= self.header_line;
            let place = self.problems.partition_point(header);
            let problem = Problem {
                line: self.header_line,
                code: Code::CountMismatch,
                path: "itemCount".to_owned(),
                byte: None,
                message,
            };
            self.problems.insert(place, problem);
        }
        match self.header {
            Some(header) if self.problems.is_empty() => Ok(header),
            _ => Err(self.problems),
        }
    }
}

/// Tells ids of a part that an earlier line has, and on how many lines that is the only problem.
fn find_repeated(ids: &mut KnownIds, part: &Part) -> (Vec<Problem>, u64) {
    let mut problems = Vec::new();
    let mut right = 0;
    let mut wrong = part.wrong_ids.iter().peekable();
    for item in part.batch.iter() {
        while let Some((line, id)) = wrong.next_if(|(line, _)| *line < item.line()) {
            problems.extend(ids.look(*line, id, true));
        }
        if let Some(problem) = ids.look(item.line(), item.id(), false) {
            problems.push(problem);
            right += 1;
        }
    }
    for (line, id) in wrong {
        problems.extend(ids.look(*line, id, true));
    }
    (problems, right)
}
