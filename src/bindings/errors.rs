//! How errors of the core become exceptions: the only place that says so.

use std::error::Error;
use std::io;
use std::path::Path;

use minos_core::input::InputError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;

/// An error of the core together with the file it is about.
pub(crate) fn input_error(py: Python<'_>, error: InputError, path: Option<&Path>) -> PyErr {
    match error {
        InputError::Io(error) => io_error(py, error, path),
        InputError::Unreadable { compression, cause } => {
            if cause
                .get_ref()
                .is_some_and(<dyn Error + Send + Sync>::is::<PyErr>)
            {
                return cause.into();
            }
            let told = InputError::Unreadable { compression, cause }.to_string();
            PyOSError::new_err(match path {
                Some(path) => format!("{}: {told}", path.display()),
                None => told,
            })
        }
        InputError::Cancelled => PyKeyboardInterrupt::new_err(()),
    }
}

/// The child of `OSError` that the interpreter has for an error of the system; an exception that
/// a Python object raised while it was read or written comes back as it was.
pub(crate) fn io_error(py: Python<'_>, error: io::Error, path: Option<&Path>) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return error.into();
    };
    let told = strerror(py, number).unwrap_or_else(|_| error.to_string());
    let path = path.map(|path| path.as_os_str().to_os_string());
    if cfg!(windows) {
        // The interpreter finds the errno for a Windows number by itself.
        return PyOSError::new_err((0, told, path, number));
    }
    PyOSError::new_err((number, told, path))
}

fn strerror(py: Python<'_>, number: i32) -> PyResult<String> {
    let told = py.import("os")?.call_method1("strerror", (number,))?;
    told.extract()
}
