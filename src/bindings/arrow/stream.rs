//! Batches one after the other, as the stream of the interface.

use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use minos_core::arrow::Batch;
use minos_core::arrow::schema::Schema;

use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use super::export::{batch_array, table_schema};

/// The number of an input or output error, the same on every system.
const EIO: c_int = 5;

/// Batches as a stream takes them: they are asked for by whatever thread holds it.
pub(super) type Batches = Box<dyn Iterator<Item = Arc<Batch>> + Send>;

/// What a stream points to.
struct OwnedStream {
    schema: Schema,
    batches: Batches,
    /// What went wrong last.
    error: Option<CString>,
}

/// A stream of batches that have the columns of a schema.
pub(super) fn stream(schema: Schema, batches: Batches) -> ArrowArrayStream {
    let owned = Box::new(OwnedStream {
        schema,
        batches,
        error: None,
    });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(owned).cast(),
    }
}

/// What a stream points to.
///
/// # Safety
///
/// [`stream`] must have made the structure or what it is a copy of, it must not be released, and
/// nobody else may use it meanwhile.
unsafe fn owned<'s>(stream: *mut ArrowArrayStream) -> &'s mut OwnedStream {
    // SAFETY: as the caller says.
    unsafe { &mut *(*stream).private_data.cast() }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the interface has this called on a stream that is not released, by one thread.
    let owned = unsafe { owned(stream) };
    // SAFETY: the interface has `out` point to room for a schema. What is there is not dropped:
    // it need not be one.
    unsafe { ptr::write(out, table_schema(&owned.schema)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the interface has this called on a stream that is not released, by one thread.
    let owned = unsafe { owned(stream) };
    // A panic must not leave a function that C calls.
    let next = catch_unwind(AssertUnwindSafe(|| {
        owned.batches.next().map(|batch| batch_array(&batch))
    }));
    let Ok(next) = next else {
        owned.error = Some(c"a batch could not be made: this is a fault of minos".to_owned());
        return EIO;
    };
    // SAFETY: the interface has `out` point to room for an array, as for a schema.
    unsafe { ptr::write(out, next.unwrap_or_else(ArrowArray::released)) };
    0
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the interface has this called on a stream that is not released, by one thread.
    let owned = unsafe { owned(stream) };
    let error = owned.error.as_ref();
    error.map_or(ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the interface has this called once, on a structure that `stream` has made or a copy
    // of it, by whoever holds it alone.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: `stream` made it from a box of that type. Arrays hold their batches themselves.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<OwnedStream>()) });
}
