//! Columns: contiguous values and, where some rows hold nothing, a bit for each row.

use std::ffi::c_void;
use std::mem::take;
use std::ptr;
use std::sync::Arc;

/// A column that is done.
#[derive(Debug)]
pub struct Column {
    length: usize,
    nulls: usize,
    /// A bit for each row that holds something; None where all do.
    validity: Option<Vec<u8>>,
    values: Values,
}

/// What the rows hold; a row without anything takes its place all the same.
#[derive(Debug)]
pub enum Values {
    /// Truth values, a bit each, the lowest first.
    Bits(Vec<u8>),
    /// Whole numbers.
    UInt16(Vec<u16>),
    /// Whole numbers.
    UInt32(Vec<u32>),
    /// Whole numbers.
    UInt64(Vec<u64>),
    /// Doubles.
    Float64(Vec<f64>),
    /// Where each text ends (the first entry is 0), and the texts one behind the other.
    Text(Vec<i32>, Vec<u8>),
    /// The place of each row's text in a column of texts.
    Codes(Vec<i32>, Arc<Column>),
    /// Where each list ends (the first entry is 0), and the entries one behind the other.
    Lists(Vec<i32>, Box<Column>),
}

impl Column {
    pub(super) fn new(length: usize, validity: Bits, values: Values) -> Self {
        let nulls = length.saturating_sub(validity.ones);
        Self {
            length,
            nulls,
            validity: (nulls > 0).then_some(validity.bytes),
            values,
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many rows hold nothing.
    #[must_use]
    pub fn nulls(&self) -> usize {
        self.nulls
    }

    /// What the rows hold.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Whether a row holds nothing.
    #[must_use]
    pub fn is_null(&self, row: usize) -> bool {
        let validity = self.validity.as_deref();
        validity.is_some_and(|bits| !bit(bits, row))
    }

    /// The text of a row of a column of texts, dictionary or not.
    #[must_use]
    pub fn text(&self, row: usize) -> Option<&str> {
        match &self.values {
            _ if self.is_null(row) => None,
            Values::Text(ends, bytes) => {
                let bytes = bytes.get(range(ends, row))?;
                std::str::from_utf8(bytes).ok()
            }
            Values::Codes(codes, texts) => texts.text(usize::try_from(*codes.get(row)?).ok()?),
            _ => None,
        }
    }

    /// Where the column's buffers begin, in the order that Arrow gives them. They stay where they
    /// are for as long as the column is.
    #[must_use]
    pub fn buffers(&self) -> Vec<*const c_void> {
        let validity = self.validity.as_ref();
        let mut buffers = vec![validity.map_or(ptr::null(), |bits| bits.as_ptr().cast())];
        match &self.values {
            Values::Bits(values) => buffers.push(values.as_ptr().cast()),
            Values::UInt16(values) => buffers.push(values.as_ptr().cast()),
            Values::UInt32(values) => buffers.push(values.as_ptr().cast()),
            Values::UInt64(values) => buffers.push(values.as_ptr().cast()),
            Values::Float64(values) => buffers.push(values.as_ptr().cast()),
            Values::Text(ends, bytes) => {
                buffers.push(ends.as_ptr().cast());
                buffers.push(bytes.as_ptr().cast());
            }
            Values::Codes(codes, _) => buffers.push(codes.as_ptr().cast()),
            Values::Lists(ends, _) => buffers.push(ends.as_ptr().cast()),
        }
        buffers
    }
}

/// A bit of a row of bits; false beyond their end.
#[must_use]
pub fn bit(bits: &[u8], row: usize) -> bool {
    bits.get(row / 8)
        .is_some_and(|byte| byte >> (row % 8) & 1 == 1)
}

/// Where the entries of a row stand.
#[must_use]
pub fn range(ends: &[i32], row: usize) -> std::ops::Range<usize> {
    let at = |row| ends.get(row).and_then(|&end| usize::try_from(end).ok());
    let start = at(row).unwrap_or(0);
    start..at(row + 1).unwrap_or(start)
}

/// Bits that are still being added.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    length: usize,
    ones: usize,
}

impl Bits {
    pub(super) fn push(&mut self, is_one: bool) {
        if self.length.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(byte) = self.bytes.last_mut() {
            *byte |= u8::from(is_one) << (self.length % 8);
        }
        self.length += 1;
        self.ones += usize::from(is_one);
    }
}

/// A column of truth values that is still being filled.
#[derive(Debug, Default)]
pub struct Truths {
    values: Bits,
    validity: Bits,
}

impl Truths {
    /// Adds a row.
    pub fn push(&mut self, value: Option<bool>) {
        self.values.push(value.unwrap_or(false));
        self.validity.push(value.is_some());
    }

    /// The column; the next one is begun.
    pub fn finish(&mut self) -> Column {
        let values = take(&mut self.values);
        Column::new(
            values.length,
            take(&mut self.validity),
            Values::Bits(values.bytes),
        )
    }
}

/// A column of numbers that is still being filled.
#[derive(Debug, Default)]
pub struct Numbers<T> {
    values: Vec<T>,
    validity: Bits,
}

impl<T: Default> Numbers<T>
where
    Values: From<Vec<T>>,
{
    /// Adds a row.
    pub fn push(&mut self, value: Option<T>) {
        self.validity.push(value.is_some());
        self.values.push(value.unwrap_or_default());
    }

    /// How many rows were added.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The column; the next one is begun.
    pub fn finish(&mut self) -> Column {
        let values = take(&mut self.values);
        Column::new(values.len(), take(&mut self.validity), values.into())
    }
}

impl From<Vec<u16>> for Values {
    fn from(values: Vec<u16>) -> Self {
        Self::UInt16(values)
    }
}

impl From<Vec<u32>> for Values {
    fn from(values: Vec<u32>) -> Self {
        Self::UInt32(values)
    }
}

impl From<Vec<u64>> for Values {
    fn from(values: Vec<u64>) -> Self {
        Self::UInt64(values)
    }
}

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Self::Float64(values)
    }
}

/// Where lists end, while they are still being added.
#[derive(Debug)]
pub struct Lists {
    ends: Vec<i32>,
    validity: Bits,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            ends: vec![0],
            validity: Bits::default(),
        }
    }
}

impl Lists {
    /// Ends a row's list where so many entries were added to all; or says that it has none.
    pub(super) fn push(&mut self, entries: usize, is_some: bool) {
        self.ends.push(end(entries));
        self.validity.push(is_some);
    }

    /// The column over its entries; the next one is begun.
    pub(super) fn finish(&mut self, entries: Column) -> Column {
        let done = take(self);
        let length = done.ends.len() - 1;
        let values = Values::Lists(done.ends, Box::new(entries));
        Column::new(length, done.validity, values)
    }
}

/// An offset. A batch is ended long before one is too large for 32 bits.
pub(super) fn end(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}
