//! How often the most common of several values occurs.

/// Counts by value, where values are small whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Majority {
    counts: Vec<u64>,
}

impl Majority {
    /// Counts a value `times` times.
    pub fn add(&mut self, value: usize, times: u64) {
        if self.counts.len() <= value {
            self.counts.resize(value + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(value) {
            *count += times;
        }
    }

    /// How often each value was counted.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How often the most common value was counted; 0 when there is none.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.counts.iter().copied().max().unwrap_or(0)
    }
}
