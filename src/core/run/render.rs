//! Lines of a results file as they are written: one way for each content.

use super::batch::Answers;
use super::record::{AnswerRecord, ItemError, ItemResult, KIND, RunHeader, Selection, VERSION};
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
    json.push_str("{\"id\":");
    push_text(json, item.id());
    if let Some(answers) = item.answers() {
        push_answers(json, answers);
    }
    if let Some(error) = item.error() {
        push_error(json, &error);
    }
    push_known(json, ",\"latencyMs\":", item.latency_ms(), push_double);
    push_known(json, ",\"model\":", item.model(), push_text);
    push_known(json, ",\"inputTokens\":", item.input_tokens(), push_whole);
    push_known(json, ",\"outputTokens\":", item.output_tokens(), push_whole);
    push_known(json, ",\"cost\":", item.cost(), push_double);
    if item.is_cached() {
        json.push_str(",\"cached\":true");
    }
    push_known(json, ",\"requestId\":", item.request_id(), push_text);
    if item.tries() > 1 {
        json.push_str(",\"tries\":");
        push_whole(json, item.tries());
    }
    json.push('}');
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

fn push_error(json: &mut String, error: &ItemError<'_>) {
    json.push_str(",\"error\":{\"kind\":\"");
    json.push_str(error.kind.as_str());
    json.push('"');
    let code = error.status_code.map(u64::from);
    push_known(json, ",\"statusCode\":", code, push_whole);
    json.push_str(",\"message\":");
    push_text(json, error.message);
    json.push('}');
}

fn push_answers(json: &mut String, answers: Answers<'_>) {
    json.push_str(",\"answers\":{");
    for (place, (key, answer)) in answers.enumerate() {
        if place > 0 {
            json.push(',');
        }
        push_text(json, key);
        json.push(':');
        push_answer(json, &answer);
    }
    json.push('}');
}

fn push_answer(json: &mut String, answer: &AnswerRecord<'_>) {
    match *answer {
        AnswerRecord::Noul { probability } => {
            json.push_str("{\"type\":\"noul\",\"probability\":");
            push_double(json, probability);
        }
        AnswerRecord::Choice {
            option,
            confidence,
            probabilities,
        } => {
            json.push_str("{\"type\":\"choice\",\"choice\":");
            push_text(json, option);
            push_known(json, ",\"confidence\":", confidence, push_double);
            if let Some(options) = probabilities {
                json.push_str(",\"probabilities\":{");
                for (place, (name, probability)) in options.iter().enumerate() {
                    if place > 0 {
                        json.push(',');
                    }
                    push_text(json, name);
                    json.push(':');
                    push_double(json, probability);
                }
                json.push('}');
            }
        }
        AnswerRecord::Score {
            level,
            confidence,
            expected_level,
            probabilities,
        } => {
            json.push_str("{\"type\":\"score\",\"level\":");
            push_whole(json, level);
            push_known(json, ",\"confidence\":", confidence, push_double);
            push_known(json, ",\"expectedLevel\":", expected_level, push_double);
            if let Some(levels) = probabilities {
                json.push_str(",\"probabilities\":[");
                for (level, probability) in levels.iter().enumerate() {
                    if level > 0 {
                        json.push(',');
                    }
                    match probability {
                        Some(probability) => push_double(json, probability),
                        None => json.push_str("null"),
                    }
                }
                json.push(']');
            }
        }
    }
    json.push('}');
}
