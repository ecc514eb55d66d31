//! Tables as comma-separated values, after RFC 4180.
//!
//! The first line holds the names; lines end in CR LF. A row without anything is an empty field,
//! and an empty text is `""`. Lists are JSON. A text that a spreadsheet would take for a formula
//! begins with an apostrophe, and so does one that begins with an apostrophe itself: whoever takes
//! one leading apostrophe off every text has what there was.

use super::Batch;
use super::column::{Column, Values, bit, range};
use super::schema::Schema;
use crate::json::{push_double, push_text, push_whole};

/// The line of names.
#[must_use]
pub fn header(schema: &Schema) -> String {
    let names: Vec<&str> = schema.0.iter().map(|field| field.name.as_ref()).collect();
    let mut csv = names.join(",");
    csv.push_str("\r\n");
    csv
}

/// The lines of a batch.
#[must_use]
pub fn rows(batch: &Batch) -> String {
    let mut csv = String::new();
    for row in 0..batch.rows() {
        for (place, column) in batch.columns().iter().enumerate() {
            if place > 0 {
                csv.push(',');
            }
            push_field(&mut csv, column, row);
        }
        csv.push_str("\r\n");
    }
    csv
}

fn push_field(csv: &mut String, column: &Column, row: usize) {
    if column.is_null(row) {
        return;
    }
    match column.values() {
        Values::Text(..) | Values::Codes(..) => {
            let text = column.text(row).unwrap_or_default();
            push_quoted(csv, text, is_like_a_formula(text));
        }
        Values::Lists(ends, entries) => {
            let mut json = String::from("[");
            for (count, entry) in range(ends, row).enumerate() {
                if count > 0 {
                    json.push(',');
                }
                push_value(&mut json, entries, entry);
            }
            json.push(']');
            push_quoted(csv, &json, false);
        }
        _ => push_value(csv, column, row),
    }
}

/// Writes a value as JSON does.
fn push_value(json: &mut String, column: &Column, row: usize) {
    if column.is_null(row) {
        return json.push_str("null");
    }
    match column.values() {
        Values::Bits(bits) => json.push_str(if bit(bits, row) { "true" } else { "false" }),
        Values::UInt16(values) => push_whole(json, values.get(row).copied().unwrap_or(0).into()),
        Values::UInt32(values) => push_whole(json, values.get(row).copied().unwrap_or(0).into()),
        Values::UInt64(values) => push_whole(json, values.get(row).copied().unwrap_or(0)),
        Values::Float64(values) => push_double(json, values.get(row).copied().unwrap_or(0.0)),
        Values::Text(..) | Values::Codes(..) => {
            push_text(json, column.text(row).unwrap_or_default());
        }
        // No table has lists of lists.
        Values::Lists(..) => {}
    }
}

/// Whether a spreadsheet may run a text, or its first character may stand for that it might.
fn is_like_a_formula(text: &str) -> bool {
    text.starts_with([
        '=', '+', '-', '@', '\t', '\r', '\n', '\'', '＝', '＋', '－', '＠',
    ])
}

fn push_quoted(csv: &mut String, text: &str, is_marked: bool) {
    let is_bare = !text.is_empty()
        && !is_marked
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.contains(['"', ',', '\r', '\n']);
    if is_bare {
        return csv.push_str(text);
    }
    csv.push('"');
    if is_marked {
        csv.push('\'');
    }
    for (count, part) in text.split('"').enumerate() {
        if count > 0 {
            csv.push_str("\"\"");
        }
        csv.push_str(part);
    }
    csv.push('"');
}
