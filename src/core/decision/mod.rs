//! Decision data sets: typed questions with right answers, one item a line.

mod asked;
pub mod build;
mod criteria;
pub mod dataset;
pub mod diagnose;
mod expected;
pub mod fast;
pub mod ids;
mod loader;
pub mod question;
mod render;
pub mod rules;
mod save;
pub mod stream;
pub mod validate;

pub use diagnose::{Diagnosis, ItemParts, diagnose};
