//! Files of cases: JSON, YAML and JSONL, read to compact JSON with the line of every value.
//!
//! What a case may hold is not known here. The three formats become one: a list of values, each
//! as JSON text, and for every place in a value the line it stands on.

mod file;
mod json;
mod jsonl;
mod place;
mod yaml;

pub use file::{CaseFile, Format, Told};
pub use place::{Lines, Step};
