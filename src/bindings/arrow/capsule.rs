//! The structures in capsules, as Python hands them from one package to another.
//!
//! A capsule releases its structure when it is dropped, unless a consumer has taken it over.

use std::ffi::CStr;
use std::slice;
use std::sync::Arc;

use minos_core::arrow::Batch;
use minos_core::arrow::schema::{Layout, Schema, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::abi::ArrowSchema;
use super::export::{batch_array, table_schema};
use super::stream::{Batches, stream};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// What an object gives for `__arrow_c_schema__`.
pub(super) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, table_schema(schema), SCHEMA)
}

/// What an object gives for `__arrow_c_stream__`.
pub(super) fn stream_capsule(
    py: Python<'_>,
    schema: Schema,
    batches: Batches,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream(schema, batches), STREAM)
}

/// What an object gives for `__arrow_c_array__`, beside its schema.
pub(super) fn array_capsule<'py>(
    py: Python<'py>,
    batch: &Arc<Batch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, batch_array(batch), ARRAY)
}

/// The schema of a table with each text laid out as a consumer asks: at length, or in a dictionary.
/// What else it asks for is not granted, which it is to expect.
pub(super) fn as_requested(
    schema: Schema,
    requested: Option<&Bound<'_, PyCapsule>>,
) -> PyResult<Schema> {
    let Some(requested) = requested else {
        return Ok(schema);
    };
    let is_schema = requested.is_valid_checked(Some(SCHEMA));
    let pointer = is_schema.then(|| requested.pointer_checked(Some(SCHEMA)));
    let Some(pointer) = pointer.transpose()? else {
        let message = "the requested schema must be a capsule of a schema";
        return Err(PyValueError::new_err(message));
    };
    // SAFETY: a capsule of that name holds such a structure, and nobody takes it over before this
    // function, which holds the capsule and the interpreter's lock, has ended.
    let requested: &ArrowSchema = unsafe { pointer.cast().as_ref() };
    if requested.release.is_none() {
        return Err(PyValueError::new_err("the requested schema is released"));
    }
    // SAFETY: the structure is not released.
    let (is_table, columns) = unsafe { (text(requested) == Some(c"+s"), children(requested)) };
    if !is_table || columns.len() != schema.0.len() {
        let count = schema.0.len();
        let message = format!("the requested schema must be of a table of {count} columns");
        return Err(PyValueError::new_err(message));
    }
    Ok(schema.laid_out(|field, index| {
        let column = columns.get(index)?;
        // SAFETY: a column of a schema that is not released is not released.
        let entries = unsafe { children(column) };
        let column = match field.kind {
            Type::List(_) => entries.first()?,
            _ => column,
        };
        if !column.dictionary.is_null() {
            return Some(Layout::Dictionary);
        }
        // SAFETY: as above.
        let format = unsafe { text(column) }?;
        let is_plain = [c"u", c"U", c"vu"].contains(&format);
        is_plain.then_some(Layout::Plain)
    }))
}

/// How a schema writes its type.
///
/// # Safety
///
/// The schema must not be released.
unsafe fn text(schema: &ArrowSchema) -> Option<&CStr> {
    // SAFETY: the interface has `format` point to text that ends in a zero byte.
    (!schema.format.is_null()).then(|| unsafe { CStr::from_ptr(schema.format) })
}

/// The columns of a table, or the entries of a list.
///
/// # Safety
///
/// The schema must not be released.
unsafe fn children(schema: &ArrowSchema) -> Vec<&ArrowSchema> {
    let count = usize::try_from(schema.n_children).unwrap_or(0);
    if count == 0 || schema.children.is_null() {
        return Vec::new();
    }
    // SAFETY: the interface has `children` point to so many addresses.
    let addresses = unsafe { slice::from_raw_parts(schema.children, count) };
    // SAFETY: it has each of them point to a schema that lives as long as its parent.
    let children = addresses.iter().map(|&child| unsafe { child.as_ref() });
    children.flatten().collect()
}
