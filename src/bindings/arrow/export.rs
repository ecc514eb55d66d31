//! Schemas and batches of the core as the structures of the interface.
//!
//! No value is copied: an array points to the columns of its batch and holds the batch.

use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::Arc;

use minos_core::arrow::Batch;
use minos_core::arrow::column::{Column, Values};
use minos_core::arrow::schema::{Field, Schema, Type};

use super::abi::{ArrowArray, ArrowSchema, Children, NULLABLE};

/// What a schema points to.
struct OwnedSchema {
    name: CString,
    children: Children<ArrowSchema>,
    dictionary: Children<ArrowSchema>,
}

/// What an array points to.
struct OwnedArray {
    buffers: Vec<*const c_void>,
    children: Children<ArrowArray>,
    dictionary: Children<ArrowArray>,
    /// Holds what the buffers point to.
    _batch: Arc<Batch>,
}

/// The schema of a table.
pub(super) fn table_schema(schema: &Schema) -> ArrowSchema {
    make_schema(c"+s", "", 0, schema.0.iter().map(field_schema), None)
}

fn field_schema(field: &Field) -> ArrowSchema {
    let (children, dictionary) = match &field.kind {
        Type::List(entries) => (Some(field_schema(entries)), None),
        Type::Dictionary => (None, Some(make_schema(c"u", "", 0, [], None))),
        _ => (None, None),
    };
    let flags = if field.is_nullable { NULLABLE } else { 0 };
    make_schema(
        format_of(&field.kind),
        &field.name,
        flags,
        children,
        dictionary,
    )
}

/// How the interface writes a type; that of a dictionary is the type of its places.
pub(super) fn format_of(kind: &Type) -> &'static CStr {
    match kind {
        Type::Bool => c"b",
        Type::UInt16 => c"S",
        Type::UInt32 => c"I",
        Type::UInt64 => c"L",
        Type::Float64 => c"g",
        Type::Text => c"u",
        Type::Dictionary => c"i",
        Type::List(_) => c"+l",
    }
}

fn make_schema(
    format: &'static CStr,
    name: &str,
    flags: i64,
    children: impl IntoIterator<Item = ArrowSchema>,
    dictionary: Option<ArrowSchema>,
) -> ArrowSchema {
    let mut owned = Box::new(OwnedSchema {
        // No name of ours holds a zero byte.
        name: CString::new(name).unwrap_or_default(),
        children: Children::new(children),
        dictionary: Children::new(dictionary),
    });
    ArrowSchema {
        format: format.as_ptr(),
        name: owned.name.as_ptr(),
        metadata: ptr::null(),
        flags,
        n_children: owned.children.count(),
        children: owned.children.as_mut_ptr(),
        dictionary: owned.dictionary.first(),
        release: Some(release_schema),
        private_data: Box::into_raw(owned).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the interface has this called once, on a structure that `make_schema` has made or a
    // copy of it, by whoever holds it alone.
    let schema = unsafe { &mut *schema };
    schema.release = None;
    // SAFETY: `make_schema` made it from a box of that type.
    drop(unsafe { Box::from_raw(schema.private_data.cast::<OwnedSchema>()) });
}

/// A batch as an array of rows.
pub(super) fn batch_array(batch: &Arc<Batch>) -> ArrowArray {
    let columns = batch.columns().iter();
    make_array(
        batch,
        batch.rows(),
        0,
        vec![ptr::null()],
        columns.map(|column| column_array(batch, column)),
        None,
    )
}

/// A column of a batch.
fn column_array(batch: &Arc<Batch>, column: &Column) -> ArrowArray {
    let (children, dictionary) = match column.values() {
        Values::Lists(_, entries) => (Some(column_array(batch, entries)), None),
        Values::Codes(_, texts) => (None, Some(column_array(batch, texts))),
        _ => (None, None),
    };
    make_array(
        batch,
        column.len(),
        column.nulls(),
        column.buffers(),
        children,
        dictionary,
    )
}

/// An array with buffers that `batch` has: its own, or those of a dictionary that it holds.
fn make_array(
    batch: &Arc<Batch>,
    length: usize,
    nulls: usize,
    buffers: Vec<*const c_void>,
    children: impl IntoIterator<Item = ArrowArray>,
    dictionary: Option<ArrowArray>,
) -> ArrowArray {
    let count = |length| i64::try_from(length).unwrap_or(i64::MAX);
    let mut owned = Box::new(OwnedArray {
        buffers,
        children: Children::new(children),
        dictionary: Children::new(dictionary),
        _batch: Arc::clone(batch),
    });
    ArrowArray {
        length: count(length),
        null_count: count(nulls),
        offset: 0,
        n_buffers: count(owned.buffers.len()),
        n_children: owned.children.count(),
        buffers: owned.buffers.as_mut_ptr(),
        children: owned.children.as_mut_ptr(),
        dictionary: owned.dictionary.first(),
        release: Some(release_array),
        private_data: Box::into_raw(owned).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the interface has this called once, on a structure that `make_array` has made or a
    // copy of it, by whoever holds it alone.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `make_array` made it from a box of that type. A child that was taken over holds the
    // batch by itself.
    drop(unsafe { Box::from_raw(array.private_data.cast::<OwnedArray>()) });
}
