//! Bins of equal mass and of equal width, and the calibration error over them.

use super::key::{Key, ONE};
use super::ratio::ratio;
use super::runs::Run;

/// The bin of equal mass of a group of equal confidences: the one that its middle rank falls in.
///
/// Cuts lie at every N/B-th answer; one that would part equal confidences moves to the nearer end
/// of their group. `below` answers have a lower confidence, `count` have this one, of `total`.
#[must_use]
pub fn mass_bin(bins: u64, below: u64, count: u64, total: u64) -> u64 {
    let twice_middle = u128::from(bins) * (2 * u128::from(below) + u128::from(count));
    let bin = twice_middle.checked_div(2 * u128::from(total)).unwrap_or(0);
    u64::try_from(bin)
        .unwrap_or(u64::MAX)
        .min(bins.saturating_sub(1))
}

/// The bin of equal width of a confidence: the lower edge belongs to it, the upper one only to the
/// last.
#[must_use]
pub fn width_bin(bins: u64, key: Key) -> u64 {
    let bin = u128::from(bins) * u128::from(key) / u128::from(ONE);
    u64::try_from(bin)
        .unwrap_or(u64::MAX)
        .min(bins.saturating_sub(1))
}

/// The answers of a bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bin {
    /// The least confidence, or the lower edge.
    pub lower: Key,
    /// The greatest confidence, or the upper edge.
    pub upper: Key,
    /// How many answers there are.
    pub count: u64,
    /// How many of them were right.
    pub correct: u64,
    /// The sum of their keys.
    pub sum: u128,
}

impl Bin {
    /// The mean of the confidences; None in an empty bin.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        ratio(self.sum, u128::from(ONE) * u128::from(self.count))
    }

    /// The share of right answers; None in an empty bin.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.correct.into(), self.count.into())
    }

    /// By how much the sum of the confidences is off the number of right answers.
    fn gap(&self) -> u128 {
        self.sum
            .abs_diff(u128::from(ONE) * u128::from(self.correct))
    }

    fn take(&mut self, run: &Run) {
        self.count += run.count;
        self.correct += run.correct;
        self.sum += run.sum;
    }
}

/// Bins in rising order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binning(pub Vec<Bin>);

impl Binning {
    /// Up to `bins` bins of about equal size; none is empty.
    #[must_use]
    pub fn equal_mass(runs: &[Run], bins: u64) -> Self {
        let total = runs.iter().map(|run| run.count).sum();
        let mut filled: Vec<(u64, Bin)> = Vec::new();
        let mut below = 0;
        for run in runs {
            // Joined runs lie in one bin, whichever rank of theirs is taken; a single confidence
            // has one rank, its middle.
            let place = if run.lower == run.upper {
                mass_bin(bins, below, run.count, total)
            } else {
                mass_bin(bins, below, 1, total)
            };
            below += run.count;
            if filled.last().is_none_or(|(last, _)| *last != place) {
                let lower = run.lower;
                filled.push((
                    place,
                    Bin {
                        lower,
                        ..Bin::default()
                    },
                ));
            }
            if let Some((_, bin)) = filled.last_mut() {
                bin.upper = run.upper;
                bin.take(run);
            }
        }
        Self(filled.into_iter().map(|(_, bin)| bin).collect())
    }

    /// `bins` bins of the same width, empty ones too.
    #[must_use]
    pub fn equal_width(runs: &[Run], bins: u64) -> Self {
        let edge = |place: u64| {
            let key = u128::from(place) * u128::from(ONE) / u128::from(bins.max(1));
            Key::try_from(key).unwrap_or(ONE)
        };
        let mut all: Vec<Bin> = (0..bins)
            .map(|place| Bin {
                lower: edge(place),
                upper: edge(place + 1),
                ..Bin::default()
            })
            .collect();
        for run in runs {
            let place = usize::try_from(width_bin(bins, run.lower)).unwrap_or(usize::MAX);
            if let Some(bin) = all.get_mut(place) {
                bin.take(run);
            }
        }
        Self(all)
    }

    /// The expected calibration error: the distance of mean confidence and accuracy, weighted by
    /// the size of the bins; None without answers.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let count: u128 = self.0.iter().map(|bin| u128::from(bin.count)).sum();
        let gap = self.0.iter().map(Bin::gap).sum();
        ratio(gap, u128::from(ONE) * count)
    }
}
