//! The structures of the Arrow C data interface and C stream interface, field by field.
//!
//! Whoever takes one over copies it and marks the original as released, by setting its `release`
//! to null. What nobody took over is released when it is dropped.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

/// Says that an array or a field may hold nothing.
pub(super) const NULLABLE: i64 = 2;

/// What a column is.
#[repr(C)]
pub(super) struct ArrowSchema {
    pub(super) format: *const c_char,
    pub(super) name: *const c_char,
    pub(super) metadata: *const c_char,
    pub(super) flags: i64,
    pub(super) n_children: i64,
    pub(super) children: *mut *mut ArrowSchema,
    pub(super) dictionary: *mut ArrowSchema,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(super) private_data: *mut c_void,
}

/// What a column holds.
#[repr(C)]
pub(super) struct ArrowArray {
    pub(super) length: i64,
    pub(super) null_count: i64,
    pub(super) offset: i64,
    pub(super) n_buffers: i64,
    pub(super) n_children: i64,
    pub(super) buffers: *mut *const c_void,
    pub(super) children: *mut *mut ArrowArray,
    pub(super) dictionary: *mut ArrowArray,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(super) private_data: *mut c_void,
}

/// Batches of one table, one after the other.
#[repr(C)]
pub(super) struct ArrowArrayStream {
    pub(super) get_schema:
        Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub(super) get_next:
        Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub(super) get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub(super) private_data: *mut c_void,
}

// SAFETY: the interface lets a structure be used and released on any thread, one at a time. What
// ours point to is text and columns that do not change, and state that is `Send`.
unsafe impl Send for ArrowSchema {}
// SAFETY: as above.
unsafe impl Send for ArrowArray {}
// SAFETY: as above.
unsafe impl Send for ArrowArrayStream {}

impl ArrowArray {
    /// What stands behind the last batch: an array that is released.
    pub(super) fn released() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `release` is there, so the structure is complete and was not released.
            unsafe { release(self) }
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as for a schema.
            unsafe { release(self) }
        }
    }
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as for a schema.
            unsafe { release(self) }
        }
    }
}

/// Structures that another one points to, each in a place of its own, as the interface has them.
pub(super) struct Children<T>(Vec<*mut T>);

impl<T> Children<T> {
    pub(super) fn new(children: impl IntoIterator<Item = T>) -> Self {
        let own = |child| Box::into_raw(Box::new(child));
        Self(children.into_iter().map(own).collect())
    }

    pub(super) fn count(&self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    /// Where the list of their addresses begins.
    pub(super) fn as_mut_ptr(&mut self) -> *mut *mut T {
        self.0.as_mut_ptr()
    }

    /// The address of the first one; null where there is none.
    pub(super) fn first(&self) -> *mut T {
        self.0.first().copied().unwrap_or(ptr::null_mut())
    }
}

impl<T> Drop for Children<T> {
    fn drop(&mut self) {
        for &child in &self.0 {
            // SAFETY: `new` made it from a box, and only this drops it. A consumer may have taken
            // the child over, but has left the structure where it was, marked as released.
            drop(unsafe { Box::from_raw(child) });
        }
    }
}
