//! Confidences in order, as finely as bins and thresholds need them.
//!
//! A report has few bins, so most confidences need no sorting: it is enough to know in which of
//! 4,001 narrow ranges they lie, and to look closely where a bin begins or ends. So the confidences
//! are walked twice: to count ranges, and to see those few that matter.

use super::key::Key;
use super::ranges::{RANGES, Range, Sight, View, WIDTH, range_of, sights, starts};
use super::table::{Group, Groups};

/// Neighbouring confidences that share every bin and every threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The least of them; inside a bin, some key of the same hundredth that is not greater.
    pub lower: Key,
    /// The greatest; inside a bin, some key that is not less.
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
    let sights = sights(&ranges, bins);
    let mut views = vec![View::default(); RANGES];
    let mut close = close_groups(groups, &sights, &mut views)
        .into_iter()
        .peekable();
    let seen = sights.iter().zip(&views);
    let mut runs = Vec::new();
    for ((range, (&sight, view)), start) in ranges.iter().zip(seen).zip(starts()) {
        // What is looked at closely stands in place of its range.
        let before = runs.len();
        while let Some(group) = close.next_if(|group| group.key < start + WIDTH) {
            runs.push(Run::from(group));
        }
        if runs.len() == before && range.count > 0 {
            runs.push(range.run(start, sight, view));
        }
    }
    runs
}

/// The groups of ranges in which a bin may begin or end, in rising order. `views` get what there is
/// to see of these ranges and of those beside them.
fn close_groups(groups: &impl Groups, sights: &[Sight], views: &mut [View]) -> Vec<Group> {
    // Answers one by one, as their key and whether they were right, are sorted fastest.
    let mut words = Vec::new();
    let mut close = Vec::new();
    groups.visit(|group| {
        let range = range_of(group.key);
        let sight = sights.get(range).copied().unwrap_or_default();
        if sight == Sight::Far {
            return;
        }
        let Some(view) = views.get_mut(range) else {
            return;
        };
        view.least = view.least.min(group.key);
        view.greatest = view.greatest.max(group.key);
        if sight == Sight::Edge {
            return;
        }
        // Where confidences are rounded, all of a range are alike.
        if view.first.count == 0 {
            view.first = group;
        } else if view.first.key == group.key {
            view.first.count += group.count;
            view.first.correct += group.correct;
        } else if group.count == 1 {
            words.push(group.key << 1 | group.correct);
        } else {
            close.push(group);
        }
    });
    words.sort_unstable();
    let alike = words.chunk_by(|one, other| one >> 1 == other >> 1);
    close.extend(alike.map(|alike| Group {
        key: alike.first().map_or(0, |word| word >> 1),
        count: alike.len() as u64,
        correct: alike.iter().map(|word| word & 1).sum(),
    }));
    close.extend(
        views
            .iter()
            .map(|view| view.first)
            .filter(|first| first.count > 0),
    );
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
