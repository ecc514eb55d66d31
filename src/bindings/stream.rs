//! Binary streams of Python as readers.

use std::io::{self, Read};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A Python object with a `read` method, read by whatever thread holds it.
pub(crate) struct Stream(pub(crate) Py<PyAny>);

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // What Python raises comes back to Python as it was, see `errors`.
        self.read_python(buffer).map_err(io::Error::other)
    }
}

impl Stream {
    fn read_python(&self, buffer: &mut [u8]) -> PyResult<usize> {
        Python::attach(|py| {
            py.check_signals()?;
            let read = self.0.bind(py).call_method1("read", (buffer.len(),))?;
            let Ok(bytes) = read.cast_into::<PyBytes>() else {
                return Err(PyTypeError::new_err(
                    "the stream must be binary: its read() must return bytes",
                ));
            };
            let bytes = bytes.as_bytes();
            let Some(target) = buffer.get_mut(..bytes.len()) else {
                return Err(PyTypeError::new_err(
                    "the stream's read(n) returned more than n bytes",
                ));
            };
            target.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}
