//! The law of the fast path, on lines made from the grammar of the format: right ones, and ones with
//! a part that is wrong.

use minos_core::decision::diagnose;
use minos_core::decision::fast::{Scratch, accept};
use proptest::prelude::*;

/// White space between two tokens.
fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\t ")]
}

/// A string of JSON, some of its characters escaped, rarely blank, rarely wrong.
fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => "[a-z]{1,12}",
        2 => Just(" ".to_owned()),
        2 => Just("\\n".to_owned()),
        2 => Just("\\u0061".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just("\u{2003}".to_owned()),
        1 => Just("\\u2003".to_owned()),
        1 => Just("\\ud83d\\ude00 😀".to_owned()),
        1 => "[a-z ]{60,140}",
    ];
    let text = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let wrong = prop_oneof![Just(""), Just("\\ud800"), Just("\\x"), Just("\u{1}")];
    prop_oneof![60 => text, 1 => wrong.prop_map(str::to_owned)]
        .prop_map(|text| format!("\"{text}\""))
}

/// A name out of few, so that names meet, written plainly or with escapes.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        10 => "[a-d]",
        2 => "[a-d]{2}",
        1 => Just("\\u0061".to_owned()),
        1 => Just("longer than eight".to_owned()),
        1 => Just("longer thin eight".to_owned()),
        1 => Just(String::new()),
    ]
    .prop_map(|name| format!("\"{name}\""))
}

fn object(members: &[(String, String)], gap: &str) -> String {
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| format!("{gap}{name}{gap}:{value}{gap}"))
        .collect();
    format!("{{{gap}{}}}", members.join(","))
}

fn array(elements: &[String], gap: &str) -> String {
    format!("[{gap}{}]", elements.join(&format!("{gap},{gap}")))
}

fn free_form() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        Just("0"),
        Just("-1.5e+3"),
        Just("01"),
        Just("1."),
        Just("12345678901234567890")
    ];
    let literal = prop_oneof![Just("null"), Just("true"), Just("false")];
    let scalar = prop_oneof![
        4 => string(),
        2 => literal.prop_map(str::to_owned),
        1 => number.prop_map(str::to_owned),
    ];
    scalar.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..5), gap())
                .prop_map(|(list, gap)| array(&list, gap)),
            (prop::collection::vec((name(), inner), 0..4), gap())
                .prop_map(|(list, gap)| object(&list, gap)),
        ]
    })
}

fn criterion() -> impl Strategy<Value = String> {
    let list = || prop::option::of(prop::collection::vec(string(), 0..3));
    let parts = (string(), list(), list(), gap());
    let object = parts.prop_map(|(description, examples, not_for, gap)| {
        let mut members = vec![("\"description\"".to_owned(), description)];
        members.extend(examples.map(|list| ("\"examples\"".to_owned(), array(&list, gap))));
        members.extend(not_for.map(|list| ("\"n\\u006ft_for\"".to_owned(), array(&list, gap))));
        object(&members, gap)
    });
    prop_oneof![6 => string(), 2 => object, 1 => Just("null".to_owned())]
}

fn question() -> impl Strategy<Value = String> {
    let choice = (prop::collection::vec((name(), criterion()), 0..5), gap())
        .prop_map(|(options, gap)| ("choice", Some(object(&options, gap))));
    let score = (prop::collection::vec(criterion(), 1..12), gap())
        .prop_map(|(levels, gap)| ("score", Some(array(&levels, gap))));
    let side = prop_oneof![Just("\"true\""), Just("\"false\""), Just("\"f\\u0061lse\"")];
    let sides = prop::collection::vec((side.prop_map(str::to_owned), free_form()), 0..3);
    let noul = (prop::option::of(sides), gap())
        .prop_map(|(sides, gap)| ("noul", sides.map(|sides| object(&sides, gap))));
    let instructions = prop_oneof![5 => string(), 1 => free_form()];
    let members = (
        prop_oneof![2 => choice, 1 => score, 2 => noul],
        instructions,
    )
        .prop_map(|((kind, criteria), instructions)| {
            let mut members = vec![
                ("\"type\"".to_owned(), format!("\"{kind}\"")),
                ("\"instructions\"".to_owned(), instructions),
            ];
            members.extend(criteria.map(|criteria| ("\"criteria\"".to_owned(), criteria)));
            members
        });
    (members.prop_shuffle(), gap()).prop_map(|(members, gap)| object(&members, gap))
}

fn line() -> impl Strategy<Value = String> {
    let answer = prop_oneof![
        3 => name(),
        2 => Just("true".to_owned()),
        2 => Just("1".to_owned()),
        1 => Just("-0".to_owned()),
        1 => Just("1.0".to_owned()),
        1 => Just("null".to_owned()),
    ];
    let source = prop_oneof![3 => Just(None), 1 => string().prop_map(Some)];
    let version = prop_oneof![4 => Just(None), 3 => Just(Some("1")), 1 => Just(Some("2"))];
    let extra = prop_oneof![40 => Just(None), 1 => free_form().prop_map(Some)];
    (
        string(),
        free_form(),
        prop::collection::vec((name(), question()), 1..4),
        prop::collection::vec((name(), answer), 0..3),
        (source, version, extra),
        gap(),
    )
        .prop_map(
            |(id, state, questions, expected, (source, version, extra), gap)| {
                let mut members = vec![
                    ("\"id\"".to_owned(), id),
                    ("\"state\"".to_owned(), state),
                    ("\"questions\"".to_owned(), object(&questions, gap)),
                    ("\"expected\"".to_owned(), object(&expected, gap)),
                ];
                members.extend(source.map(|source| ("\"source\"".to_owned(), source)));
                members
                    .extend(version.map(|version| ("\"version\"".to_owned(), version.to_owned())));
                members.extend(extra.map(|extra| ("\"st\\u0061te\"".to_owned(), extra)));
                members
            },
        )
        .prop_shuffle()
        .prop_flat_map(|members| {
            gap().prop_map(move |gap| format!("{gap}{}{gap}", object(&members, gap)))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_line_is_accepted_exactly_where_nothing_is_wrong(lines in prop::collection::vec(line(), 1..4)) {
        let mut scratch = Scratch::default();
        for line in lines {
            let mut problems = Vec::new();
            let item = diagnose(line.as_bytes(), 1, &mut problems).item;
            let accepted = accept(line.as_bytes(), &mut scratch);
            prop_assert_eq!(accepted.is_some(), problems.is_empty(), "{} {:?}", line, problems);
            if let (Some(accepted), Some(item)) = (accepted, item) {
                prop_assert_eq!(accepted.id(), item.id);
                prop_assert_eq!(accepted.expected, item.expected);
                prop_assert_eq!(accepted.questions, item.questions);
            }
        }
    }
}

#[test]
fn sets_that_come_back_are_known_and_equal_sets_in_other_bytes_are_not() {
    let line = |questions: &str| {
        format!(r#"{{"id":"a","state":"s","questions":{questions},"expected":{{"a":true}}}}"#)
    };
    let first = line(r#"{"a":{"type":"noul","instructions":"first"}}"#);
    let second = line(r#"{"a":{"type":"noul","instructions":"second"}}"#);
    let spaced = line(r#"{"a": {"type":"noul","instructions":"first"}}"#);
    let mut scratch = Scratch::default();
    let mut is_known = |line: &str| accept(line.as_bytes(), &mut scratch).unwrap().set.is_known;
    assert_eq!(
        [&first, &second, &spaced].map(|line| is_known(line)),
        [false; 3]
    );
    assert_eq!(
        [&spaced, &first, &second].map(|line| is_known(line)),
        [true; 3]
    );
}

#[test]
fn a_line_of_a_million_names_takes_linear_time() {
    // Quadratic time would be minutes; the test's own limit tells.
    let members: Vec<_> = (0..1_000_000).map(|i| format!("\"{i}\":{i}")).collect();
    let line = |last: &str| {
        format!(
            r#"{{"id":"a","state":{{{},"{last}":0}},"questions":{{"a":{{"type":"noul","instructions":"b"}}}},"expected":{{}}}}"#,
            members.join(",")
        )
    };
    let mut scratch = Scratch::default();
    assert!(accept(line("new").as_bytes(), &mut scratch).is_some());
    assert!(accept(line("77777").as_bytes(), &mut scratch).is_none());
}
