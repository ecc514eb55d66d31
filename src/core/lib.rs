//! The native half of minos: byte-exact readers, the results file and the numbers of a report.
//!
//! Pure computation: no Python, no environment, no network, no clock, no printing, and no thread
//! that the caller did not ask for. Bad input is told as [`problem::Problem`] values; nothing in
//! here panics on input.

pub mod arrow;
pub mod case;
pub mod decision;
mod findings;
mod in_order;
pub mod input;
pub mod json;
pub mod lines;
pub mod output;
pub mod pieces;
pub mod price;
pub mod problem;
pub mod report;
pub mod run;
pub mod stats;
pub mod text;
