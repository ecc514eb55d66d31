//! The files of `tests/vectors/decision_files.jsonl`.

#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A file and what is known of it.
pub(crate) struct KnownFile {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// `items` and `problems`.
    pub(crate) told: Value,
}

/// Every known file.
pub(crate) fn known_files() -> Vec<KnownFile> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/decision_files.jsonl");
    let vectors = fs::read_to_string(path).unwrap();
    let files: Vec<_> = vectors
        .lines()
        .map(|line| {
            let told: Value = serde_json::from_str(line).unwrap();
            KnownFile {
                name: told["name"].as_str().unwrap().to_owned(),
                bytes: decoded(told["data_base64"].as_str().unwrap()),
                told,
            }
        })
        .collect();
    assert_eq!(files.len(), 115);
    files
}

fn decoded(base64: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for c in base64.bytes().filter(|&c| c != b'=') {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}
