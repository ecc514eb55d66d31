//! Files of cases: three formats, the lines of everything, the traps of YAML.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use minos_core::case::{CaseFile, Format, Lines, Step, Told};

fn parse(text: &str, format: Format) -> (CaseFile, Vec<Told>) {
    CaseFile::parse(text.as_bytes().to_vec(), format)
}

fn texts(file: &CaseFile) -> Vec<String> {
    (0..file.len())
        .map(|case| String::from_utf8(file.json(case).unwrap()).unwrap())
        .collect()
}

/// What was told, as `case|line code path: message`.
fn told(told: &[Told]) -> Vec<String> {
    told.iter()
        .map(|Told { case, problem }| {
            let case = case.map_or("-".to_owned(), |case| case.to_string());
            let code = problem.code.as_str();
            let (line, path, message) = (problem.line, &problem.path, &problem.message);
            format!("{case}|{line} {code} {path}: {message}")
        })
        .collect()
}

fn yaml(text: &str) -> Vec<String> {
    let (file, problems) = parse(text, Format::Yaml);
    assert_eq!(told(&problems), Vec::<String>::new(), "{text}");
    texts(&file)
}

fn yaml_problems(text: &str) -> Vec<String> {
    told(&parse(text, Format::Yaml).1)
}

fn name(name: &str) -> Step {
    Step::Name(name.to_owned())
}

#[test]
fn the_formats_hold_the_same_cases() {
    let json = "[\n {\"input\": \"a\", \"n\": [1, 2.5]},\n {\"input\": null}\n]";
    let jsonl = "{\"input\": \"a\", \"n\": [1, 2.5]}\n\n{\"input\": null}\n";
    let in_yaml = "- input: a\n  n: [1, 2.5]\n- input:\n";
    for (text, format, lines) in [
        (json, Format::Json, [2, 3]),
        (jsonl, Format::Jsonl, [1, 3]),
        (in_yaml, Format::Yaml, [1, 3]),
    ] {
        let (file, problems) = parse(text, format);
        assert!(problems.is_empty());
        let values: Vec<serde_json::Value> = texts(&file)
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect();
        assert_eq!(
            values,
            [
                serde_json::json!({"input": "a", "n": [1, 2.5]}),
                serde_json::json!({"input": null}),
            ]
        );
        assert_eq!([file.line(0), file.line(1)], lines.map(Some));
        assert_eq!(file.line(2), None);
    }
}

#[test]
fn files_with_nothing_in_them_have_no_cases() {
    for format in [Format::Json, Format::Jsonl, Format::Yaml] {
        for text in ["", "\n \n", "\u{feff}"] {
            let (file, problems) = parse(text, format);
            assert!(
                file.is_empty() && problems.is_empty(),
                "{format:?} {text:?}"
            );
        }
    }
    let (file, problems) = parse("# nothing\n---\n", Format::Yaml);
    assert!(file.is_empty() && problems.is_empty());
}

#[test]
fn the_lines_of_every_place_are_known() {
    let json = "\u{feff}[{\"a\":\n[1,\n{\"b\":\n\"x\"}],\n\"c\": 2}, 5]";
    let in_yaml = "-\n  a:\n    - 1\n    -\n      b: x\n  c:\n    2\n- 5\n";
    let lines = |text: &str, format, path: &[Step]| {
        let (file, _) = parse(text, format);
        let Lines { member, value } = file.lines(0, path).unwrap();
        (member, value)
    };
    let deep = [name("a"), Step::Index(1), name("b")];
    assert_eq!(lines(json, Format::Json, &[]), (1, 1));
    assert_eq!(lines(json, Format::Json, &[name("a")]), (1, 2));
    assert_eq!(lines(json, Format::Json, &deep), (3, 4));
    assert_eq!(lines(json, Format::Json, &[name("c")]), (5, 5));
    assert_eq!(lines(json, Format::Json, &[name("nowhere")]), (1, 1));
    assert_eq!(lines(in_yaml, Format::Yaml, &[]), (2, 2));
    assert_eq!(lines(in_yaml, Format::Yaml, &[name("a")]), (2, 3));
    assert_eq!(lines(in_yaml, Format::Yaml, &deep), (5, 5));
    assert_eq!(lines(in_yaml, Format::Yaml, &[name("c")]), (6, 7));
    let jsonl = "{}\n{\"a\": [1]}";
    let (file, _) = parse(jsonl, Format::Jsonl);
    assert_eq!(file.lines(1, &[name("a")]).unwrap().value, 2);
}

#[test]
fn faults_of_json_have_their_line_and_byte_in_it() {
    let (file, problems) = parse("[\n {\"input\": \"é\"},\n {\"input\" 5}\n]", Format::Json);
    assert!(file.is_empty());
    assert_eq!(
        told(&problems),
        ["-|3 invalid-json : The line is not valid JSON at byte 10: expected ':'."]
    );
    assert_eq!(problems[0].problem.byte, Some(10));
    let (_, problems) = parse("{\"input\": 5}", Format::Json);
    assert_eq!(
        told(&problems),
        ["-|1 not-a-list : The file must hold a list of cases."]
    );
}

#[test]
fn a_broken_line_keeps_the_place_of_a_case() {
    let (file, problems) = parse("{\"a\":1}\n{\"a\":\n\n{\"b\":1,\"b\":2}", Format::Jsonl);
    assert_eq!(texts(&file), ["{\"a\":1}", "", "{\"b\":1,\"b\":2}"]);
    assert_eq!(
        told(&problems),
        [
            "1|2 invalid-json : The line is not valid JSON at byte 5: the line ends, expected a value.",
            "2|4 duplicate-member [2].b: 'b' appears more than once.",
        ]
    );
}

#[test]
fn what_the_grammar_of_json_lets_pass_is_told() {
    let (_, problems) = parse(
        "[{\"m\": {\"x\": 1,\n\"x\": 2, \"x\": 3}},\n{\"l\": [0,\n1e999]}]",
        Format::Json,
    );
    assert_eq!(
        told(&problems),
        [
            "0|2 duplicate-member [0].m.x: 'm.x' appears more than once.",
            "1|4 invalid-number [1].l[1]: The number is outside the range of a double.",
        ]
    );
}

#[test]
fn plain_scalars_are_those_of_the_core_schema() {
    assert_eq!(
        yaml("- [yes, no, on, Off, true, FALSE, null, ~, 2024-01-31, 12:30:45, 1_000]\n"),
        [
            "[\"yes\",\"no\",\"on\",\"Off\",true,false,null,null,\"2024-01-31\",\"12:30:45\",\"1_000\"]"
        ]
    );
    assert_eq!(
        yaml("- [010, 0o10, 0x1F, 1e3, .5, +5, '5', \"true\", 0b1, 1.5]\n"),
        ["[10,8,31,1e3,0.5,5,\"5\",\"true\",\"0b1\",1.5]"]
    );
    assert_eq!(yaml("- |\n  5\n- >-\n  a\n  b\n"), ["\"5\\n\"", "\"a b\""]);
}

#[test]
fn what_json_cannot_hold_is_refused() {
    assert_eq!(
        yaml_problems("- a: .nan\n  b: [-.inf]\n  c: 1e999\n"),
        [
            "0|1 invalid-number [0].a: .nan is not a number of JSON.",
            "0|2 invalid-number [0].b[0]: -.inf is not a number of JSON.",
            "0|3 invalid-number [0].c: The number is outside the range of a double.",
        ]
    );
}

#[test]
fn keys_are_text_and_stand_once() {
    assert_eq!(
        yaml_problems("- a: 1\n- 1: a\n  true: b\n  ~: c\n  x: {y: 1,\n    y: 2}\n"),
        [
            "1|2 invalid-yaml [1]: A key must be text: write \"1\" in quotes.",
            "1|3 invalid-yaml [1]: A key must be text: write \"true\" in quotes.",
            "1|4 invalid-yaml [1]: A key must be text: write \"~\" in quotes.",
            "1|6 duplicate-member [1].x.y: 'x.y' appears more than once.",
        ]
    );
    assert_eq!(
        yaml_problems("- ? [a, {b: c}]\n  : {d: [e]}\n  f: .inf\n- &k x: 1\n  *k : 2\n"),
        [
            "0|1 invalid-yaml [0]: A key must be text.",
            "0|3 invalid-number [0].f: .inf is not a number of JSON.",
            "1|5 invalid-yaml [1]: A key must be text.",
        ]
    );
    assert_eq!(
        yaml("- 'a': 1\n  \"5\": 2\n  '<<': 3\n"),
        ["{\"a\":1,\"5\":2,\"<<\":3}"]
    );
}

#[test]
fn tags_merges_and_further_documents_are_refused() {
    assert_eq!(
        yaml_problems("- &a {x: 1}\n- <<: *a\n  y: !!str 5\n- !mine [1]\n- ! z\n"),
        [
            "1|2 invalid-yaml [1]: Merge keys (<<) are not read: write the members out.",
            "1|3 invalid-yaml [1].y: Tags are not read: drop 'tag:yaml.org,2002:str'.",
            "2|4 invalid-yaml [2]: Tags are not read: drop '!mine'.",
            "3|5 invalid-yaml [3]: Tags are not read: drop '!'.",
        ]
    );
    assert_eq!(
        yaml_problems("%YAML 1.1\n---\n- a\n"),
        ["-|1 invalid-yaml : The file is read as YAML 1.2: drop the line that begins with %YAML."]
    );
    assert_eq!(yaml("%YAML 1.2\n---\n- a\n"), ["\"a\""]);
    assert_eq!(
        yaml_problems("- a\n---\n- b\n"),
        ["-|2 invalid-yaml : The file holds more than one document."]
    );
    assert_eq!(
        yaml_problems("input: a\n"),
        ["-|1 not-a-list : The file must hold a list of cases."]
    );
    assert_eq!(
        yaml_problems("just text\n"),
        ["-|1 not-a-list : The file must hold a list of cases."]
    );
}

#[test]
fn what_is_not_yaml_is_told_with_its_line() {
    let problems = yaml_problems("- a: 1\n- b: [1, 2\n- c: 3\n");
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("invalid-yaml"), "{problems:?}");
    assert!(problems[0].contains("|3 "), "{problems:?}");
    let (_, problems) = CaseFile::parse(b"- a\n- \xff\n".to_vec(), Format::Yaml);
    assert_eq!(
        told(&problems),
        ["-|2 invalid-utf8 : The line is not valid UTF-8."]
    );
    assert!(yaml_problems("- a\n- \u{0}\n")[0].contains("|3 invalid-yaml"));
    assert!(yaml_problems("- a\n-\t- b\n").len() == 1);
}

#[test]
fn aliases_stand_for_what_they_name() {
    let text = "- context: &c\n    - one\n    - {two: 2}\n- context: *c\n  again: *c\n  last: x\n";
    let all = "[\"one\",{\"two\":2}]";
    assert_eq!(
        yaml(text),
        [
            format!("{{\"context\":{all}}}"),
            format!("{{\"context\":{all},\"again\":{all},\"last\":\"x\"}}"),
        ]
    );
    let (file, _) = parse(text, Format::Yaml);
    let lines = |path: &[Step]| file.lines(1, path).unwrap();
    assert_eq!(
        lines(&[name("again")]),
        Lines {
            member: 5,
            value: 5
        }
    );
    assert_eq!(
        lines(&[name("again"), Step::Index(1), name("two")]).value,
        3
    );
    assert_eq!(
        lines(&[name("last")]),
        Lines {
            member: 6,
            value: 6
        }
    );
    assert_eq!(
        yaml_problems("- *nobody\n- &r [*r]\n"),
        [
            "0|1 invalid-yaml [0]: '*nobody' stands for nothing: no '&nobody' ends before it.",
            "1|2 invalid-yaml [1][0]: '*r' stands for nothing: no '&r' ends before it.",
        ]
    );
}

#[test]
fn bombs_end_at_once() {
    let mut laughs = String::from("- &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for level in 1..10 {
        let before = level - 1;
        let aliases = vec![format!("*a{before}"); 9].join(", ");
        let _ = writeln!(laughs, "- &a{level} [{aliases}]");
    }
    assert!(yaml_problems(&laughs)[0].contains("too-large"));
    let mut wide = format!("- &big {}\n", "x".repeat(5 << 20));
    wide.push_str(&"- *big\n".repeat(5000));
    assert_eq!(
        yaml_problems(&wide),
        ["2|3 too-large [2]: The aliases of the file stand for more than 10 MiB."]
    );
    let many = format!("- &x a\n{}", "- *x\n".repeat(10_001));
    assert_eq!(
        yaml_problems(&many),
        ["10001|10002 too-large [10001]: The file expands more than 10,000 aliases."]
    );
    assert_eq!(
        yaml(&format!("- &x a\n{}", "- *x\n".repeat(10_000))).len(),
        10_001
    );
    let large = "#".repeat((10 << 20) + 1);
    assert_eq!(
        yaml_problems(&large),
        ["-|1 too-large : The file is larger than 10 MiB."]
    );
}

#[test]
fn any_document_can_be_read_as_one() {
    let text = "version: 1\ngates: &g\n  overall: {min: 0.9}\nagain: *g\n";
    let (file, problems) = parse(text, Format::YamlDocument);
    assert!(problems.is_empty());
    assert_eq!(
        texts(&file),
        [
            "{\"version\":1,\"gates\":{\"overall\":{\"min\":0.9}},\"again\":{\"overall\":{\"min\":0.9}}}"
        ]
    );
    let lines = |path: &[Step]| file.lines(0, path).unwrap();
    assert_eq!(
        lines(&[]),
        Lines {
            member: 1,
            value: 1
        }
    );
    assert_eq!(
        lines(&[name("gates")]),
        Lines {
            member: 2,
            value: 2
        }
    );
    assert_eq!(
        lines(&[name("again"), name("overall"), name("min")]).value,
        3
    );
    let (_, problems) = parse(
        "a: 1\nb: {c: .nan, a: 1, a: 2}\na: 2\n",
        Format::YamlDocument,
    );
    assert_eq!(
        told(&problems),
        [
            "-|2 invalid-number b.c: .nan is not a number of JSON.",
            "-|2 duplicate-member b.a: 'b.a' appears more than once.",
            "-|3 duplicate-member a: 'a' appears more than once.",
        ]
    );
    assert_eq!(texts(&parse("5", Format::YamlDocument).0), ["5"]);
    assert_eq!(
        texts(&parse("", Format::YamlDocument).0),
        Vec::<String>::new()
    );
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| format!("{}x{}\n", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(yaml(&nested(512)).len(), 1);
    assert!(yaml_problems(&nested(513))[0].ends_with("The file nests deeper than 512 levels."));
    assert_eq!(yaml_problems(&"[".repeat(100_000)).len(), 1);
    let half = format!("&h {}x{}", "[".repeat(300), "]".repeat(300));
    let through = format!("- {half}\n- {}*h{}\n", "[".repeat(211), "]".repeat(211));
    assert_eq!(yaml(&through).len(), 2);
    let too_deep = format!("- {half}\n- {}*h{}\n", "[".repeat(212), "]".repeat(212));
    assert!(yaml_problems(&too_deep)[0].contains("too-deep"));
}

#[test]
fn a_file_of_lines_is_read_where_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.jsonl");
    std::fs::write(&path, "\u{feff}{\"input\":1}\r\n\r\n{\"input\":2}").unwrap();
    let cancel = Arc::new(AtomicBool::new(false));
    let (file, problems) = CaseFile::load(&path, Format::Jsonl, &cancel).unwrap();
    assert!(problems.is_empty());
    assert_eq!(texts(&file), ["{\"input\":1}", "{\"input\":2}"]);
    assert_eq!(file.line(1), Some(3));
    let missing = CaseFile::load(&folder.path().join("none.json"), Format::Json, &cancel);
    assert!(missing.is_err());
    let packed = folder.path().join("cases.jsonl.zst");
    std::fs::write(
        &packed,
        zstd::encode_all(&b"{\"input\":3}\n"[..], 1).unwrap(),
    )
    .unwrap();
    let (file, _) = CaseFile::load(&packed, Format::Jsonl, &cancel).unwrap();
    assert_eq!(texts(&file), ["{\"input\":3}"]);
}
