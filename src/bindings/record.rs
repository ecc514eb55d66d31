//! Lines of a results file, made from the records of Python.

use minos_core::json::{push_double, push_text, push_whole};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use pyo3::{Bound, intern};

/// What one item takes as a rule.
const LINE: usize = 512;

/// Zeros behind a 1 that are beyond every double: what stands for NaN and infinity, which JSON
/// cannot hold, so that a reader refuses them.
const BEYOND: usize = 400;

/// Render an item as a line of a results file, without a break and without checking it: whoever
/// reads the line tells what no file can hold.
#[pyfunction]
pub(crate) fn item_line<'py>(result: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = result.py();
    let mut json = String::with_capacity(LINE);
    json.push_str("{\"id\":");
    push_value(&mut json, &result.getattr(intern!(py, "id"))?)?;
    let answers = result.getattr(intern!(py, "answers"))?;
    if !answers.is_none() {
        json.push_str(",\"answers\":");
        push_object(&mut json, &answers, push_answer)?;
    }
    let error = result.getattr(intern!(py, "error"))?;
    if !error.is_none() {
        push_error(&mut json, &error)?;
    }
    let mut known = |name: &str, attribute| {
        let value = result.getattr(attribute)?;
        push_known(&mut json, name, &value)
    };
    known(",\"latencyMs\":", intern!(py, "latency_ms"))?;
    known(",\"model\":", intern!(py, "model"))?;
    known(",\"inputTokens\":", intern!(py, "input_tokens"))?;
    known(",\"outputTokens\":", intern!(py, "output_tokens"))?;
    known(",\"cost\":", intern!(py, "cost_usd"))?;
    let cached = result.getattr(intern!(py, "cached"))?;
    if cached.is_truthy()? {
        push_known(&mut json, ",\"cached\":", &cached)?;
    }
    let request_id = result.getattr(intern!(py, "request_id"))?;
    push_known(&mut json, ",\"requestId\":", &request_id)?;
    let tries = result.getattr(intern!(py, "tries"))?;
    if !tries.eq(1)? {
        push_known(&mut json, ",\"tries\":", &tries)?;
    }
    json.push('}');
    Ok(PyBytes::new(py, json.as_bytes()))
}

fn push_error(json: &mut String, error: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = error.py();
    json.push_str(",\"error\":{\"kind\":");
    push_value(json, error.getattr(intern!(py, "kind"))?.str()?.as_any())?;
    let code = error.getattr(intern!(py, "status_code"))?;
    push_known(json, ",\"statusCode\":", &code)?;
    json.push_str(",\"message\":");
    push_value(json, &error.getattr(intern!(py, "message"))?)?;
    json.push('}');
    Ok(())
}

fn push_answer(json: &mut String, answer: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = answer.py();
    let kind = answer.getattr(intern!(py, "kind"))?;
    let kind = kind.cast::<PyString>()?.to_str()?;
    json.push_str("{\"type\":");
    push_text(json, kind);
    let mut known = |name: &str, attribute| {
        let value = answer.getattr(attribute)?;
        push_known(json, name, &value)
    };
    if kind == "noul" {
        known(",\"probability\":", intern!(py, "probability"))?;
    } else {
        known(",\"choice\":", intern!(py, "option"))?;
        known(",\"level\":", intern!(py, "level"))?;
        known(",\"confidence\":", intern!(py, "confidence"))?;
        known(",\"expectedLevel\":", intern!(py, "expected_level"))?;
        let chances = answer.getattr(intern!(py, "probabilities"))?;
        if !chances.is_none() {
            json.push_str(",\"probabilities\":");
            push_value(json, &chances)?;
        }
    }
    json.push('}');
    Ok(())
}

fn push_known(json: &mut String, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if value.is_none() {
        return Ok(());
    }
    json.push_str(name);
    push_value(json, value)
}

/// Write any value that JSON has.
fn push_value(json: &mut String, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(number) = value.cast::<PyFloat>() {
        push_number(json, number.value());
    } else if let Ok(text) = value.cast::<PyString>() {
        push_string(json, text)?;
    } else if value.is_none() {
        json.push_str("null");
    } else if let Ok(truth) = value.cast::<PyBool>() {
        json.push_str(if truth.is_true() { "true" } else { "false" });
    } else if let Ok(number) = value.cast::<PyInt>() {
        push_integer(json, number)?;
    } else if value.cast::<PyMapping>().is_ok() {
        push_object(json, value, push_value)?;
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        push_array(json, value)?;
    } else {
        let told = format!("{} is nothing that JSON has", value.get_type().name()?);
        return Err(PyTypeError::new_err(told));
    }
    Ok(())
}

fn push_number(json: &mut String, number: f64) {
    if number.is_finite() {
        push_double(json, number);
    } else {
        json.push('1');
        json.extend(std::iter::repeat_n('0', BEYOND));
    }
}

fn push_integer(json: &mut String, number: &Bound<'_, PyInt>) -> PyResult<()> {
    if let Ok(small) = number.extract::<u64>() {
        push_whole(json, small);
        return Ok(());
    }
    // A child of `int` may have words of its own.
    let plain = number.py().get_type::<PyInt>();
    json.push_str(
        &plain
            .call_method1("__repr__", (number,))?
            .extract::<String>()?,
    );
    Ok(())
}

fn push_string(json: &mut String, text: &Bound<'_, PyString>) -> PyResult<()> {
    if let Ok(text) = text.to_str() {
        push_text(json, text);
        return Ok(());
    }
    // It holds surrogates, which only escapes can tell of.
    let encoder = text.py().import("json.encoder")?;
    let escaped = encoder.call_method1("encode_basestring_ascii", (text,))?;
    json.push_str(escaped.cast::<PyString>()?.to_str()?);
    Ok(())
}

fn push_object(
    json: &mut String,
    members: &Bound<'_, PyAny>,
    push: impl Fn(&mut String, &Bound<'_, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    json.push('{');
    let start = json.len();
    let mut member = |name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>| {
        if json.len() > start {
            json.push(',');
        }
        push_string(json, name.cast::<PyString>()?)?;
        json.push(':');
        push(json, value)
    };
    if let Ok(members) = members.cast::<PyDict>() {
        for (name, value) in members.iter() {
            member(&name, &value)?;
        }
    } else {
        for pair in members.call_method0("items")?.try_iter()? {
            let (name, value) = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            member(&name, &value)?;
        }
    }
    json.push('}');
    Ok(())
}

fn push_array(json: &mut String, elements: &Bound<'_, PyAny>) -> PyResult<()> {
    json.push('[');
    for (place, element) in elements.try_iter()?.enumerate() {
        if place > 0 {
            json.push(',');
        }
        push_value(json, &element?)?;
    }
    json.push(']');
    Ok(())
}
