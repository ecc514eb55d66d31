//! Prices of models.

use minos_core::price::PriceTable;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Told, problems};

/// What reading a prices file gives: the prices, or what is wrong with them.
#[derive(IntoPyObject)]
pub(crate) enum Read {
    Prices(Prices),
    Problems(Vec<Told>),
}

/// Prices of different models.
#[pyclass(frozen, module = "minos._native")]
pub(crate) struct Prices {
    core: PriceTable,
}

#[pymethods]
impl Prices {
    /// Read a prices file.
    #[staticmethod]
    fn parse(py: Python<'_>, data: &[u8]) -> Read {
        match py.detach(|| PriceTable::parse(data)) {
            Ok(core) => Read::Prices(Self { core }),
            Err(told) => Read::Problems(problems(told)),
        }
    }

    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.core.json().as_bytes())
    }

    fn find(&self, model: &str) -> Option<usize> {
        let found = self.core.find(model)?;
        self.core.prices().iter().position(|price| price == found)
    }

    /// What an answer costs in 10⁻¹⁵ dollars.
    fn cost(&self, model: &str, input_tokens: u64, output_tokens: u64) -> Option<u128> {
        let price = self.core.find(model)?;
        Some(price.cost(input_tokens, output_tokens))
    }
}
