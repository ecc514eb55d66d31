//! How often each confidence was given, and how often it was right.
//!
//! Everything that a report says of confidences follows from these counts, and adding counts gives
//! the same sums in any order.

use super::key::Key;
use super::list::List;

/// A confidence, how many answers had it, and how many of those were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// The confidence.
    pub key: Key,
    /// How many answers had it.
    pub count: u64,
    /// How many of them were right.
    pub correct: u64,
}

/// Something that can be walked more than once as groups, in any order, a key in several of them.
pub trait Groups {
    /// Hands every group on.
    fn visit(&self, visitor: impl FnMut(Group));
    /// How many groups there are; never too few.
    fn size(&self) -> usize;
}

impl<T: Groups> Groups for &[T] {
    fn visit(&self, mut visitor: impl FnMut(Group)) {
        for each in *self {
            each.visit(&mut visitor);
        }
    }

    fn size(&self) -> usize {
        self.iter().map(Groups::size).sum()
    }
}

impl<T: Groups> Groups for &T {
    fn visit(&self, visitor: impl FnMut(Group)) {
        (*self).visit(visitor);
    }

    fn size(&self) -> usize {
        (*self).size()
    }
}

/// Counts by confidence: a hash map where confidences are rounded and come again, and where they
/// do not, a list of eight bytes an answer.
#[derive(Clone, Debug, Default)]
pub struct Table {
    count: u64,
    correct: u64,
    /// A power of two of cells, or none; a cell without answers is free.
    cells: Vec<Group>,
    used: usize,
    list: Option<Box<List>>,
}

/// The most cells of the map. All confidences of three decimals fit.
const MOST_CELLS: usize = 4096;

impl Table {
    /// How many answers were added.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many of them were right.
    #[must_use]
    pub fn correct(&self) -> u64 {
        self.correct
    }

    /// Adds an answer.
    pub fn add(&mut self, key: Key, is_correct: bool) {
        self.add_group(Group {
            key,
            count: 1,
            correct: u64::from(is_correct),
        });
    }

    /// Adds the answers of another table.
    pub fn merge(&mut self, other: &Self) {
        other.visit(|group| self.add_group(group));
    }

    fn add_group(&mut self, group: Group) {
        self.count += group.count;
        self.correct += group.correct;
        if let Some(list) = &mut self.list {
            list.add(group);
        } else {
            self.add_to_map(group);
        }
    }

    fn add_to_map(&mut self, group: Group) {
        if self.used * 8 >= self.cells.len() * 7 && !self.make_room() {
            self.list.get_or_insert_default().add(group);
            return;
        }
        if place(&mut self.cells, group) {
            self.used += 1;
        }
    }

    /// Makes the map larger; where it is as large as it may be, turns to the list.
    fn make_room(&mut self) -> bool {
        if self.cells.len() == MOST_CELLS {
            let mut list = List::default();
            for group in self.cells.drain(..).filter(|cell| cell.count > 0) {
                list.add(group);
            }
            self.cells = Vec::new();
            self.used = 0;
            self.list = Some(Box::new(list));
            return false;
        }
        let mut cells = vec![Group::default(); (self.cells.len() * 2).max(1)];
        for &group in self.cells.iter().filter(|cell| cell.count > 0) {
            place(&mut cells, group);
        }
        self.cells = cells;
        true
    }
}

/// Adds a group to the cell of its key; true where that cell was free.
fn place(cells: &mut [Group], group: Group) -> bool {
    let mask = cells.len().wrapping_sub(1);
    let mut at = hash(group.key) & mask;
    while let Some(cell) = cells.get_mut(at) {
        if cell.count == 0 {
            *cell = group;
            return true;
        }
        if cell.key == group.key {
            cell.count += group.count;
            cell.correct += group.correct;
            return false;
        }
        at = (at + 1) & mask;
    }
    false
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "only the lowest bits are used"
)]
fn hash(key: Key) -> usize {
    // Round confidences differ in their upper bits, which the product's middle bits depend on.
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

impl Groups for Table {
    fn visit(&self, mut visitor: impl FnMut(Group)) {
        for &cell in self.cells.iter().filter(|cell| cell.count > 0) {
            visitor(cell);
        }
        if let Some(list) = &self.list {
            list.visit(visitor);
        }
    }

    fn size(&self) -> usize {
        self.used + self.list.as_ref().map_or(0, |list| list.size())
    }
}
