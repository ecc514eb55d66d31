//! Prices files, and the price that fits a model.

use minos_core::price::PriceTable;

const PRICE: &str = r#"{"model":"MODEL","inputPerMillion":0.042,"outputPerMillion":0,"date":"2026-10-17","source":"s"}"#;

fn table(models: &[&str]) -> PriceTable {
    let prices: Vec<String> = models.iter().map(|m| PRICE.replace("MODEL", m)).collect();
    let file = format!("{{\"prices\":[{}]}}", prices.join(","));
    PriceTable::parse(file.as_bytes()).unwrap()
}

fn told(file: &str) -> Vec<(u64, &'static str, String, Option<u64>)> {
    PriceTable::parse(file.as_bytes())
        .unwrap_err()
        .into_iter()
        .map(|problem| {
            (
                problem.line,
                problem.code.as_str(),
                problem.path,
                problem.byte,
            )
        })
        .collect()
}

#[test]
fn the_longest_name_that_fits_wins() {
    let table = table(&["jev", "jev-1.14", "jev-1.14-20261014-x", "clef"]);
    for (model, price) in [
        ("jev-1.14-20261014", Some("jev-1.14")),
        ("jev-1.14", Some("jev-1.14")),
        ("jev-1.140", Some("jev")),
        ("jev-1.14-20261014-x-2", Some("jev-1.14-20261014-x")),
        ("jevs", None),
        ("Jev", None),
        ("clef-", Some("clef")),
        ("", None),
    ] {
        let found = table.find(model).map(|price| price.model.as_str());
        assert_eq!(found, price, "{model}");
    }
}

#[test]
fn a_cost_is_exact() {
    let table = table(&["m"]);
    let price = &table.prices()[0];
    assert_eq!(price.cost(1_000_000, 7), 42_000_000_000_000);
    assert_eq!(price.cost(1, 0), 42_000_000);
    assert_eq!(
        price.cost(u64::MAX, u64::MAX),
        u128::from(u64::MAX) * 42_000_000
    );
}

#[test]
fn a_table_is_written_as_it_is_read() {
    let table = table(&["a", "b"]);
    let json = table.json();
    assert_eq!(
        json,
        format!(
            "{{\"prices\":[{},{}]}}",
            PRICE.replace("MODEL", "a").replace(":0,", ":0.0,"),
            PRICE.replace("MODEL", "b").replace(":0,", ":0.0,"),
        )
    );
    assert_eq!(PriceTable::parse(json.as_bytes()).unwrap(), table);
    assert!(
        PriceTable::parse(b"\xef\xbb\xbf{\"prices\":[]}")
            .unwrap()
            .prices()
            .is_empty()
    );
}

#[test]
fn every_problem_is_told_with_its_place() {
    let file = r#"{
      "price": 1,
      "prices": [
        {"model": " ", "inputPerMillion": -1, "outputPerMillion": 1e999, "date": "2026-02-30", "source": null},
        7,
        {"model": "m", "inputPerMillion": 1, "outputPerMillion": 1, "date": "2026-10-17", "source": ""},
        {"model": "m", "inputPerMillion": "1", "outputPerMillion": 1, "date": "17.10.2026", "note": 1}
      ]
    }"#;
    assert_eq!(
        told(file),
        [
            (1, "unknown-member", "price".to_owned(), None),
            (4, "invalid-member", "prices[0].model".to_owned(), None),
            (
                4,
                "invalid-number",
                "prices[0].inputPerMillion".to_owned(),
                None
            ),
            (
                4,
                "invalid-number",
                "prices[0].outputPerMillion".to_owned(),
                None
            ),
            (4, "invalid-member", "prices[0].date".to_owned(), None),
            (4, "invalid-member", "prices[0].source".to_owned(), None),
            (5, "invalid-member", "prices[1]".to_owned(), None),
            (7, "unknown-member", "prices[3].note".to_owned(), None),
            (
                7,
                "invalid-member",
                "prices[3].inputPerMillion".to_owned(),
                None
            ),
            (7, "invalid-member", "prices[3].date".to_owned(), None),
            (7, "missing-member", "prices[3].source".to_owned(), None),
            (7, "duplicate-id", "prices[3].model".to_owned(), None),
        ]
    );
}

#[test]
fn files_that_hold_no_prices() {
    for (file, expected) in [
        ("", (1, "invalid-json", "", Some(0))),
        (
            "{\r\n \"prices\":\r\n  [x",
            (3, "invalid-json", "", Some(3)),
        ),
        ("{\n", (2, "invalid-json", "", Some(0))),
        ("\n[]", (2, "not-an-object", "", None)),
        ("{}", (1, "missing-member", "prices", None)),
        ("{\"prices\":{}}", (1, "invalid-member", "prices", None)),
        (
            "{\"prices\":[],\"prices\":[]}",
            (1, "duplicate-member", "prices", None),
        ),
    ] {
        let (line, code, path, byte) = expected;
        assert_eq!(told(file), [(line, code, path.to_owned(), byte)], "{file}");
    }
}
