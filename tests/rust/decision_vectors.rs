//! The known answers of the decision format, read as a stream.

use std::io::Cursor;

use minos_core::decision::stream::ItemStream;
use minos_core::input::Input;
use minos_core::problem::Problem;

mod known_files;

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
    for known_files::KnownFile { name, bytes, told } in known_files::known_files() {
        let (items, problems) = read(bytes);
        let wanted = told["problems"].as_array().unwrap();
        let found: Vec<_> = problems
            .iter()
            .map(|p| serde_json::json!([p.line, p.code.as_str(), p.path, p.byte]))
            .collect();
        let known: Vec<_> = wanted
            .iter()
            .map(|p| serde_json::json!([p["line"], p["code"], p["path"], p["byte"]]))
            .collect();
        assert_eq!(found, known, "{name}: {problems:#?}");
        for (problem, wanted) in problems.iter().zip(wanted) {
            if let Some(message) = wanted["message"].as_str() {
                assert_eq!(problem.message, message, "{name}");
            }
        }
        assert_eq!(Some(items), told["items"].as_u64(), "{name}");
    }
}
