//! Decision data sets: typed questions with right answers, one item a line.

mod asked;
mod criteria;
pub mod dataset;
pub mod diagnose;
mod expected;
pub mod fast;
mod findings;
mod loader;
pub mod question;
mod render;
pub mod rules;
pub mod stream;

pub use diagnose::{Diagnosis, ItemParts, diagnose};
