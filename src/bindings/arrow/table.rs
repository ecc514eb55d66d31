//! Tables that are in memory.

use std::sync::Arc;

use minos_core::arrow::column::{Column, Numbers};
use minos_core::arrow::csv;
use minos_core::arrow::schema::{Field, Layout, Schema, Type};
use minos_core::arrow::text::Texts;
use minos_core::arrow::{Batch, answers, items};
use minos_core::decision::dataset;
use minos_core::report::answers::from_objects;
use minos_core::run;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::capsule::{array_capsule, as_requested, schema_capsule, stream_capsule};
use super::stream::Batches;
use crate::convert::{Told, problems};
use crate::dataset::Dataset;
use crate::errors::input_error;
use crate::gil;
use crate::results::Results;

/// A column as Python has it: its name, and one of the lists.
type Listed = (
    String,
    Option<Vec<Option<String>>>,
    Option<Vec<Option<u64>>>,
    Option<Vec<Option<f64>>>,
);

/// What a data set makes of results: a table, or why they do not fit.
#[derive(IntoPyObject)]
pub(crate) enum Joined {
    Table(Table),
    Problems(Vec<Told>),
}

/// Where the rows of a table are.
enum Rows {
    /// In memory.
    Batches(Vec<Arc<Batch>>),
    /// In results; batches are made as they are asked for.
    Results(Arc<run::Results>),
    /// In a data set; batches are made as they are asked for.
    Items(Arc<dataset::Dataset>),
}

/// A table: columns of one length, which share their memory with whoever reads them.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct Table {
    schema: Arc<Schema>,
    rows: Rows,
}

#[pymethods]
impl Table {
    /// A table of lists: each column has a name and texts, whole numbers or doubles.
    #[staticmethod]
    fn of_lists(columns: Vec<Listed>) -> PyResult<Self> {
        let (fields, columns) = columns.into_iter().map(column).unzip();
        let batch = Batch::new(columns);
        let batch = batch.ok_or_else(|| PyValueError::new_err("columns are of one length"))?;
        Ok(Self {
            schema: Arc::new(Schema(fields)),
            rows: Rows::Batches(vec![Arc::new(batch)]),
        })
    }

    /// The table of answers without a row.
    #[staticmethod]
    fn of_no_answers(with_expected: bool, layout_plain: bool) -> Self {
        Self {
            schema: Arc::new(answers_schema(with_expected, layout_plain)),
            rows: Rows::Batches(Vec::new()),
        }
    }

    /// The table of answers.
    #[staticmethod]
    fn of_results(results: &Results) -> Self {
        Self {
            schema: Arc::new(answers_schema(false, false)),
            rows: Rows::Results(Arc::clone(&results.core)),
        }
    }

    /// The table of items.
    #[staticmethod]
    fn of_items(dataset: &Dataset, layout_plain: bool) -> Self {
        Self {
            schema: Arc::new(plain(items::schema(), layout_plain)),
            rows: Rows::Items(Arc::clone(&dataset.core)),
        }
    }

    /// The table of answers with the right ones beside them.
    #[staticmethod]
    fn of_joined(py: Python<'_>, results: &Results, dataset: &Dataset) -> PyResult<Joined> {
        let schema = answers::schema(true);
        let (results, dataset) = (&results.core, &dataset.core);
        let made = gil::run(py, |cancel| from_objects(results, dataset, &schema, cancel))?;
        match made.map_err(|error| input_error(py, error, None))? {
            Ok(batches) => Ok(Joined::Table(Self {
                schema: Arc::new(schema),
                rows: Rows::Batches(batches.into_iter().map(Arc::new).collect()),
            })),
            Err(told) => Ok(Joined::Problems(problems(told))),
        }
    }

    fn __len__(&self) -> usize {
        match &self.rows {
            Rows::Batches(batches) => batches.iter().map(|batch| batch.rows()).sum(),
            Rows::Results(results) => results.iter().map(|item| answers::count(&item)).sum(),
            Rows::Items(dataset) => dataset.len(),
        }
    }

    /// The names of the columns, in their order.
    fn column_names(&self) -> Vec<String> {
        let fields = self.schema.0.iter();
        fields.map(|field| field.name.to_string()).collect()
    }

    /// Hand the rows on, a batch at a time.
    fn each_batch(&self, py: Python<'_>, on_batch: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut batches = self.batches(&self.schema);
        while let Some(batch) = py.detach(|| batches.next()) {
            py.check_signals()?;
            let schema = Arc::clone(&self.schema);
            on_batch.call1((TableBatch { schema, batch },))?;
        }
        Ok(())
    }

    /// The line of names.
    fn csv_header(&self) -> String {
        csv::header(&self.schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let own = Schema::clone(&self.schema);
        let mut schema = as_requested(own, requested_schema)?;
        if matches!(self.rows, Rows::Batches(_)) {
            // They are what they are: the protocol allows not to follow a request.
            schema = Schema::clone(&self.schema);
        }
        let batches = self.batches(&schema);
        stream_capsule(py, schema, batches)
    }
}

impl Table {
    fn batches(&self, schema: &Schema) -> Batches {
        match &self.rows {
            Rows::Batches(batches) => Box::new(batches.clone().into_iter()),
            Rows::Results(results) => {
                let walk = answers::Walk::new(Arc::clone(results), schema);
                Box::new(walk.map(Arc::new))
            }
            Rows::Items(dataset) => {
                let walk = items::Walk::new(Arc::clone(dataset), schema);
                Box::new(walk.map(Arc::new))
            }
        }
    }
}

/// Some rows of a table.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct TableBatch {
    schema: Arc<Schema>,
    batch: Arc<Batch>,
}

impl TableBatch {
    pub(crate) fn new(schema: Arc<Schema>, batch: Batch) -> Self {
        let batch = Arc::new(batch);
        Self { schema, batch }
    }
}

#[pymethods]
impl TableBatch {
    fn __len__(&self) -> usize {
        self.batch.rows()
    }

    /// The rows as lines of comma-separated values.
    fn csv_rows(&self, py: Python<'_>) -> String {
        py.detach(|| csv::rows(&self.batch))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        as_requested(Schema::clone(&self.schema), requested_schema)?;
        let schema = schema_capsule(py, &self.schema)?;
        Ok((schema, array_capsule(py, &self.batch)?))
    }
}

/// The columns of the table of answers; see [`plain`].
pub(super) fn answers_schema(with_expected: bool, is_plain: bool) -> Schema {
    plain(answers::schema(with_expected), is_plain)
}

/// Columns in a layout that is the same in every batch, where that is wanted: only what has few
/// values, all of them known before, stands in a dictionary.
fn plain(schema: Schema, is_plain: bool) -> Schema {
    let is_closed = |field: &Field| matches!(field.name.as_ref(), "kind" | "kinds" | "error");
    schema.laid_out(|field, _| (is_plain && !is_closed(field)).then_some(Layout::Plain))
}

fn column((name, texts, wholes, doubles): Listed) -> (Field, Column) {
    let field = |kind| Field {
        name: name.into(),
        kind,
        is_nullable: true,
    };
    if let Some(texts) = texts {
        let mut column = Texts::of(None);
        for text in &texts {
            column.push(text.as_deref());
        }
        return (field(Type::Text), column.finish());
    }
    if let Some(wholes) = wholes {
        let mut column = Numbers::<u64>::default();
        for whole in wholes {
            column.push(whole);
        }
        return (field(Type::UInt64), column.finish());
    }
    let mut column = Numbers::<f64>::default();
    for double in doubles.into_iter().flatten() {
        column.push(double);
    }
    (field(Type::Float64), column.finish())
}
