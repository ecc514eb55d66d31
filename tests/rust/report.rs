//! Reports: worked examples, how results fit a data set, and that the order of work shows nowhere.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use minos_core::decision::dataset::Dataset;
use minos_core::price::PriceTable;
use minos_core::problem::Problem;
use minos_core::report::files::{self, Failure, What};
use minos_core::report::{Accumulator, objects};
use minos_core::run::Results;
use serde_json::{Value, json};

const EXAMPLES: &str = include_str!("../vectors/metric_examples.json");

fn example(id: &str) -> Value {
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap();
    let cases = examples["cases"].as_array().unwrap();
    cases.iter().find(|case| case["id"] == id).unwrap().clone()
}

/// An item of a data set with its result.
struct Pair {
    item: Value,
    result: Value,
}

fn noul() -> Value {
    json!({"type": "noul", "instructions": "Is it?"})
}

fn choice(options: &[&str]) -> Value {
    let criteria: serde_json::Map<String, Value> = options
        .iter()
        .map(|option| ((*option).to_owned(), Value::Null))
        .collect();
    json!({"type": "choice", "instructions": "Which is it?", "criteria": criteria})
}

fn score() -> Value {
    json!({"type": "score", "instructions": "How much?", "criteria": ["a", "b", "c"]})
}

fn pair(id: &str, questions: &Value, expected: &Value, answers: &Value) -> Pair {
    Pair {
        item: json!({"id": id, "state": "", "questions": questions, "expected": expected}),
        result: json!({"id": id, "answers": answers}),
    }
}

fn lines<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    let mut lines: Vec<String> = values.map(Value::to_string).collect();
    lines.push(String::new());
    lines.join("\n")
}

fn dataset_file(pairs: &[Pair]) -> String {
    lines(pairs.iter().map(|pair| &pair.item))
}

fn results_file(results: &[&Value], more: &Value) -> String {
    let mut header = json!({
        "kind": "minos-results", "version": 1, "dataset": "d", "provider": "p", "model": "m",
        "startedAt": "2026-11-30T12:00:00.000Z", "itemCount": results.len(),
    });
    for (name, value) in more.as_object().unwrap() {
        header[name] = value.clone();
    }
    lines(std::iter::once(&header).chain(results.iter().copied()))
}

fn never() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

/// The report from both drivers, which must say the same; or the problems of the fit.
fn report(results: &str, dataset: &str, prices: &PriceTable) -> Result<Value, Vec<Problem>> {
    let prices = Arc::new(prices.clone());
    let directory = tempfile::tempdir().unwrap();
    let paths = ["results.jsonl", "dataset.jsonl"].map(|name| directory.path().join(name));
    fs::write(&paths[0], results).unwrap();
    fs::write(&paths[1], dataset).unwrap();
    let results = Results::parse(results.as_bytes(), false, &never())
        .unwrap()
        .unwrap();
    let dataset = Dataset::parse(dataset.as_bytes(), false, &never())
        .unwrap()
        .unwrap();
    let from_objects = objects::report(&results, &dataset, &prices, &never()).unwrap();
    for threads in [1, 2, 3, 7] {
        match files::report(&paths[0], &paths[1], &prices, threads, &never()) {
            Ok(json) => assert_eq!(Ok(json), from_objects),
            Err(Failure::Problems(What::Fit, told)) => assert_eq!(Err(told), from_objects),
            Err(failure) => panic!("{failure:?}"),
        }
    }
    from_objects.map(|json| serde_json::from_str(&json).unwrap())
}

fn report_of(pairs: &[Pair]) -> Value {
    let results: Vec<&Value> = pairs.iter().map(|pair| &pair.result).collect();
    let file = results_file(&results, &json!({}));
    report(&file, &dataset_file(pairs), &PriceTable::default()).unwrap()
}

fn told(problems: &[Problem]) -> Vec<(u64, &str, &str)> {
    let told = problems.iter();
    told.map(|each| (each.line, each.code.as_str(), each.path.as_str()))
        .collect()
}

#[test]
fn the_sweep_of_all_kinds_with_an_abstention() {
    let case = example("sweep-mixed");
    let mut pairs: Vec<Pair> = Vec::new();
    for record in case["inputs"]["records"].as_array().unwrap() {
        let id = record["item"].as_str().unwrap();
        if pairs.last().is_none_or(|pair| pair.item["id"] != id) {
            pairs.push(pair(id, &json!({}), &json!({}), &json!({})));
        }
        let pair = pairs.last_mut().unwrap();
        let key = record["question"].as_str().unwrap();
        let confidence = &record["confidence"];
        let (question, answer) = match record["kind"].as_str().unwrap() {
            "noul" => (
                noul(),
                json!({"type": "noul", "probability": record["p_yes"]}),
            ),
            "choice" => (
                choice(&["x", "y"]),
                json!({"type": "choice", "choice": record["answer"], "confidence": confidence}),
            ),
            _ => (
                score(),
                json!({"type": "score", "level": record["answer"], "confidence": confidence}),
            ),
        };
        pair.item["questions"][key] = question;
        pair.item["expected"][key] = record["expected"].clone();
        if record.get("abstained").is_some() {
            pair.result = json!({"id": id, "error": {"kind": "Timeout", "message": "late"}});
        } else {
            pair.result["answers"][key] = answer;
        }
    }
    let found = report_of(&pairs);
    let expected = &case["expected"];
    assert_eq!(found["overall"]["scored"], expected["n_scored"]);
    assert_eq!(found["overall"]["answered"], expected["n_answered"]);
    assert_eq!(found["overall"]["abstained"], 1);
    assert_eq!(found["overall"]["accuracy"], expected["accuracy"]);
    assert_eq!(found["overall"]["baseRate"], expected["base_rate"]);
    assert_eq!(found["overall"]["accuracyAll"], 5.0 / 8.0);
    for point in expected["points"].as_array().unwrap() {
        let hundredths = |at: &Value| (at["threshold"].as_f64().unwrap() * 100.0).round();
        let mut at = found["overall"]["sweep"].as_array().unwrap().iter();
        let at = at.find(|at| (hundredths(at) - hundredths(point)).abs() < 0.5);
        for name in ["covered", "coverage", "accuracy"] {
            assert_eq!(at.unwrap()[name], point[name], "{point}");
        }
    }
    assert_eq!(found["errors"], json!([{"kind": "Timeout", "count": 1}]));
    assert_eq!(found["models"], json!([{"model": null, "count": 4}]));
}

#[test]
fn every_question_asked_once_is_its_own_majority() {
    let case = example("base-rate-own-keys");
    let rows = case["inputs"]["rows"].as_array().unwrap();
    let pairs: Vec<Pair> = rows
        .iter()
        .map(|row| {
            let key = row[0].as_str().unwrap();
            let answer = json!({key: {"type": "noul", "probability": 0.25}});
            pair(key, &json!({key: noul()}), &json!({key: row[1]}), &answer)
        })
        .collect();
    let found = report_of(&pairs);
    assert_eq!(found["overall"]["baseRate"], case["expected"]["base_rate"]);
    assert_eq!(found["overall"]["accuracy"], 0.5);
    assert_eq!(found["overall"]["lift"], -0.5);
    assert_eq!(found["questions"].as_array().unwrap().len(), 10);
    assert!(found["questions"][0].get("bins").is_none());
    assert!(found.get("choice").is_none());
}

#[test]
fn options_are_one_whatever_their_order() {
    let pairs: Vec<Pair> = [["a", "b"], ["b", "a"], ["b", "c"]]
        .iter()
        .enumerate()
        .map(|(n, options)| {
            let answer = json!({"q": {"type": "choice", "choice": "b"}});
            let questions = json!({"q": choice(options)});
            pair(&n.to_string(), &questions, &json!({"q": "b"}), &answer)
        })
        .collect();
    let found = report_of(&pairs);
    assert_eq!(found["choice"]["baseRate"], 1.0);
    assert_eq!(found["choice"]["correct"], 3);
    assert_eq!(found["choice"]["withoutConfidence"], 3);
    assert_eq!(found["choice"]["ece"], Value::Null);
    assert_eq!(found["choice"]["sweep"][0]["covered"], 0);
}

#[test]
fn odd_answers_stand_and_are_counted() {
    let distributions = [
        (json!({"a": 0.9, "b": 0.1}), json!([0.2, 0.5, 0.3]), 1.5),
        (json!({"a": 0.91, "b": 0.1}), json!([0.2, null, 0.3]), -0.1),
        (json!({"a": 0.9}), json!([0.2, 0.5]), 2.0),
        (json!({"a": 0.4, "b": 0.6}), json!([0.6, 0.5, 0.3]), 2.1),
        (json!({"b": 1.0, "a": 1.0}), json!([0.6, 0.2, 0.2]), 0.0),
    ];
    let pairs: Vec<Pair> = distributions
        .iter()
        .enumerate()
        .map(|(n, (options, levels, mean))| {
            let answers = json!({
                "c": {"type": "choice", "choice": "a", "probabilities": options},
                "s": {"type": "score", "level": 1, "expectedLevel": mean, "probabilities": levels},
            });
            let questions = json!({"c": choice(&["a", "b"]), "s": score()});
            let expected = json!({"c": "a", "s": 1});
            pair(&n.to_string(), &questions, &expected, &answers)
        })
        .collect();
    let found = report_of(&pairs);
    assert_eq!(
        found["choice"]["irregular"],
        json!({"incomplete": 1, "sum": 1, "notMostProbable": 1})
    );
    assert_eq!(
        found["score"]["irregular"],
        json!({"incomplete": 2, "sum": 1, "notMostProbable": 2, "outsideLevels": 2})
    );
    // 0.9 stands as it is, 0.91 is divided by 1.01.
    let top = &found["choice"]["topProbability"];
    assert_eq!(top["answered"], 2);
    assert_eq!(top["bins"][1]["upper"], 0.900_990_099_01);
    assert_eq!(found["score"]["topProbability"]["answered"], 1);
    assert_eq!(found["overall"]["correct"], 10);
}

#[test]
fn costs_latencies_and_models_count_what_they_should() {
    let mut pairs: Vec<Pair> = (0..8)
        .map(|n| {
            pair(
                &n.to_string(),
                &json!({"q": noul()}),
                &json!({}),
                &json!({}),
            )
        })
        .collect();
    let invalid = json!({"kind": "InvalidResponse", "message": ""});
    let failed = json!({"kind": "Server", "message": "", "statusCode": 500});
    let facts = [
        json!({"answers": {}, "latencyMs": 1.5, "cost": 0, "model": "m-1"}),
        json!({"answers": {}, "latencyMs": 2.5, "inputTokens": 10, "outputTokens": 5, "model": "m-1"}),
        json!({"answers": {}, "latencyMs": 9.0, "cached": true, "cost": 7, "model": "m-2"}),
        json!({"answers": {}, "latencyMs": 4.0, "inputTokens": 10, "model": "m"}),
        json!({"answers": {}, "inputTokens": 10, "outputTokens": 5}),
        json!({"error": invalid, "latencyMs": 99, "inputTokens": 1, "outputTokens": 0, "model": "m"}),
        json!({"error": failed, "latencyMs": 99, "inputTokens": 1, "outputTokens": 0, "model": "m"}),
        json!({"error": failed, "cost": 0.25}),
    ];
    for (pair, facts) in pairs.iter_mut().zip(&facts) {
        pair.result = facts.clone();
        pair.result["id"] = pair.item["id"].clone();
    }
    let prices = br#"{"prices":[{"model":"m","inputPerMillion":2,"outputPerMillion":100,"date":"2026-11-30","source":""}]}"#;
    let prices = PriceTable::parse(prices).unwrap();
    let results: Vec<&Value> = pairs.iter().map(|pair| &pair.result).collect();
    let results = results_file(&results, &json!({}));
    let found = report(&results, &dataset_file(&pairs), &prices).unwrap();
    assert_eq!(
        found["latency"],
        json!({"count": 3, "cachedCount": 1, "mean": 8.0 / 3.0, "median": 2.5, "p95": 4.0, "max": 4.0})
    );
    // 0, 10 * 2e-6 + 5 * 1e-4, 2e-6 and 0.25 dollars; two are unknown.
    assert_eq!(
        found["cost"],
        json!({
            "total": 0.250_522, "per1000": 62.6305, "reported": 2, "priced": 2, "unknown": 2,
            "cached": 1, "isLowerBound": true,
        })
    );
    assert_eq!(
        found["models"],
        json!([
            {"model": "m", "count": 2}, {"model": "m-1", "count": 2}, {"model": "m-2", "count": 1},
            {"model": null, "count": 1},
        ])
    );
    assert_eq!(
        found["errors"],
        json!([{"kind": "Server", "count": 2}, {"kind": "InvalidResponse", "count": 1}])
    );
    assert_eq!(
        found["counts"],
        json!({"items": 8, "questions": 8, "scored": 0, "unscored": 8, "answered": 0, "abstained": 0})
    );
    assert_eq!(found["overall"]["accuracy"], Value::Null);
    assert_eq!(found["prices"][0]["outputPerMillion"], 100.0);
}

/// Line, code and path of the problems that are expected.
type Told = Vec<(u64, &'static str, &'static str)>;

#[test]
fn results_that_do_not_fit() {
    let answers = json!({
        "n": {"type": "noul", "probability": 1},
        "c": {"type": "choice", "choice": "a", "probabilities": {"b": 0.5, "a": 0.5}},
        "s": {"type": "score", "level": 2, "probabilities": [0, 0, 1]},
    });
    let questions = json!({"n": noul(), "c": choice(&["a", "b"]), "s": score()});
    let pairs: Vec<Pair> = ["a", "b", "c", "d"]
        .iter()
        .map(|id| pair(id, &questions, &json!({}), &answers))
        .collect();
    let dataset = format!("\n{}", dataset_file(&pairs));
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| &pairs[n].result);
    let stranger = &json!({"id": "z", "answers": {}});
    let full = &json!({});
    let partial = &json!({"partial": true});
    let of_five = &json!({"selection": {"of": 5, "limit": 2}});
    let cases: Vec<(Vec<&Value>, &Value, Told)> = vec![
        (vec![a, b, c, d], full, vec![]),
        (vec![a, b, c], full, vec![(5, "missing-item", "id")]),
        (vec![], full, vec![(2, "missing-item", "id")]),
        (vec![a, c, d], full, vec![(3, "missing-item", "id")]),
        (vec![a, c, b, d], full, vec![(4, "wrong-order", "id")]),
        (
            vec![a, b, c, d, stranger],
            full,
            vec![(6, "unknown-item", "id")],
        ),
        (
            vec![a, stranger, c, d],
            full,
            vec![(3, "unknown-item", "id")],
        ),
        (vec![b, d], partial, vec![]),
        (vec![], partial, vec![]),
        (vec![b, a], partial, vec![(2, "wrong-order", "id")]),
        (vec![b, stranger], partial, vec![(4, "unknown-item", "id")]),
        (vec![d, stranger], partial, vec![(6, "unknown-item", "id")]),
        (
            vec![b, d],
            of_five,
            vec![(0, "count-mismatch", "selection.of")],
        ),
        (
            vec![d, c],
            of_five,
            vec![
                (0, "count-mismatch", "selection.of"),
                (4, "wrong-order", "id"),
            ],
        ),
    ];
    for (results, more, expected) in cases {
        let results = results_file(&results, more);
        match report(&results, &dataset, &PriceTable::default()) {
            Ok(_) => assert!(expected.is_empty(), "{expected:?}"),
            Err(problems) => assert_eq!(told(&problems), expected),
        }
    }
    let results = results_file(&[stranger], full);
    let problems = report(&results, "", &PriceTable::default()).unwrap_err();
    assert_eq!(told(&problems), [(1, "unknown-item", "id")]);
    assert_eq!(problems[0].message, "'z' is no item of the data set.");
}

#[test]
fn answers_that_do_not_fit() {
    let questions = json!({"n": noul(), "c": choice(&["a", "b"]), "s": score()});
    let answers = json!({
        "c": {"type": "choice", "choice": "z", "probabilities": {"b": 0.5, "y": 0.5, "a": 0, "x": 0}},
        "m": {"type": "noul", "probability": 1},
        "n": {"type": "score", "level": 9},
        "s": {"type": "score", "level": 3, "probabilities": [0, 0, 0.5, 0.5, null]},
    });
    let pairs = [pair("a", &questions, &json!({"n": true}), &answers)];
    let results = results_file(&[&pairs[0].result], &json!({}));
    let problems = report(&results, &dataset_file(&pairs), &PriceTable::default()).unwrap_err();
    assert_eq!(
        told(&problems),
        [
            (1, "unknown-option", "answers.c.choice"),
            (1, "unknown-option", "answers.c.probabilities.x"),
            (1, "unknown-option", "answers.c.probabilities.y"),
            (1, "unknown-answer", "answers.m"),
            (1, "wrong-kind", "answers.n.type"),
            (1, "unknown-option", "answers.s.level"),
            (1, "unknown-option", "answers.s.probabilities[3]"),
            (1, "unknown-option", "answers.s.probabilities[4]"),
        ]
    );
    assert_eq!(
        problems[4].message,
        "'answers.n.type' is 'score', but the question is a noul."
    );
}

#[test]
fn files_with_problems_give_no_report() {
    let directory = tempfile::tempdir().unwrap();
    let paths = ["results.jsonl", "dataset.jsonl"].map(|name| directory.path().join(name));
    let prices = Arc::new(PriceTable::default());
    let pairs = [
        pair("a", &json!({"n": noul()}), &json!({}), &json!({})),
        pair("b", &json!({"n": noul()}), &json!({}), &json!({})),
    ];
    let [a, b] = [0, 1].map(|n| &pairs[n].result);
    let results = results_file(&[a, b], &json!({}));
    let dataset = dataset_file(&pairs);
    for (results, dataset, what, expected) in [
        (
            results.clone(),
            format!("{dataset}x"),
            What::Dataset,
            vec![(3, "invalid-json")],
        ),
        (
            format!("x{results}"),
            format!("{dataset}x"),
            What::Dataset,
            vec![(3, "invalid-json")],
        ),
        (
            format!("x{results}"),
            dataset.clone(),
            What::Results,
            vec![(1, "invalid-json")],
        ),
        (
            String::new(),
            dataset.clone(),
            What::Results,
            vec![(1, "invalid-header")],
        ),
        (
            format!("{results}x"),
            dataset.clone(),
            What::Results,
            vec![(1, "count-mismatch"), (4, "invalid-json")],
        ),
        (
            results_file(&[a, b, a], &json!({})),
            dataset.clone(),
            What::Results,
            vec![(4, "duplicate-id")],
        ),
    ] {
        fs::write(&paths[0], results).unwrap();
        fs::write(&paths[1], dataset).unwrap();
        let failure = files::report(&paths[0], &paths[1], &prices, 2, &never()).unwrap_err();
        let Failure::Problems(found, problems) = failure else {
            panic!("{failure:?}");
        };
        assert_eq!(found, what);
        let told: Vec<_> = problems
            .iter()
            .map(|each| (each.line, each.code.as_str()))
            .collect();
        assert_eq!(told, expected);
    }
    let missing = directory.path().join("missing");
    let failure = files::report(&missing, &paths[1], &prices, 1, &never());
    assert!(matches!(failure, Err(Failure::Results(_))));
    let failure = files::report(&paths[0], &missing, &prices, 1, &never());
    assert!(matches!(failure, Err(Failure::Dataset(_))));
}

#[test]
fn the_questions_scored_most_often_are_listed() {
    let pairs: Vec<Pair> = (0..1200)
        .flat_map(|n| {
            let key = format!("q{n:04}");
            let times = if n % 6 == 5 { 1 } else { 2 };
            (0..times).map(move |time| {
                let answer = json!({key.as_str(): {"type": "noul", "probability": 0.75}});
                let questions = json!({key.as_str(): noul()});
                let expected = json!({key.as_str(): true});
                pair(&format!("{key}-{time}"), &questions, &expected, &answer)
            })
        })
        .collect();
    let found = report_of(&pairs);
    let listed = found["questions"].as_array().unwrap();
    assert_eq!(
        (listed.len(), &found["questionsOmitted"]),
        (1000, &json!(200))
    );
    assert!(listed.iter().all(|question| question["scored"] == 2));
    assert!(listed.is_sorted_by_key(|question| question["key"].as_str().unwrap().to_owned()));
    assert_eq!(found["noul"]["scored"], 2200);
    assert_eq!(found["noul"]["bins"].as_array().unwrap().len(), 1);
}

#[test]
fn accumulators_of_parts_make_that_of_the_whole() {
    let questions = [
        json!({"n": noul(), "c": choice(&["a", "b"]), "s": score()}),
        json!({"c": choice(&["b", "a", "z"]), "n": noul()}),
    ];
    let pairs: Vec<Pair> = (0..90_u32)
        .map(|n| {
            let share = f64::from(n * 37 % 101) / 100.0;
            let mut answers = json!({
                "n": {"type": "noul", "probability": share},
                "c": {"type": "choice", "choice": if n % 3 == 0 { "a" } else { "b" }, "confidence": share},
            });
            let mut expected = json!({"n": n % 2 == 0, "c": if n % 5 == 0 { "a" } else { "b" }});
            let set = (n % 2) as usize;
            if set == 0 {
                answers["s"] = json!({"type": "score", "level": n % 3, "probabilities": [0, share, 1.0 - share]});
                expected["s"] = json!(n % 4 % 3);
            }
            let mut pair = pair(&n.to_string(), &questions[set], &expected, &answers);
            pair.result["latencyMs"] = json!(f64::from(n) * 1e5 + share);
            pair.result["model"] = json!(format!("m{}", n % 3));
            if n % 7 == 0 {
                pair.result["error"] = json!({"kind": "Server", "message": ""});
                pair.result.as_object_mut().unwrap().remove("answers");
            }
            pair
        })
        .collect();
    let results: Vec<&Value> = pairs.iter().map(|pair| &pair.result).collect();
    let results = results_file(&results, &json!({}));
    let dataset = dataset_file(&pairs);
    let results = Results::parse(results.as_bytes(), false, &never())
        .unwrap()
        .unwrap();
    let dataset = Dataset::parse(dataset.as_bytes(), false, &never())
        .unwrap()
        .unwrap();
    let prices = Arc::new(PriceTable::default());
    let whole = objects::report(&results, &dataset, &prices, &never())
        .unwrap()
        .unwrap();
    for parts in [1, 2, 5] {
        let mut accumulators: Vec<Accumulator> = (0..parts)
            .map(|_| Accumulator::new(Arc::clone(&prices)))
            .collect();
        let mut problems = Vec::new();
        for (n, (item, result)) in dataset.items().zip(results.iter()).enumerate() {
            accumulators[n * 7 % parts].push(&item, &result, &mut problems);
        }
        assert!(problems.is_empty());
        let mut merged = Accumulator::new(Arc::clone(&prices));
        for part in accumulators.into_iter().rev() {
            merged.merge(part);
        }
        assert_eq!(merged.finish(results.header(), pairs.len() as u64), whole);
    }
}
