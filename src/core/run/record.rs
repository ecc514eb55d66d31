//! What a results file says of the run.

/// The member `kind` of a results header.
pub const KIND: &str = "minos-results";

/// The version of the format that is read and written.
pub const VERSION: &str = "1";

/// The largest latency in milliseconds and the largest cost in dollars, so that the sum of any
/// number of items is exact: thirty years, a million million dollars.
pub const LARGEST_AMOUNT: f64 = 1e12;

/// What was asked for, where a run was not meant to cover the whole data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// How many items the data set has.
    pub of: u64,
    /// How many of them were chosen.
    pub count: Option<u64>,
    /// At most this many items, from the start.
    pub limit: Option<u64>,
    /// At most this many items, drawn by chance.
    pub sample: Option<u64>,
    /// The seed of the draw.
    pub seed: Option<u64>,
    /// The ids that were asked for; they may be patterns.
    pub ids: Option<Vec<String>>,
}

impl Selection {
    /// How many items were to run.
    #[must_use]
    pub fn size(&self) -> u64 {
        let most = [self.limit, self.sample].into_iter().flatten();
        self.count.unwrap_or_else(|| most.fold(self.of, u64::min))
    }
}

/// What names a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunHeader {
    /// The name of the data set.
    pub dataset: String,
    /// The name of the provider's section.
    pub provider: String,
    /// The model that was asked.
    pub model: Option<String>,
    /// When the run started, as it is written.
    pub started_at: String,
    /// How many items follow.
    pub item_count: u64,
    /// Whether the run stopped before its end.
    pub partial: bool,
    /// What was asked for, where that was not the whole data set.
    pub selection: Option<Selection>,
}
