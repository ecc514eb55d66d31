//! What models cost: a file of prices, and the price that fits a model.

use std::collections::HashMap;

use crate::findings::{Findings, Place};
use crate::json::{Kind, Tree, Value, push_double, push_text};
use crate::lines::split;
use crate::problem::{Code, Problem};
use crate::run::check::{Member, Rule, check_members, number, text};
use crate::stats::key::femtodollars_per_token;

const FILE: [Member; 1] = [Member::required("prices", Rule::List)];

const PRICE: [Member; 5] = [
    Member::required("model", Rule::Filled),
    Member::required("inputPerMillion", Rule::Amount),
    Member::required("outputPerMillion", Rule::Amount),
    Member::required("date", Rule::Date),
    Member::required("source", Rule::Text),
];

/// What a model costs.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPrice {
    /// The model, and the beginning of the ids of its versions.
    pub model: String,
    /// Dollars for a million tokens read.
    pub input_per_million: f64,
    /// Dollars for a million tokens written.
    pub output_per_million: f64,
    /// The day, as it is written.
    pub date: String,
    /// Where the price is listed.
    pub source: String,
}

impl ModelPrice {
    /// The cost of an answer in 10⁻¹⁵ dollars.
    #[must_use]
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> u128 {
        let side = |tokens: u64, per_million: f64| {
            u128::from(tokens).saturating_mul(femtodollars_per_token(per_million))
        };
        side(input_tokens, self.input_per_million)
            .saturating_add(side(output_tokens, self.output_per_million))
    }
}

/// Prices of different models.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceTable {
    prices: Vec<ModelPrice>,
}

impl PriceTable {
    /// Reads a prices file, or tells everything that is wrong with it.
    pub fn parse(file: &[u8]) -> Result<Self, Vec<Problem>> {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let lines = Lines::of(file);
        let mut problems = Vec::new();
        let tree = match Tree::read(file, &[]) {
            Ok(tree) => tree,
            Err(fault) => {
                let at = fault.byte().and_then(|byte| usize::try_from(byte).ok());
                let (line, start) = lines.at(at.unwrap_or(0));
                return Err(vec![fault.counted_from(start).problem(line)]);
            }
        };
        let root = tree.root();
        check(&tree, &lines, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let prices = root.member("prices").into_iter().flat_map(Value::children);
        Ok(Self {
            prices: prices.filter_map(price).collect(),
        })
    }

    /// The prices in the order of the file.
    #[must_use]
    pub fn prices(&self) -> &[ModelPrice] {
        &self.prices
    }

    /// The price of a model: its own, or that of the longest name that its id continues behind a
    /// hyphen.
    #[must_use]
    pub fn find(&self, model: &str) -> Option<&ModelPrice> {
        let fits = |price: &&ModelPrice| {
            let rest = model.strip_prefix(price.model.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let fitting = self.prices.iter().filter(fits);
        fitting.max_by_key(|price| price.model.len())
    }

    /// The table as a prices file, compact.
    #[must_use]
    pub fn json(&self) -> String {
        let mut json = "{\"prices\":".to_owned();
        self.push_prices(&mut json);
        json.push('}');
        json
    }

    /// Writes the prices as a list.
    pub fn push_prices(&self, json: &mut String) {
        json.push('[');
        for (place, price) in self.prices.iter().enumerate() {
            if place > 0 {
                json.push(',');
            }
            json.push_str("{\"model\":");
            push_text(json, &price.model);
            json.push_str(",\"inputPerMillion\":");
            push_double(json, price.input_per_million);
            json.push_str(",\"outputPerMillion\":");
            push_double(json, price.output_per_million);
            json.push_str(",\"date\":");
            push_text(json, &price.date);
            json.push_str(",\"source\":");
            push_text(json, &price.source);
            json.push('}');
        }
        json.push(']');
    }
}

fn check(tree: &Tree<'_>, lines: &Lines, problems: &mut Vec<Problem>) {
    let root = tree.root();
    let line = lines.at(root.span().start).0;
    let mut findings = Findings::new(line, problems);
    if root.kind() != Kind::Object {
        let message = "A prices file must be a JSON object.".to_owned();
        findings.add(Code::NotAnObject, String::new(), message);
        return;
    }
    findings.repeats(tree);
    check_members(root, "a prices file", &FILE, &Place::Line, &mut findings);
    let Some(prices) = root
        .member("prices")
        .filter(|prices| prices.kind() == Kind::Array)
    else {
        return;
    };
    let mut first: HashMap<String, usize> = HashMap::new();
    let list = Place::Line.member("prices");
    for (index, price) in prices.children().enumerate() {
        let place = list.element(index);
        let mut findings = Findings::new(lines.at(price.span().start).0, problems);
        if price.kind() != Kind::Object {
            findings.invalid(&place, "an object");
            continue;
        }
        check_members(price, "a price", &PRICE, &place, &mut findings);
        let Some(model) = text(price, "model") else {
            continue;
        };
        if let Some(first) = first.get(&model) {
            let text = format_args!("'{model}' already has a price, 'prices[{first}]'.");
            findings.at(Code::DuplicateId, &place.member("model"), text);
        } else {
            first.insert(model, index);
        }
    }
}

fn price(value: Value<'_>) -> Option<ModelPrice> {
    Some(ModelPrice {
        model: text(value, "model")?,
        input_per_million: value.member("inputPerMillion").and_then(number)?,
        output_per_million: value.member("outputPerMillion").and_then(number)?,
        date: text(value, "date")?,
        source: text(value, "source")?,
    })
}

/// Where the lines of a file start.
struct Lines(Vec<usize>);

impl Lines {
    fn of(file: &[u8]) -> Self {
        let starts = split(file).map(|line| usize::try_from(line.offset).unwrap_or(usize::MAX));
        // Behind a last break an empty line starts, in which a fault may lie.
        let last = file.ends_with(b"\n") || file.ends_with(b"\r");
        Self(starts.chain(last.then_some(file.len())).collect())
    }

    /// The line that a byte is in, counted from 1, and the line's first byte.
    fn at(&self, byte: usize) -> (u64, usize) {
        let line = self.0.partition_point(|&start| start <= byte).max(1);
        (line as u64, self.0.get(line - 1).copied().unwrap_or(0))
    }
}
