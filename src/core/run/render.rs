//! Lines of a results file as they are written: one way for each content.

use super::batch::Batch;
use super::batch::raw::{RawAnswer, RawError, RawItem};
use super::batch::store::Text;
use super::item::ItemResult;
use super::record::{KIND, RunHeader, Selection, VERSION};
use crate::decision::question::Kind;
use crate::json::{push_double, push_text, push_whole};

/// Writes a header, without a line break.
pub fn push_header(json: &mut String, header: &RunHeader) {
    json.push_str("{\"kind\":\"");
    json.push_str(KIND);
    json.push_str("\",\"version\":");
    json.push_str(VERSION);
    json.push_str(",\"dataset\":");
    push_text(json, &header.dataset);
    json.push_str(",\"provider\":");
    push_text(json, &header.provider);
    json.push_str(",\"model\":");
    match &header.model {
        Some(model) => push_text(json, model),
        None => json.push_str("null"),
    }
    json.push_str(",\"startedAt\":");
    push_text(json, &header.started_at);
    json.push_str(",\"itemCount\":");
    push_whole(json, header.item_count);
    if header.partial {
        json.push_str(",\"partial\":true");
    }
    if let Some(selection) = &header.selection {
        json.push_str(",\"selection\":");
        push_selection(json, selection);
    }
    json.push('}');
}

/// Writes a selection.
pub(crate) fn push_selection(json: &mut String, selection: &Selection) {
    json.push_str("{\"of\":");
    push_whole(json, selection.of);
    push_known(json, ",\"count\":", selection.count, push_whole);
    push_known(json, ",\"limit\":", selection.limit, push_whole);
    push_known(json, ",\"sample\":", selection.sample, push_whole);
    push_known(json, ",\"seed\":", selection.seed, push_whole);
    if let Some(ids) = &selection.ids {
        json.push_str(",\"ids\":[");
        for (place, id) in ids.iter().enumerate() {
            if place > 0 {
                json.push(',');
            }
            push_text(json, id);
        }
        json.push(']');
    }
    json.push('}');
}

/// Writes an item, without a line break.
pub fn push_item(json: &mut String, item: &ItemResult<'_>) {
    let (batch, raw) = (item.batch, item.raw);
    push_first(json, "{\"id\":", batch, raw.id);
    match &raw.error {
        None => push_answers(json, batch, raw),
        Some(error) => push_error(json, batch, error),
    }
    push_known(json, ",\"latencyMs\":", item.latency_ms(), push_double);
    if let Some(model) = raw.model {
        push_first(json, ",\"model\":", batch, model);
    }
    push_known(json, ",\"inputTokens\":", item.input_tokens(), push_whole);
    push_known(json, ",\"outputTokens\":", item.output_tokens(), push_whole);
    push_known(json, ",\"cost\":", item.cost(), push_double);
    if item.is_cached() {
        json.push_str(",\"cached\":true");
    }
    if let Some(id) = raw.request_id {
        push_first(json, ",\"requestId\":", batch, id);
    }
    if item.tries() > 1 {
        json.push_str(",\"tries\":");
        push_whole(json, item.tries());
    }
    json.push('}');
}

/// Writes text of a batch behind what stands in front of it.
#[inline]
fn push_first(json: &mut String, before: &str, batch: &Batch, text: Text) {
    json.push_str(before);
    match batch.quoted(text) {
        Some(quoted) => json.push_str(quoted),
        None => push_text(json, batch.text(text)),
    }
}

fn push_known<T>(
    json: &mut String,
    name: &str,
    value: Option<T>,
    push: impl FnOnce(&mut String, T),
) {
    if let Some(value) = value {
        json.push_str(name);
        push(json, value);
    }
}

fn push_error(json: &mut String, batch: &Batch, error: &RawError) {
    json.push_str(",\"error\":{\"kind\":\"");
    json.push_str(error.kind.as_str());
    json.push('"');
    let code = error.status_code.map(u64::from);
    push_known(json, ",\"statusCode\":", code, push_whole);
    push_first(json, ",\"message\":", batch, error.message);
    json.push('}');
}

fn push_answers(json: &mut String, batch: &Batch, raw: &RawItem) {
    let mut before = ",\"answers\":{";
    for answer in batch.raw_answers(raw) {
        push_first(json, before, batch, answer.key);
        push_answer(json, batch, answer);
        before = ",";
    }
    if before != "," {
        json.push_str(before);
    }
    json.push('}');
}

fn push_answer(json: &mut String, batch: &Batch, answer: &RawAnswer) {
    match answer.kind {
        Kind::Noul => {
            json.push_str(":{\"type\":\"noul\",\"probability\":");
            push_double(json, answer.number);
        }
        Kind::Choice => {
            let before = ":{\"type\":\"choice\",\"choice\":";
            push_first(json, before, batch, answer.option);
            push_number(json, ",\"confidence\":", answer.number);
            if let Some(distribution) = answer.distribution {
                let mut before = ",\"probabilities\":{";
                for (&name, &value) in batch
                    .names(distribution)
                    .iter()
                    .zip(batch.values(distribution))
                {
                    push_first(json, before, batch, name);
                    json.push(':');
                    push_double(json, value);
                    before = ",";
                }
                if before != "," {
                    json.push_str(before);
                }
                json.push('}');
            }
        }
        Kind::Score => {
            json.push_str(":{\"type\":\"score\",\"level\":");
            push_whole(json, answer.level);
            push_number(json, ",\"confidence\":", answer.number);
            push_number(json, ",\"expectedLevel\":", answer.expected_level);
            if let Some(distribution) = answer.distribution {
                json.push_str(",\"probabilities\":[");
                for (level, &value) in batch.values(distribution).iter().enumerate() {
                    if level > 0 {
                        json.push(',');
                    }
                    if value.is_nan() {
                        json.push_str("null");
                    } else {
                        push_double(json, value);
                    }
                }
                json.push(']');
            }
        }
    }
    json.push('}');
}

/// Writes a number that is NaN where it is not known.
#[inline]
fn push_number(json: &mut String, name: &str, number: f64) {
    if !number.is_nan() {
        json.push_str(name);
        push_double(json, number);
    }
}
