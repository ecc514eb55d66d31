//! Tables: how columns are laid out, where batches end, and how they look as CSV.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use minos_core::arrow::answers::{Walk, count, rows, schema};
use minos_core::arrow::column::{Column, Numbers, Truths, Values, bit, range};
use minos_core::arrow::schema::{Field, Layout, Schema, Type};
use minos_core::arrow::text::Texts;
use minos_core::arrow::{BYTES, Batch, ROWS, csv};
use minos_core::run::Results;
use proptest::prelude::*;

fn texts(kind: &Type, rows: &[Option<&str>]) -> Column {
    let mut texts = Texts::of(Some(kind));
    for row in rows {
        texts.push(*row);
    }
    texts.finish()
}

fn listed(column: &Column) -> Vec<Option<&str>> {
    (0..column.len()).map(|row| column.text(row)).collect()
}

fn dictionary(column: &Column) -> &Arc<Column> {
    match column.values() {
        Values::Codes(_, texts) => texts,
        other => panic!("no dictionary: {other:?}"),
    }
}

proptest! {
    #[test]
    fn text_comes_back_in_either_layout(rows in prop::collection::vec(prop::option::of("[a-c]{0,2}|é"), 0..40)) {
        let rows: Vec<Option<&str>> = rows.iter().map(Option::as_deref).collect();
        for kind in [Type::Text, Type::Dictionary] {
            let column = texts(&kind, &rows);
            prop_assert_eq!(listed(&column), rows.clone());
            prop_assert_eq!(column.nulls(), rows.iter().filter(|row| row.is_none()).count());
        }
    }

    #[test]
    fn numbers_and_truths_come_back(rows in prop::collection::vec(prop::option::of(any::<bool>()), 0..40)) {
        let (mut truths, mut numbers) = (Truths::default(), Numbers::<u64>::default());
        for &row in &rows {
            truths.push(row);
            numbers.push(row.map(u64::from));
        }
        let (truths, numbers) = (truths.finish(), numbers.finish());
        let (Values::Bits(bits), Values::UInt64(values)) = (truths.values(), numbers.values()) else {
            return Err(TestCaseError::fail("other values"));
        };
        for (at, row) in rows.iter().enumerate() {
            prop_assert_eq!(truths.is_null(at), row.is_none());
            prop_assert_eq!(numbers.is_null(at), row.is_none());
            prop_assert_eq!(bit(bits, at), row.unwrap_or(false));
            prop_assert_eq!(values[at], row.map_or(0, u64::from));
        }
        prop_assert_eq!(truths.len(), rows.len());
    }
}

#[test]
fn a_column_without_nulls_has_no_validity() {
    let full = texts(&Type::Text, &[Some("a")]);
    assert!(full.buffers()[0].is_null());
    let some = texts(&Type::Text, &[Some("a"), None]);
    assert!(!some.buffers()[0].is_null());
    assert_eq!(some.buffers().len(), 3);
}

#[test]
fn batches_share_a_dictionary_until_something_new_comes() {
    let mut texts = Texts::starting_with(Some(&Type::Dictionary), &["x"]);
    let mut batch = |rows: &[&str]| {
        for row in rows {
            texts.push(Some(row));
        }
        texts.finish()
    };
    let first = batch(&["a", "b", "a", "b"]);
    let second = batch(&["b", "b", "a"]);
    let third = batch(&["c", "a"]);
    assert!(Arc::ptr_eq(dictionary(&first), dictionary(&second)));
    assert_eq!(
        listed(dictionary(&second)),
        [Some("x"), Some("a"), Some("b")]
    );
    assert_eq!(dictionary(&third).len(), 4);
    assert_eq!(listed(&second), [Some("b"), Some("b"), Some("a")]);
    assert_eq!(listed(&third), [Some("c"), Some("a")]);
}

#[test]
fn a_dictionary_that_has_grown_large_is_begun_anew() {
    let mut texts = Texts::of(Some(&Type::Dictionary));
    for number in 0..5000 {
        texts.push(Some(&number.to_string()));
    }
    assert_eq!(dictionary(&texts.finish()).len(), 5000);
    texts.push(Some("7"));
    let next = texts.finish();
    assert_eq!(dictionary(&next).len(), 1);
    assert_eq!(listed(&next), [Some("7")]);
}

#[test]
fn offsets_say_where_an_entry_stands() {
    assert_eq!(range(&[0, 2, 2, 5], 0), 0..2);
    assert_eq!(range(&[0, 2, 2, 5], 1), 2..2);
    assert_eq!(range(&[0, 2, 2, 5], 2), 2..5);
    assert_eq!(range(&[0, 2], 7), 0..0);
}

#[test]
fn columns_of_one_length_make_a_batch() {
    let column = |rows| texts(&Type::Text, rows);
    assert!(Batch::new(vec![column(&[None]), column(&[])]).is_none());
    assert_eq!(Batch::new(vec![column(&[None])]).unwrap().rows(), 1);
    assert_eq!(Batch::new(Vec::new()).unwrap().rows(), 0);
}

#[test]
fn layouts_change_text_alone() {
    let asked = schema(true).laid_out(|_, _| Some(Layout::Plain));
    assert!(asked.0.iter().all(|field| field.kind != Type::Dictionary));
    assert_eq!(
        asked.kind("options"),
        Some(&Field::list("", Type::Text).kind)
    );
    assert_eq!(asked.kind("line"), Some(&Type::UInt64));
    let back = asked.laid_out(|field, _| {
        (schema(true).kind(&field.name) != Some(&Type::Text)).then_some(Layout::Dictionary)
    });
    assert_eq!(back, schema(true));
}

fn results(items: &[String]) -> Results {
    let count = items.len();
    let header = r#"{"kind":"minos-results","version":1,"dataset":"d","provider":"p","model":null,"startedAt":"2026-11-30T12:00:00.000Z","itemCount":"#;
    let file = format!("{header}{count}}}\n{}", items.join("\n"));
    Results::parse(file.as_bytes(), false, &AtomicBool::new(false))
        .unwrap()
        .unwrap()
}

#[test]
fn an_item_is_parted_where_a_batch_ends() {
    let answer = |n| format!(r#""q{n}":{{"type":"noul","probability":0.5}}"#);
    let answers: Vec<String> = (0..ROWS + 5).map(answer).collect();
    let item = format!(r#"{{"id":"a","answers":{{{}}}}}"#, answers.join(","));
    let results = Arc::new(results(&[r#"{"id":"b","answers":{}}"#.to_owned(), item]));
    let batches: Vec<Batch> = Walk::new(Arc::clone(&results), &schema(false)).collect();
    assert_eq!(
        batches.iter().map(Batch::rows).collect::<Vec<_>>(),
        [ROWS, 6]
    );
    let Values::UInt32(places) = batches[1].columns()[2].values() else {
        panic!("places are whole numbers");
    };
    assert_eq!(places[0] as usize, ROWS - 1);
    assert_eq!(
        results.iter().map(|item| count(&item)).sum::<usize>(),
        ROWS + 6
    );
    assert_eq!(rows(&results.get(1).unwrap(), 3).count(), ROWS + 2);
}

#[test]
fn a_long_id_does_not_multiply() {
    let id = "i".repeat(BYTES / 4);
    let answers: Vec<String> = (0..9)
        .map(|n| format!(r#""q{n}":{{"type":"noul","probability":0.5}}"#))
        .collect();
    let item = format!(r#"{{"id":"{id}","answers":{{{}}}}}"#, answers.join(","));
    let results = Arc::new(results(&[item]));
    let sizes = Walk::new(results, &schema(false)).map(|batch| batch.rows());
    assert_eq!(sizes.collect::<Vec<_>>(), [4, 4, 1]);
}

/// The CSV of one row of texts.
fn line(row: &[Option<&str>]) -> String {
    let columns = row
        .iter()
        .map(|text| texts(&Type::Text, &[*text]))
        .collect();
    csv::rows(&Batch::new(columns).unwrap())
}

#[test]
fn fields_are_quoted_where_they_must_be() {
    assert_eq!(line(&[Some("a"), None, Some("")]), "a,,\"\"\r\n");
    assert_eq!(line(&[Some("a,b"), Some("a\"b")]), "\"a,b\",\"a\"\"b\"\r\n");
    assert_eq!(
        line(&[Some("a\nb"), Some(" a"), Some("a ")]),
        "\"a\nb\",\" a\",\"a \"\r\n"
    );
    assert_eq!(line(&[Some("é"), Some("a;b")]), "é,a;b\r\n");
}

#[test]
fn no_text_is_a_formula() {
    for text in [
        "=1+1", "+1", "-1", "@a", "\ta", "\ra", "\na", "＝1", "＋1", "－1", "＠a",
    ] {
        assert_eq!(line(&[Some(text)]), format!("\"'{text}\"\r\n"));
    }
    assert_eq!(line(&[Some("=\"x\"")]), "\"'=\"\"x\"\"\"\r\n");
    assert_eq!(line(&[Some("'a")]), "\"''a\"\r\n");
    assert_eq!(line(&[Some("a=1")]), "a=1\r\n");
}

#[test]
fn numbers_stand_as_they_are() {
    let mut doubles = Numbers::<f64>::default();
    for number in [Some(-1.5), Some(0.0), Some(1e300), None] {
        doubles.push(number);
    }
    let batch = Batch::new(vec![doubles.finish()]).unwrap();
    assert_eq!(csv::rows(&batch), "-1.5\r\n0.0\r\n1e+300\r\n\r\n");
}

#[test]
fn lists_are_json() {
    let item = r#"{"id":"a","answers":{"c":{"type":"choice","choice":"=x","probabilities":{"=x":0.5,"a\"b":0.5}},"s":{"type":"score","level":0,"probabilities":[1,null]},"n":{"type":"choice","choice":"n","probabilities":{}}}}"#;
    let walk = Walk::new(Arc::new(results(&[item.to_owned()])), &schema(false));
    let batches: Vec<Batch> = walk.collect();
    let csv = csv::rows(&batches[0]);
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert!(
        lines[0].contains(r#","'=x",,,,,"[""=x"",""a\""b""]","[0.5,0.5]","#),
        "{csv}"
    );
    assert!(
        lines[1].contains(r#","[""0"",""1""]","[1.0,null]","#),
        "{csv}"
    );
    assert!(lines[2].contains(",[],[],"), "{csv}");
}

#[test]
fn the_header_names_the_columns() {
    let schema = Schema(vec![
        Field::full("a", Type::Bool),
        Field::list("b", Type::Text),
    ]);
    assert_eq!(csv::header(&schema), "a,b\r\n");
}
