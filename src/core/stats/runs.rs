//! Confidences in order, as finely as bins and thresholds need them.
//!
//! A report has few bins, so most confidences need no sorting: it is enough to know in which of
//! 4,001 narrow ranges they lie, and to look closely where a bin begins or ends.

use super::bins::{mass_bin, width_bin};
use super::key::{Key, ONE, STEP};
use super::table::{Group, Groups};

/// Neighbouring confidences that share every bin and every threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// No confidence is below; one is exactly there where a bin of equal mass begins.
    pub lower: Key,
    /// No confidence is above; one is exactly there where a bin of equal mass ends.
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
            range.count += group.count;
            range.correct += group.correct;
            range.beyond += (group.key % WIDTH) * group.count;
        }
    });
    mark(&mut ranges, bins);
    let mut close = Vec::new();
    groups.visit(|group| {
        if ranges
            .get(range_of(group.key))
            .is_some_and(|range| range.is_close)
        {
            close.push(group);
        }
    });
    let mut close = sorted(close).into_iter().peekable();
    let mut runs = Vec::new();
    for (range, start) in ranges.iter().zip((0..).step_by(step())) {
        if range.is_close {
            while let Some(group) = close.next_if(|group| group.key < start + WIDTH) {
                runs.push(Run::from(group));
            }
        } else if range.count > 0 {
            runs.push(Run {
                lower: start,
                upper: start + WIDTH - 1,
                count: range.count,
                correct: range.correct,
                sum: u128::from(start) * u128::from(range.count) + u128::from(range.beyond),
            });
        }
    }
    runs
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

#[derive(Clone, Copy, Debug, Default)]
struct Range {
    count: u64,
    correct: u64,
    /// By how much the keys go beyond the start of the range, all together.
    beyond: u64,
    /// Whether its confidences are needed one by one.
    is_close: bool,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "there are a few thousand ranges"
)]
fn range_of(key: Key) -> usize {
    (key / WIDTH) as usize
}

#[allow(clippy::cast_possible_truncation, reason = "the width is below 2^32")]
const fn step() -> usize {
    WIDTH as usize
}

/// Which bin of equal mass the answers of a range belong to.
struct Span {
    index: usize,
    bin: u64,
    /// Whether its answers may belong to several bins, of either kind.
    is_parted: bool,
}

/// Finds the ranges in which a bin begins or ends.
fn mark(ranges: &mut [Range], bins: u64) {
    let total: u64 = ranges.iter().map(|range| range.count).sum();
    let mut below = 0;
    let mut spans = Vec::new();
    for (index, range) in ranges
        .iter()
        .enumerate()
        .filter(|(_, range)| range.count > 0)
    {
        let start = WIDTH * index as u64;
        let end = (start + WIDTH - 1).min(ONE);
        let bin = mass_bin(bins, below, 1, total);
        below += range.count;
        spans.push(Span {
            index,
            bin,
            is_parted: bin != mass_bin(bins, below - 1, 1, total)
                || width_bin(bins, start) != width_bin(bins, end),
        });
    }
    for (place, span) in spans.iter().enumerate() {
        let is_other = |neighbour: Option<&Span>| {
            neighbour.is_none_or(|other| other.is_parted || other.bin != span.bin)
        };
        let is_first = is_other(place.checked_sub(1).and_then(|before| spans.get(before)));
        let is_last = is_other(spans.get(place + 1));
        if let Some(range) = ranges.get_mut(span.index) {
            range.is_close = span.is_parted || is_first || is_last;
        }
    }
}
