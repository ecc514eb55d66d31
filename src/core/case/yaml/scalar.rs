//! What a plain scalar of YAML stands for: the core schema of YAML 1.2.

use std::borrow::Cow;

/// A plain scalar, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar<'a> {
    Null,
    Boolean(bool),
    /// A number as JSON writes it.
    Number(Cow<'a, str>),
    /// `.nan`, `.inf` and their like.
    NotFinite,
    /// A number outside the range of a double.
    TooLarge,
    Text,
}

/// Resolves a plain scalar. Dates, `yes`, `1_000` and `12:30` are text.
pub(super) fn resolve(text: &str) -> Scalar<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "true" | "True" | "TRUE" => return Scalar::Boolean(true),
        "false" | "False" | "FALSE" => return Scalar::Boolean(false),
        ".nan" | ".NaN" | ".NAN" => return Scalar::NotFinite,
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Scalar::NotFinite;
    }
    let number = match text.get(..2) {
        Some("0o") => based(text, 8),
        Some("0x") => based(text, 16),
        _ => decimal(text, unsigned),
    };
    match number {
        None => Scalar::Text,
        Some(number) if is_finite(&number) => Scalar::Number(number),
        Some(_) => Scalar::TooLarge,
    }
}

/// Whether a number of JSON is in the range of a double.
pub(in crate::case) fn is_finite(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(f64::is_finite)
}

fn based(text: &str, base: u32) -> Option<Cow<'_, str>> {
    let digits = text.get(2..).filter(|digits| !digits.is_empty())?;
    if !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    Some(match u128::from_str_radix(digits, base) {
        Ok(number) => Cow::Owned(number.to_string()),
        // More than 128 bits: told as too large.
        Err(_) => Cow::Borrowed("1e999"),
    })
}

fn decimal<'a>(text: &'a str, unsigned: &'a str) -> Option<Cow<'a, str>> {
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (unsigned.get(..at)?, Some(unsigned.get(at + 1..)?)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_digits = exponent.map(|e| e.strip_prefix(['-', '+']).unwrap_or(e));
    let is_number = is_digits(whole)
        && fraction.is_none_or(is_digits)
        && (!whole.is_empty() || fraction.is_some_and(|digits| !digits.is_empty()))
        && exponent_digits.is_none_or(|digits| !digits.is_empty() && is_digits(digits));
    if !is_number {
        return None;
    }
    let significant = whole.trim_start_matches('0');
    let is_json = !text.starts_with('+')
        && !whole.is_empty()
        && (significant.len() == whole.len() || whole == "0")
        && fraction.is_none_or(|digits| !digits.is_empty());
    if is_json {
        return Some(Cow::Borrowed(text));
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = if significant.is_empty() {
        "0"
    } else {
        significant
    };
    let mut number = format!("{sign}{whole}");
    if let Some(digits) = fraction {
        number.push('.');
        number.push_str(if digits.is_empty() { "0" } else { digits });
    }
    if let Some(digits) = exponent {
        number.push('e');
        number.push_str(digits);
    }
    Some(Cow::Owned(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_core_schema_is_resolved() {
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "YES",
            "2024-01-31",
            "2001-12-14t21:59:43.10-05:00",
            "12:30:45",
            "190:20:30",
            "1_000",
            "0b11",
            "0o8",
            "0xg",
            "0x",
            "+",
            "-",
            ".",
            "1e",
            "e5",
            "1.2.3",
            "=",
            "<<",
            "nan",
            "inf",
            "Infinity",
            "1.e",
            "--1",
            "0o",
            "tRue",
            "-0x1",
        ] {
            assert_eq!(resolve(text), Scalar::Text, "{text}");
        }
        for (text, number) in [
            ("0", "0"),
            ("-7", "-7"),
            ("+7", "7"),
            ("007", "7"),
            ("010", "10"),
            ("0o14", "12"),
            ("0xFF", "255"),
            ("1.50", "1.50"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5.0"),
            ("1e3", "1e3"),
            ("1E+3", "1E+3"),
            ("+1.5e-3", "1.5e-3"),
            ("00.5", "0.5"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("-0", "-0"),
            ("00", "0"),
        ] {
            assert_eq!(resolve(text), Scalar::Number(number.into()), "{text}");
        }
        for text in [".inf", "-.inf", "+.INF", ".NaN"] {
            assert_eq!(resolve(text), Scalar::NotFinite, "{text}");
        }
        for text in [
            "1e999",
            "-1e999",
            &"9".repeat(400),
            &format!("0x{}", "f".repeat(40)),
        ] {
            assert_eq!(resolve(text), Scalar::TooLarge, "{text}");
        }
        for text in ["", "~", "null", "NULL"] {
            assert_eq!(resolve(text), Scalar::Null, "{text}");
        }
        assert_eq!(resolve("True"), Scalar::Boolean(true));
        assert_eq!(resolve("false"), Scalar::Boolean(false));
    }
}
