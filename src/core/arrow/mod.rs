//! Tables in the layout of Apache Arrow: columns, a batch of rows at a time.
//!
//! A batch ends after [`ROWS`] rows, or earlier where its text has grown to [`BYTES`]. A line of
//! any input is at most 256 MiB long, so that 32-bit offsets always reach.

pub mod answers;
pub mod column;
pub mod csv;
pub mod files;
pub mod items;
pub mod schema;
pub mod text;

use column::Column;

/// A batch has at most so many rows.
pub const ROWS: usize = 1 << 16;

/// A batch takes no further row once its texts and lists take so many bytes.
pub const BYTES: usize = 64 << 20;

/// Some rows of a table.
#[derive(Debug)]
pub struct Batch {
    rows: usize,
    columns: Vec<Column>,
}

impl Batch {
    /// Rows from columns; None where these are not of one length.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Option<Self> {
        let rows = columns.first().map_or(0, Column::len);
        let is_even = columns.iter().all(|column| column.len() == rows);
        is_even.then_some(Self { rows, columns })
    }

    /// Rows from columns that were filled together.
    fn of_even(columns: Vec<Column>) -> Self {
        let rows = columns.first().map_or(0, Column::len);
        Self { rows, columns }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in the order of the schema.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}
