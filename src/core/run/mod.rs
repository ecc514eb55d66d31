//! The results of a run: what a results file holds, read strictly and written in one way.

pub mod batch;
pub(crate) mod check;
pub mod diagnose;
pub mod examine;
mod header;
pub mod item;
mod known;
mod ledger;
mod parse;
pub(crate) mod part;
pub mod record;
pub mod render;
pub mod results;
pub(crate) mod stream;
pub mod write;

pub use batch::Batch;
pub use item::{AnswerRecord, ErrorKind, ItemError, ItemResult};
pub use record::{RunHeader, Selection};
pub use results::Results;
pub use write::ResultsWriter;
