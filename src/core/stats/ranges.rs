//! Narrow ranges of confidences, and which of them have to be looked at closely.

use super::bins::{mass_bin, width_bin};
use super::key::{Key, STEP};
use super::runs::Run;
use super::table::Group;

/// The width of a range. Every threshold is the start of one.
pub(super) const WIDTH: Key = STEP / 40;

pub(super) const RANGES: usize = 4001;

/// The answers whose confidences lie in a range.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub(super) count: u64,
    correct: u64,
    /// By how much the keys go beyond the start of the range, all together.
    beyond: u64,
}

impl Range {
    #[inline]
    pub(super) fn add(&mut self, group: Group) {
        self.count += group.count;
        self.correct += group.correct;
        self.beyond += (group.key % WIDTH) * group.count;
    }

    /// The answers as one run, where all of them are in the same bins.
    pub(super) fn run(&self, start: Key, sight: Sight, view: &View) -> Run {
        let is_seen = sight != Sight::Far;
        Run {
            lower: if is_seen { view.least } else { start },
            upper: if is_seen {
                view.greatest
            } else {
                start + WIDTH - 1
            },
            count: self.count,
            correct: self.correct,
            sum: u128::from(start) * u128::from(self.count) + u128::from(self.beyond),
        }
    }
}

/// How closely a range has to be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    /// Its answers count, whatever their confidences.
    #[default]
    Far,
    /// It may be the first or the last one of a bin, whose limits are then its own.
    Edge,
    /// Its answers may belong to several bins, of either kind.
    Close,
}

/// What is seen of a range that has to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) least: Key,
    pub(super) greatest: Key,
    /// The confidence that was met first.
    pub(super) first: Group,
}

impl Default for View {
    fn default() -> Self {
        Self {
            least: Key::MAX,
            greatest: 0,
            first: Group::default(),
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "there are a few thousand ranges"
)]
pub(super) fn range_of(key: Key) -> usize {
    (key / WIDTH) as usize
}

/// Where each range starts.
#[allow(clippy::cast_possible_truncation, reason = "the width is below 2^32")]
pub(super) fn starts() -> impl Iterator<Item = Key> {
    (0..).step_by(WIDTH as usize)
}

/// How closely each range has to be looked at.
pub(super) fn sights(ranges: &[Range], bins: u64) -> Vec<Sight> {
    let mut sights = vec![Sight::Far; ranges.len()];
    let total: u64 = ranges.iter().map(|range| range.count).sum();
    let mut below = 0;
    // The range with answers before, the bin of its last one, and whether it is parted.
    let mut before: Option<(usize, u64, bool)> = None;
    for ((index, range), start) in ranges.iter().enumerate().zip(starts()) {
        if range.count == 0 {
            continue;
        }
        let first = mass_bin(bins, below, 1, total);
        below += range.count;
        let last = mass_bin(bins, below - 1, 1, total);
        let is_parted =
            first != last || width_bin(bins, start) != width_bin(bins, start + WIDTH - 1);
        // Equal confidences stay together, so that a bin that is cut within a range may begin or
        // end beside it.
        let is_edge = before.is_none_or(|(_, bin, was_parted)| bin != first || was_parted);
        if is_edge || is_parted {
            see(&mut sights, index, Sight::Edge);
            if let Some((before, ..)) = before {
                see(&mut sights, before, Sight::Edge);
            }
        }
        if is_parted {
            see(&mut sights, index, Sight::Close);
        }
        before = Some((index, last, is_parted));
    }
    if let Some((last, ..)) = before {
        see(&mut sights, last, Sight::Edge);
    }
    sights
}

/// Looks at a range as closely as that, at least.
fn see(sights: &mut [Sight], index: usize, sight: Sight) {
    if let Some(own) = sights.get_mut(index) {
        *own = (*own).max(sight);
    }
}
