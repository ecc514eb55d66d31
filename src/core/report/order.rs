//! Results and the items they belong to, brought together in one walk over both.

use crate::decision::stream::Item;
use crate::input::InputError;
use crate::problem::{Code, Problem};
use crate::run::{ItemResult, RunHeader};

/// The items of a data set, one after the other.
pub(super) trait Items {
    /// The next item, or None at the end.
    fn next_item(&mut self) -> Result<Option<&Item>, InputError>;

    /// The line of an item that was already given out.
    fn line_of(&mut self, id: &str) -> Result<Option<u64>, InputError>;
}

/// Whoever takes items with their results.
pub(super) trait Pairs {
    /// Takes an item and its result, or adds what is wrong with the answers to `problems`.
    fn push(&mut self, item: &Item, result: &ItemResult<'_>, problems: &mut Vec<Problem>);
}

/// A result that is not where the data set has its item.
#[derive(Debug)]
struct Misplaced {
    id: String,
    /// The line and the id of the item that was due; None when there was no item left.
    due: Option<(u64, String)>,
    /// Whether a later result is that of the item that was due.
    is_due_later: bool,
}

/// What came of the walk.
#[derive(Debug)]
pub(super) struct Joined<P> {
    /// Who took the pairs.
    pub(super) pairs: P,
    /// How many items the data set has.
    pub(super) items: u64,
    /// Why the results do not fit the data set.
    pub(super) problems: Vec<Problem>,
    /// Whether results and items went apart, so that not all of them were compared.
    pub(super) went_apart: bool,
}

/// The walk: results come in, items are fetched.
#[derive(Debug)]
pub(super) struct Join<I, P> {
    items: I,
    /// Whether every item must have a result.
    is_full: bool,
    /// The number of items that the run's selection was made from.
    selected_of: Option<u64>,
    pairs: P,
    count: u64,
    last_line: u64,
    problems: Vec<Problem>,
    misplaced: Option<Misplaced>,
}

impl<I: Items, P: Pairs> Join<I, P> {
    pub(super) fn new(items: I, header: &RunHeader, pairs: P) -> Self {
        Self {
            items,
            is_full: !header.partial && header.selection.is_none(),
            selected_of: header.selection.as_ref().map(|selection| selection.of),
            pairs,
            count: 0,
            last_line: 0,
            problems: Vec::new(),
            misplaced: None,
        }
    }

    /// Takes the next result.
    pub(super) fn push(&mut self, result: &ItemResult<'_>) -> Result<(), InputError> {
        if let Some(misplaced) = &mut self.misplaced {
            misplaced.is_due_later |= misplaced
                .due
                .as_ref()
                .is_some_and(|(_, due)| due == result.id());
            return Ok(());
        }
        let mut due = None;
        while let Some(item) = self.items.next_item()? {
            self.count += 1;
            self.last_line = item.line;
            if item.id == result.id() {
                self.pairs.push(item, result, &mut self.problems);
                return Ok(());
            }
            due.get_or_insert_with(|| (item.line, item.id.clone()));
            if self.is_full {
                break;
            }
        }
        self.misplaced = Some(Misplaced {
            id: result.id().to_owned(),
            due,
            is_due_later: false,
        });
        Ok(())
    }

    /// Ends the walk once all results were taken; `items` are given back.
    pub(super) fn finish(mut self) -> Result<(Joined<P>, I), InputError> {
        let mut found = None;
        while let Some(item) = self.items.next_item()? {
            self.count += 1;
            self.last_line = item.line;
            if let Some(misplaced) = &self.misplaced {
                if misplaced.id == item.id {
                    found = Some(item.line);
                }
            } else if self.is_full {
                // The first one is told, not all of them.
                self.is_full = false;
                self.problems.push(missing(item.line, &item.id));
            }
        }
        if let Some(misplaced) = &self.misplaced {
            if found.is_none() {
                found = self.items.line_of(&misplaced.id)?;
            }
            self.problems
                .push(misplaced.problem(found, self.last_line + 1));
        }
        if let Some(of) = self.selected_of.filter(|&of| of != self.count) {
            let message = format!(
                "'selection.of' is {of}, but the data set has {} items.",
                self.count
            );
            self.problems.insert(
                0,
                Problem {
                    line: 0,
                    code: Code::CountMismatch,
                    path: "selection.of".to_owned(),
                    byte: None,
                    message,
                },
            );
        }
        let joined = Joined {
            pairs: self.pairs,
            items: self.count,
            problems: self.problems,
            went_apart: self.misplaced.is_some(),
        };
        Ok((joined, self.items))
    }
}

impl Misplaced {
    /// What is wrong, where the data set has the item on line `found` and ends before `beyond`.
    fn problem(&self, found: Option<u64>, beyond: u64) -> Problem {
        let id = &self.id;
        let Some(found) = found else {
            let line = self.due.as_ref().map_or(beyond, |(line, _)| *line);
            let message = format!("'{id}' is no item of the data set.");
            return misplaced(line, Code::UnknownItem, message);
        };
        match &self.due {
            Some((line, due)) if found > *line => {
                if !self.is_due_later {
                    return missing(*line, due);
                }
                let message =
                    format!("'{id}' stands in the results where the data set has '{due}'.");
                misplaced(found, Code::WrongOrder, message)
            }
            _ => {
                let message = format!(
                    "'{id}' stands in the results behind an item that it precedes in the data set."
                );
                misplaced(found, Code::WrongOrder, message)
            }
        }
    }
}

fn missing(line: u64, id: &str) -> Problem {
    misplaced(line, Code::MissingItem, format!("'{id}' has no result."))
}

fn misplaced(line: u64, code: Code, message: String) -> Problem {
    Problem {
        line,
        code,
        path: "id".to_owned(),
        byte: None,
        message,
    }
}
