//! Tables out as Apache Arrow, by its C interfaces and their Python protocol: no value is copied,
//! and no package of Arrow's is needed.

mod abi;
mod capsule;
mod export;
mod files;
mod stream;
mod table;

pub(crate) use files::answers_of_files;
pub(crate) use table::{Table, TableBatch};
