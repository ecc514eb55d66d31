//! Statistics over columns that Python holds.

use std::cell::Cell;
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use minos_core::stats::key::{Key, ONE, is_probability, key};
use minos_core::stats::ratio::ratio;
use minos_core::stats::table::{Group, Groups};
use minos_core::stats::{Binning, Calibration};
use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::gil;

/// How many answers are read before someone may have cancelled.
const BLOCK: usize = 1 << 14;

/// The bits of 1.
const ONE_BITS: u64 = 1.0_f64.to_bits();

/// So many answers are worked out where they are asked for, without a thread.
const FEW: usize = 1 << 16;

/// A bin: lower, upper, count, correct, mean confidence, accuracy.
type ToldBin = (f64, f64, u64, u64, Option<f64>, Option<f64>);

/// What is said of two columns: count, correct, ECE over bins of equal mass and of equal width,
/// signed bias, the bins of both kinds, and what each threshold covers and gets right.
type Told = (
    u64,
    u64,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Vec<ToldBin>,
    Vec<ToldBin>,
    Vec<(u64, u64)>,
);

/// Work out how well confidences are calibrated.
#[pyfunction]
pub(crate) fn calibration(
    py: Python<'_>,
    confidence: &Bound<'_, PyAny>,
    correct: &Bound<'_, PyAny>,
    bins: u64,
) -> PyResult<Told> {
    let confidence = column(confidence, "confidence", "float64", |element| {
        matches!(element, ElementType::Float { bytes: 8 })
    })?;
    let correct = column(correct, "correct", "bool or uint8", |element| {
        matches!(
            element,
            ElementType::Bool | ElementType::UnsignedInteger { bytes: 1 }
        )
    })?;
    if confidence.item_count() != correct.item_count() {
        let message = "confidence and correct must have the same length";
        return Err(PyValueError::new_err(message));
    }
    let work = |cancel: &AtomicBool| {
        let shared = Shared::of(&confidence, &correct, cancel);
        let found = Calibration::of(&shared, bins);
        shared.first_wrong().map_or(Ok(found), Err)
    };
    let found = if confidence.item_count() <= FEW {
        py.detach(|| work(&AtomicBool::new(false)))
    } else {
        gil::run(py, |cancel| work(cancel))?
    };
    let found = found.map_err(|wrong| {
        PyValueError::new_err(format!("confidence[{wrong}] is not a number from 0 to 1"))
    })?;
    Ok((
        found.count,
        found.correct,
        found.equal_mass.error(),
        found.equal_width.error(),
        found.signed_bias(),
        told(&found.equal_mass),
        told(&found.equal_width),
        found
            .sweep
            .iter()
            .map(|covered| (covered.count, covered.correct))
            .collect(),
    ))
}

/// The buffer of a column: contiguous, aligned, of the right type.
fn column(
    object: &Bound<'_, PyAny>,
    name: &str,
    wanted: &str,
    is_wanted: impl Fn(ElementType) -> bool,
) -> PyResult<PyUntypedBuffer> {
    let wrong_type = || PyTypeError::new_err(format!("{name} must be a buffer of {wanted}"));
    let buffer = PyUntypedBuffer::get(object).map_err(|_| wrong_type())?;
    if !is_wanted(ElementType::from_format(buffer.format())) {
        return Err(wrong_type());
    }
    let is_aligned =
        buffer.item_count() == 0 || buffer.buf_ptr().addr().is_multiple_of(buffer.item_size());
    if buffer.dimensions() != 1 || !buffer.is_c_contiguous() || !is_aligned {
        let message = format!("{name} must have one dimension and be contiguous and aligned");
        return Err(PyValueError::new_err(message));
    }
    Ok(buffer)
}

fn told(binning: &Binning) -> Vec<ToldBin> {
    let share = |key: Key| ratio(key.into(), ONE.into()).unwrap_or_default();
    let bins = binning.0.iter();
    bins.map(|bin| {
        let (lower, upper) = (share(bin.lower), share(bin.upper));
        (
            lower,
            upper,
            bin.count,
            bin.correct,
            bin.mean(),
            bin.accuracy(),
        )
    })
    .collect()
}

/// Columns that lie in memory of Python's, where another thread might write to them: they are read
/// value by value, atomically.
struct Shared<'a> {
    confidence: &'a [AtomicU64],
    correct: &'a [AtomicU8],
    /// Whether a walk met what may be no confidence.
    may_be_wrong: Cell<bool>,
    /// Ends a walk before its time.
    cancel: &'a AtomicBool,
}

impl<'a> Shared<'a> {
    fn of(
        confidence: &'a PyUntypedBuffer,
        correct: &'a PyUntypedBuffer,
        cancel: &'a AtomicBool,
    ) -> Self {
        Self {
            // SAFETY: `column` has seen that the buffer holds that many contiguous, aligned values
            // of eight bytes. The exporter keeps them in place for as long as the buffer lives,
            // which is longer than `'a`, and they are read atomically alone.
            confidence: unsafe { atoms(confidence) },
            // SAFETY: the same, of one byte.
            correct: unsafe { atoms(correct) },
            may_be_wrong: Cell::new(false),
            cancel,
        }
    }

    /// The first confidence that is none, once all were walked over.
    fn first_wrong(&self) -> Option<usize> {
        if !self.may_be_wrong.get() {
            return None;
        }
        self.confidence.iter().position(|confidence| {
            !is_probability(f64::from_bits(confidence.load(Ordering::Relaxed)))
        })
    }
}

/// The values of a buffer.
///
/// # Safety
///
/// The buffer must hold contiguous, aligned values of the size of `T`, an atomic integer.
unsafe fn atoms<T>(buffer: &PyUntypedBuffer) -> &[T] {
    if buffer.item_count() == 0 {
        return &[];
    }
    // SAFETY: as the caller says; a buffer with values has an address.
    unsafe { slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.item_count()) }
}

impl Groups for Shared<'_> {
    fn visit(&self, mut visitor: impl FnMut(Group)) {
        let blocks = self
            .confidence
            .chunks(BLOCK)
            .zip(self.correct.chunks(BLOCK));
        for (confidences, marks) in blocks {
            if self.cancel.load(Ordering::Relaxed) {
                return;
            }
            let mut may_be_wrong = false;
            for (confidence, mark) in confidences.iter().zip(marks) {
                let bits = confidence.load(Ordering::Relaxed);
                // Doubles from 0 to 1 are in the order of their bits, those below 0 and NaN beyond.
                may_be_wrong |= bits > ONE_BITS;
                visitor(Group {
                    key: key(f64::from_bits(bits)),
                    count: 1,
                    correct: u64::from(mark.load(Ordering::Relaxed) != 0),
                });
            }
            if may_be_wrong {
                self.may_be_wrong.set(true);
            }
        }
    }

    fn size(&self) -> usize {
        self.confidence.len()
    }
}
