//! The extension module `minos._native`: its declaration and nothing else.

use pyo3::prelude::*;

mod arrow;
mod case;
mod convert;
mod dataset;
mod errors;
mod gil;
mod kernels;
mod price;
mod questions;
mod record;
mod report;
mod results;
mod stream;
mod text;
mod validate;

/// The native half of minos.
#[pymodule]
mod _native {
    #[pymodule_export]
    #[allow(
        non_upper_case_globals,
        reason = "the name that Python gives a version"
    )]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::arrow::{Table, TableBatch, answers_of_files};

    #[pymodule_export]
    use crate::case::CaseFile;

    #[pymodule_export]
    use crate::dataset::Dataset;

    #[pymodule_export]
    use crate::kernels::calibration;

    #[pymodule_export]
    use crate::price::Prices;

    #[pymodule_export]
    use crate::questions::check_questions;

    #[pymodule_export]
    use crate::record::item_line;

    #[pymodule_export]
    use crate::report::{report_from_files, report_from_objects};

    #[pymodule_export]
    use crate::results::{Results, ResultsWriter};

    #[pymodule_export]
    use crate::text::{
        Pattern, composed, edit_distance, grapheme_length, printable, without_ignorable,
    };

    #[pymodule_export]
    use crate::validate::Source;
}
