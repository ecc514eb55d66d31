//! The known answers of the decision format, read as a stream.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use minos_core::decision::stream::ItemStream;
use minos_core::input::Input;
use minos_core::problem::Problem;
use serde_json::Value;

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

fn read(file: Vec<u8>) -> (u64, Vec<Problem>) {
    let mut stream = ItemStream::new(Input::from_reader(Cursor::new(file)).unwrap());
    let mut items = 0;
    while stream.next_item().unwrap().is_some() {
        items += 1;
    }
    (items, stream.into_problems())
}

#[test]
fn every_known_file_gives_its_items_and_problems() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/decision_files.jsonl");
    let vectors = fs::read_to_string(path).unwrap();
    let mut checked = 0;
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let name = vector["name"].as_str().unwrap();
        let (items, problems) = read(decoded(vector["data_base64"].as_str().unwrap()));
        let wanted = vector["problems"].as_array().unwrap();
        let told: Vec<_> = problems
            .iter()
            .map(|p| serde_json::json!([p.line, p.code.as_str(), p.path, p.byte]))
            .collect();
        let known: Vec<_> = wanted
            .iter()
            .map(|p| serde_json::json!([p["line"], p["code"], p["path"], p["byte"]]))
            .collect();
        assert_eq!(told, known, "{name}: {problems:#?}");
        for (problem, wanted) in problems.iter().zip(wanted) {
            if let Some(message) = wanted["message"].as_str() {
                assert_eq!(problem.message, message, "{name}");
            }
        }
        assert_eq!(Some(items), vector["items"].as_u64(), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 115);
}
