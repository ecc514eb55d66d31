//! Whether confidences mean what they say: bins, errors and the threshold sweep of one slice.

use super::bins::Binning;
use super::key::{Key, ONE, STEP, THRESHOLDS, key};
use super::ratio::signed_ratio;
use super::runs::{Run, runs};
use super::table::{Group, Groups};

/// The answers at or above a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// How many there are.
    pub count: u64,
    /// How many of them are right.
    pub correct: u64,
}

/// What a set of answers with confidences says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// How many answers there are.
    pub count: u64,
    /// How many of them are right.
    pub correct: u64,
    /// The sum of their keys.
    pub sum: u128,
    /// Bins of about equal size.
    pub equal_mass: Binning,
    /// Bins of the same width.
    pub equal_width: Binning,
    /// What the thresholds 0.00, 0.01 to 1.00 cover.
    pub sweep: Vec<Covered>,
}

impl Calibration {
    /// Works everything out.
    #[must_use]
    pub fn of(groups: &impl Groups, bins: u64) -> Self {
        let runs = runs(groups, bins);
        Self {
            count: runs.iter().map(|run| run.count).sum(),
            correct: runs.iter().map(|run| run.correct).sum(),
            sum: runs.iter().map(|run| run.sum).sum(),
            equal_mass: Binning::equal_mass(&runs, bins),
            equal_width: Binning::equal_width(&runs, bins),
            sweep: sweep(&runs),
        }
    }

    /// The mean confidence less the accuracy: above 0 is too sure. None without answers.
    #[must_use]
    pub fn signed_bias(&self) -> Option<f64> {
        let right = u128::from(ONE) * u128::from(self.correct);
        let size = i128::try_from(self.sum.abs_diff(right)).unwrap_or(i128::MAX);
        let bias = if self.sum < right { -size } else { size };
        signed_ratio(bias, u128::from(ONE) * u128::from(self.count))
    }
}

fn sweep(runs: &[Run]) -> Vec<Covered> {
    let mut sweep = vec![Covered::default(); THRESHOLDS];
    for run in runs {
        let highest = usize::try_from(run.lower / STEP).unwrap_or(usize::MAX);
        if let Some(point) = sweep.get_mut(highest.min(THRESHOLDS - 1)) {
            point.count += run.count;
            point.correct += run.correct;
        }
    }
    let mut above = Covered::default();
    for point in sweep.iter_mut().rev() {
        above.count += point.count;
        above.correct += point.correct;
        *point = above;
    }
    sweep
}

/// Answers as two columns of the same length.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// The confidences, each a probability.
    pub confidence: &'a [f64],
    /// Whether the answers were right: 0 is wrong.
    pub correct: &'a [u8],
}

/// How many keys are worked out at once, so that the compiler can do several in one step.
const BLOCK: usize = 256;

impl Groups for Columns<'_> {
    fn visit(&self, mut visitor: impl FnMut(Group)) {
        let mut keys: [Key; BLOCK] = [0; BLOCK];
        let blocks = self
            .confidence
            .chunks(BLOCK)
            .zip(self.correct.chunks(BLOCK));
        for (confidence, correct) in blocks {
            for (slot, &each) in keys.iter_mut().zip(confidence) {
                *slot = key(each);
            }
            for (&key, &right) in keys.iter().zip(correct) {
                visitor(Group {
                    key,
                    count: 1,
                    correct: u64::from(right != 0),
                });
            }
        }
    }

    fn size(&self) -> usize {
        self.confidence.len()
    }
}
