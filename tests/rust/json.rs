//! The strict reader of one line of JSON.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::ControlFlow;

use minos_core::json::{Fault, Kind, Tree, push_string, unescape};
use proptest::prelude::*;

fn fault(line: &str) -> Fault {
    Tree::read(line.as_bytes(), &[]).unwrap_err()
}

fn paths(line: &str, free_form: &[&str]) -> Vec<String> {
    let tree = Tree::read(line.as_bytes(), free_form).unwrap();
    let mut paths = Vec::new();
    tree.each_repeat(|path, _| {
        paths.push(path.to_owned());
        ControlFlow::Continue(())
    });
    paths
}

#[test]
fn the_first_byte_that_cannot_go_on_is_told_with_what_would_be_right() {
    for (line, byte, reason) in [
        ("", 0, "the line ends, expected a value"),
        (" ", 1, "the line ends, expected a value"),
        ("nul", 3, "the line ends, expected null"),
        ("nule", 3, "expected null"),
        ("falsy", 4, "expected false"),
        ("trueish", 4, "expected the end of the line"),
        ("NaN", 0, "expected a value"),
        ("-", 1, "the line ends, expected a digit"),
        ("-x", 1, "expected a digit"),
        ("-Infinity", 1, "expected a digit"),
        ("01", 1, "expected no digit after a leading zero"),
        ("-01", 2, "expected no digit after a leading zero"),
        ("1.", 2, "the line ends, expected a digit"),
        ("1.e5", 2, "expected a digit"),
        ("1e+", 3, "the line ends, expected a digit"),
        ("1e+-1", 3, "expected a digit"),
        (".5", 0, "expected a value"),
        ("0x1", 1, "expected the end of the line"),
        ("[", 1, "the line ends, expected a value or ']'"),
        ("[}", 1, "expected a value or ']'"),
        ("[1", 2, "the line ends, expected ',' or ']'"),
        ("[1}", 2, "expected ',' or ']'"),
        ("[1,]", 3, "expected a value"),
        ("[,1]", 1, "expected a value or ']'"),
        (
            "{",
            1,
            "the line ends, expected a member name in double quotes or '}'",
        ),
        ("{]", 1, "expected a member name in double quotes or '}'"),
        ("{,", 1, "expected a member name in double quotes or '}'"),
        ("{\"a\"", 4, "the line ends, expected ':'"),
        ("{\"a\",", 4, "expected ':'"),
        ("{\"a\":", 5, "the line ends, expected a value"),
        ("{\"a\":}", 5, "expected a value"),
        ("{\"a\":1", 6, "the line ends, expected ',' or '}'"),
        ("{\"a\":1]", 6, "expected ',' or '}'"),
        (
            "{\"a\":1,",
            7,
            "the line ends, expected a member name in double quotes",
        ),
        ("{\"a\":1,}", 7, "expected a member name in double quotes"),
        ("\"a", 2, "the line ends, expected the closing double quote"),
        (
            "\"\\",
            2,
            "the line ends, expected one of \" \\ / b f n r t u after a backslash",
        ),
        (
            "\"\\x\"",
            2,
            "expected one of \" \\ / b f n r t u after a backslash",
        ),
        ("\"\\u12g4\"", 5, "expected a hexadecimal digit"),
        ("\"\\u12", 5, "the line ends, expected a hexadecimal digit"),
        (
            "\"\t\"",
            1,
            "expected an escape instead of a control character",
        ),
        ("\"\\ud800\\u\"", 9, "expected a hexadecimal digit"),
        (
            "\"\\ud800",
            7,
            "the line ends, expected the other half of a surrogate pair",
        ),
        (
            "\"\\ud800\\",
            8,
            "the line ends, expected the other half of a surrogate pair",
        ),
        ("1 2", 2, "expected the end of the line"),
        ("\u{feff}1", 0, "expected a value"),
        ("\u{c}1", 0, "expected a value"),
    ] {
        let told = fault(line).to_string();
        assert_eq!(
            told,
            format!("The line is not valid JSON at byte {byte}: {reason}."),
            "{line:?}"
        );
    }
}

#[test]
fn a_byte_that_is_not_utf8_comes_before_everything_else() {
    for (line, byte) in [
        (&b"]\xff"[..], 1),
        (b"\"\xc0\xaf\"", 1),
        (b"\"\xed\xa0\x80\"", 1),
        (b"\"ab\xe2\x82", 3),
        (b"\"\\ud800\xf5\"", 7),
    ] {
        let told = Tree::read(line, &[]).unwrap_err();
        assert_eq!(told, Fault::InvalidUtf8 { byte });
    }
}

#[test]
fn a_surrogate_without_its_half_is_told_at_its_backslash() {
    for (line, byte) in [
        (r#""\ud800""#, 1),
        (r#""\udc00""#, 1),
        (r#""a\uDBFFA""#, 2),
        (r#""\ud800\n""#, 1),
        (r#""\ud83d\q""#, 1),
        (r#""\ud800\ud800""#, 1),
        (r#""\ud800\u0041""#, 1),
        (r#""\ud83d\ude00\ude00""#, 13),
        (r#"{"\ud800":}"#, 2),
    ] {
        assert_eq!(fault(line), Fault::UnpairedSurrogate { byte }, "{line}");
    }
    let tree = Tree::read(br#""\ud83d\ude00 \uD83D\uDE00 \u00e9""#, &[]).unwrap();
    assert_eq!(tree.root().string().unwrap(), "😀 😀 é");
}

#[test]
fn the_bracket_of_level_513_is_told_when_it_is_met() {
    let open = "[".repeat(512);
    let close = "]".repeat(512);
    let tree = format!("{open}{close}");
    let tree = Tree::read(tree.as_bytes(), &[]).unwrap();
    assert_eq!(tree.root().height(), 512);
    let lines = [
        format!("{open}["),
        format!("{open}{{]]"),
        "[".repeat(100_000),
        format!("[{open}1{close}]"),
    ];
    for line in lines {
        assert_eq!(fault(&line), Fault::TooDeep { byte: 512 });
    }
    let objects = "{\"a\":".repeat(100_000);
    assert_eq!(fault(&objects), Fault::TooDeep { byte: 512 * 5 });
    // A bracket where none may stand is no level.
    let told = fault(&format!("{}1 [", "[".repeat(512)));
    assert!(
        matches!(told, Fault::InvalidJson { byte: 514, .. }),
        "{told:?}"
    );
}

#[test]
fn repeated_members_are_told_where_the_repeats_stand() {
    let line = r#"{"b":{"x":1,"\u0078":2},"a":[{"k":1},{"k":1,"k":{"z":1,"z":2},"k":3}],"b":1}"#;
    let told = ["b.x", "a[1].k", "a[1].k.z", "b"];
    assert_eq!(paths(line, &[]), told);
    assert_eq!(paths(line, &["a", "b"]), told);
    assert_eq!(paths(r#"{"":{"x":1,"x":2}}"#, &[]), [".x"]);
    assert_eq!(paths(r#"{"a.b":1,"a":{"b":1}}"#, &[]), [""; 0]);
    assert_eq!(
        paths(r#"{"a.b":1,"a.b":1,"a":{"b":1,"b":1}}"#, &[]),
        ["a.b"]
    );
    assert_eq!(
        paths(r#"{"a":[{"b":1,"b":1}],"a[0]":{"b":1,"b":1}}"#, &[]),
        ["a[0].b"]
    );
    assert_eq!(paths(r#"{"A":1,"a":1,"é":1,"e\u0301":1}"#, &[]), [""; 0]);
    let mut many = String::new();
    for key in 0..20 {
        write!(many, "\"{key}\":{{\"a\":1}},").unwrap();
    }
    let line = format!("{{\"s\":{{{many}\"7\":{{\"a\":1,\"a\":2}}}}}}");
    assert_eq!(paths(&line, &["s"]), ["s.7", "s.7.a"]);
}

#[test]
fn the_first_use_of_a_member_counts() {
    let tree = Tree::read(br#"{"a":1,"b":2,"a":3}"#, &[]).unwrap();
    let root = tree.root();
    assert_eq!(root.member("a").unwrap().literal(), "1");
    assert_eq!(root.members().count(), 2);
    assert_eq!(root.children().count(), 3);
}

#[test]
fn values_know_their_kind_place_and_text() {
    let line = r#" {"n" : -1.50e+3,"w":-12,"e":[ ],"o":{"x":[[1]]},"t":true,"f":false,"z":null} "#;
    let tree = Tree::read(line.as_bytes(), &[]).unwrap();
    let root = tree.root();
    let member = |name| root.member(name).unwrap();
    assert_eq!(root.kind(), Kind::Object);
    assert_eq!(line.get(root.span()), Some(line.trim()));
    assert_eq!(member("n").literal(), "-1.50e+3");
    assert_eq!(member("n").whole_number(), None);
    assert_eq!(member("w").whole_number(), Some("-12"));
    assert!(member("e").is_empty_container());
    assert!(!member("o").is_empty_container());
    assert_eq!(member("o").height(), 3);
    assert_eq!(member("o").literal(), r#"{"x":[[1]]}"#);
    let kinds = ["t", "f", "z"].map(|name| member(name).kind());
    assert_eq!(kinds, [Kind::True, Kind::False, Kind::Null]);
    assert!(root.member("q").is_none());
}

#[test]
fn a_million_members_are_told_apart() {
    // Work that is not linear would take hours.
    let mut line = String::from("{\"s\":{");
    for index in 0..1_000_000 {
        write!(line, "\"\\u006b{index}\":{{\"a\":[1,2]}},").unwrap();
    }
    line.push_str("\"k7\":0}}");
    assert_eq!(paths(&line, &["s"]), ["s.k7"]);
    assert_eq!(paths(&line, &[]), ["s.k7"]);
}

#[test]
fn text_without_escapes_is_borrowed() {
    assert!(matches!(unescape("plain é"), Cow::Borrowed("plain é")));
    assert_eq!(unescape(r#"\"\\\/\b\f\n\r\tA"#), "\"\\/\u{8}\u{c}\n\r\tA");
    assert_eq!(unescape(r"\u0000\u00e9\uffff"), "\0é\u{ffff}");
}

#[test]
fn written_text_is_printable_ascii() {
    let mut json = String::new();
    push_string(&mut json, "a\"b\\/<\n\r\t\u{8}\u{c}\u{7f}é😀\u{2028}");
    let written = r#""a\"b\\/<\n\r\t\u0008\u000c\u007f\u00e9\ud83d\ude00\u2028""#;
    assert_eq!(json, written);
}

proptest! {
    #[test]
    fn what_serde_reads_is_read_and_the_other_way_round(line in r#"[\[\]{},:"0-9eE.+\\utnrab \-]{0,24}"#) {
        let known = serde_json::from_str::<serde_json::Value>(&line);
        let read = Tree::read(line.as_bytes(), &[]);
        // Serde refuses floats beyond the largest one.
        let is_range = known.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
        prop_assert!(is_range || known.is_ok() == read.is_ok(), "{line:?}: {known:?} {read:?}");
    }

    #[test]
    fn any_text_comes_back(text: String) {
        let mut ascii = String::new();
        push_string(&mut ascii, &text);
        prop_assert!(ascii.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        for json in [ascii, serde_json::to_string(&text).unwrap()] {
            let tree = Tree::read(json.as_bytes(), &[]).unwrap();
            prop_assert_eq!(tree.root().string().unwrap(), text.as_str());
        }
    }

    #[test]
    fn any_bytes_are_a_tree_or_a_fault_in_the_line(line: Vec<u8>) {
        if let Err(fault) = Tree::read(&line, &[]) {
            prop_assert!(fault.byte().unwrap() <= line.len() as u64);
        }
    }

    #[test]
    fn a_cut_line_is_told_at_its_end(cut in 0_usize..72) {
        let line = r#"{"a":[1.5e-3,true,null,"x\n\u0041\ud83d\ude00"],"b":{"c":[{},[]]},"d":0}"#;
        let cut = &line[..cut];
        let told = Tree::read(cut.as_bytes(), &[]).unwrap_err();
        let is_end = matches!(told, Fault::InvalidJson { byte, at_end: true, .. } if byte == cut.len());
        prop_assert!(is_end, "{cut:?}: {told:?}");
    }
}
