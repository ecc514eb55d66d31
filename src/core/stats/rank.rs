//! Percentiles by nearest rank, exact, in four bytes for most values.

/// Whole numbers whose sum, greatest and percentiles are wanted.
#[derive(Clone, Debug, Default)]
pub struct Ranked {
    /// Most latencies, in nanoseconds, are below 4.3 seconds and fit.
    small: Vec<u32>,
    large: Vec<u128>,
    sum: u128,
}

impl Ranked {
    /// Adds a value.
    pub fn add(&mut self, value: u128) {
        self.sum = self.sum.saturating_add(value);
        match u32::try_from(value) {
            Ok(small) => self.small.push(small),
            Err(_) => self.large.push(value),
        }
    }

    /// Adds the values of another.
    pub fn merge(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.small.extend(other.small);
        self.large.extend(other.large);
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.small.len() + self.large.len()
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of the values.
    #[must_use]
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The least value that at least `percent` % of the values do not exceed; None when there is
    /// none.
    pub fn percentile(&mut self, percent: u8) -> Option<u128> {
        let place = (self.len() * usize::from(percent)).div_ceil(100).max(1) - 1;
        if place < self.small.len() {
            return Some(u128::from(*self.small.select_nth_unstable(place).1));
        }
        let place = place - self.small.len();
        (place < self.large.len()).then(|| *self.large.select_nth_unstable(place).1)
    }
}
