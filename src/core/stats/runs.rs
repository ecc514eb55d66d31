//! Confidences in order, as finely as bins and thresholds need them.
//!
//! A report has few bins, so most confidences need no sorting: it is enough to know in which of
//! 4,001 narrow ranges they lie, and to look closely where a bin begins or ends.

use super::bins::{mass_bin, width_bin};
use super::key::{Key, STEP};
use super::table::{Group, Groups};

/// Neighbouring confidences that share every bin and every threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The least of them.
    pub lower: Key,
    /// The greatest.
    pub upper: Key,
    /// How many answers there are.
    pub count: u64,
    /// How many of them were right.
    pub correct: u64,
    /// The sum of their keys.
    pub sum: u128,
}

impl From<Group> for Run {
    fn from(group: Group) -> Self {
        Self {
            lower: group.key,
            upper: group.key,
            count: group.count,
            correct: group.correct,
            sum: u128::from(group.key) * u128::from(group.count),
        }
    }
}

/// Up to here groups are sorted.
const FEW: usize = 1 << 13;

/// The width of a range. Every threshold is the start of one.
const WIDTH: Key = STEP / 40;

const RANGES: usize = 4001;

/// Groups in rising order, neighbours joined where `bins` bins of both kinds allow it.
#[must_use]
pub fn runs(groups: &impl Groups, bins: u64) -> Vec<Run> {
    if groups.size() <= FEW {
        let mut all = Vec::with_capacity(groups.size());
        groups.visit(|group| all.push(group));
        return sorted(all).into_iter().map(Run::from).collect();
    }
    let mut ranges = vec![Range::default(); RANGES];
    groups.visit(|group| {
        if let Some(range) = ranges.get_mut(range_of(group.key)) {
            range.add(group);
        }
    });
    let mut close = close_groups(groups, &ranges, bins).into_iter().peekable();
    let mut runs = Vec::new();
    for (range, start) in ranges.iter().zip((0..).step_by(step())) {
        // What is looked at closely stands in place of its range.
        let before = runs.len();
        while let Some(group) = close.next_if(|group| group.key < start + WIDTH) {
            runs.push(Run::from(group));
        }
        if runs.len() == before && range.count > 0 {
            runs.push(range.run(start));
        }
    }
    runs
}

/// The groups of ranges in which a bin begins or ends, in rising order.
fn close_groups(groups: &impl Groups, ranges: &[Range], bins: u64) -> Vec<Group> {
    let parted = parted(ranges, bins);
    if !parted.contains(&true) {
        return Vec::new();
    }
    // Answers one by one, as their key and whether they were right, are sorted fastest.
    let mut words = Vec::new();
    let mut close = Vec::new();
    groups.visit(|group| {
        if parted.get(range_of(group.key)).is_some_and(|&is| is) {
            if group.count == 1 {
                words.push(group.key << 1 | group.correct);
            } else {
                close.push(group);
            }
        }
    });
    words.sort_unstable();
    let alike = words.chunk_by(|one, other| one >> 1 == other >> 1);
    close.extend(alike.map(|alike| Group {
        key: alike.first().map_or(0, |word| word >> 1),
        count: alike.len() as u64,
        correct: alike.iter().map(|word| word & 1).sum(),
    }));
    sorted(close)
}

/// Groups by rising key, those of the same key added together.
fn sorted(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_unstable_by_key(|group| group.key);
    groups.dedup_by(|next, kept| {
        let is_same = next.key == kept.key;
        if is_same {
            kept.count += next.count;
            kept.correct += next.correct;
        }
        is_same
    });
    groups
}

/// The answers whose confidences lie in a range.
#[derive(Clone, Copy, Debug)]
struct Range {
    count: u64,
    correct: u64,
    /// By how much the keys go beyond the start of the range, all together.
    beyond: u64,
    /// By how much the least and the greatest of them do.
    least: u32,
    greatest: u32,
}

impl Default for Range {
    fn default() -> Self {
        Self {
            count: 0,
            correct: 0,
            beyond: 0,
            least: u32::MAX,
            greatest: 0,
        }
    }
}

impl Range {
    #[inline]
    fn add(&mut self, group: Group) {
        let beyond = beyond(group.key);
        self.count += group.count;
        self.correct += group.correct;
        self.beyond += u64::from(beyond) * group.count;
        self.least = self.least.min(beyond);
        self.greatest = self.greatest.max(beyond);
    }

    fn run(&self, start: Key) -> Run {
        Run {
            lower: start + Key::from(self.least),
            upper: start + Key::from(self.greatest),
            count: self.count,
            correct: self.correct,
            sum: u128::from(start) * u128::from(self.count) + u128::from(self.beyond),
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "there are a few thousand ranges"
)]
fn range_of(key: Key) -> usize {
    (key / WIDTH) as usize
}

/// By how much a key goes beyond the start of its range.
#[allow(clippy::cast_possible_truncation, reason = "the width is below 2^32")]
fn beyond(key: Key) -> u32 {
    (key % WIDTH) as u32
}

#[allow(clippy::cast_possible_truncation, reason = "the width is below 2^32")]
const fn step() -> usize {
    WIDTH as usize
}

/// Whether the answers of each range may belong to several bins, of either kind.
fn parted(ranges: &[Range], bins: u64) -> Vec<bool> {
    let total: u64 = ranges.iter().map(|range| range.count).sum();
    let mut below = 0;
    let starts = (0..).step_by(step());
    let parted = ranges.iter().zip(starts).map(|(range, start)| {
        let run = range.run(start);
        if range.count == 0 || run.lower == run.upper {
            below += range.count;
            return false;
        }
        let first = mass_bin(bins, below, 1, total);
        below += range.count;
        let last = mass_bin(bins, below - 1, 1, total);
        first != last || width_bin(bins, run.lower) != width_bin(bins, run.upper)
    });
    parted.collect()
}
