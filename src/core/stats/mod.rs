//! The numbers of a report, exact: whole numbers all the way, and one division at the end.
//!
//! A confidence is compared, grouped, binned and added as its [`key`](key::key), a whole number of
//! 10⁻¹². Sums of whole numbers do not depend on the order of the terms, so neither the order of
//! the lines nor the number of threads can change a digit of a report.

pub mod bins;
pub mod calibration;
pub mod distribution;
pub mod key;
mod list;
pub mod majority;
pub mod rank;
pub mod ratio;
pub mod runs;
pub mod table;

pub use bins::{Bin, Binning};
pub use calibration::{Calibration, Covered};
pub use key::Key;
pub use table::Table;
