//! The report of a run: whether its answers are right, and whether they know it.
//!
//! Items and their results are pushed into an [`Accumulator`], which only counts and adds whole
//! numbers. Two drivers push: over files that are streamed, and over objects in memory. What they
//! make of the same input is the same, byte for byte.

pub mod accumulator;
pub mod answers;
mod cost;
mod figures;
pub mod files;
mod fit;
mod json;
mod judge;
mod layout;
pub mod objects;
mod order;
mod question;
mod slice;

pub use accumulator::Accumulator;
