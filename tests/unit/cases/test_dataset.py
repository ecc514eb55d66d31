"""Files of cases: what loads, what is told of what does not, and where."""

import json

import pytest

from minos import Err, Ok, ProblemsError
from minos.cases import Assertion, Case, CaseDataset
from minos.cases.loading import examine_text

DOCUMENT = """\
- input:
    question: What is the return policy?
    customer_tier: gold
  evaluation_input: What is the return policy?
  context:
    - Returns are accepted within 30 days with a receipt.
  expected_output: You can return an item within 30 days with a receipt.
  metadata:
    category: returns
    critical: true
  expected:
    contains_all:
      - 30 days
      - receipt
    faithful:
      threshold: 0.85
"""


def yaml(text):
    return CaseDataset.parse(text, "yaml")


def told(outcome):
    return [(p.line, p.code, p.path, p.message) for p in outcome.problems]


def test_the_example_of_the_format_loads():
    dataset = yaml(DOCUMENT).unwrap()
    case, assertions = dataset.pair(0)
    assert case == Case(
        input={"question": "What is the return policy?", "customer_tier": "gold"},
        evaluation_input="What is the return policy?",
        context=("Returns are accepted within 30 days with a receipt.",),
        expected_output="You can return an item within 30 days with a receipt.",
        metadata={"category": "returns", "critical": True},
        id="dataset#1",
    )
    assert assertions == (
        Assertion("contains_all", {"value": ["30 days", "receipt"]}),
        Assertion("faithful", {"threshold": 0.85}),
    )
    assert not dataset.warnings


def test_shorthand_and_option_forms_are_one():
    text = """\
- input: x
  expected:
    contains: expected text
    contains_any:
      - first answer
      - second answer
    relevant: {}
    faithful:
      threshold: 0.9
      model: anthropic:claude-sonnet-4-6
- input: x
  expected: [relevant, no_pii]
- input: x
  expected:
    faithful: {threshold: 0.9}
    similar: {threshold: 0.75}
- input: Can I return an opened laptop?
  metadata:
    category: electronics
  expected:
    refusal: {}
"""
    dataset = yaml(text).unwrap()
    pairs = list(dataset.pairs())
    assert pairs[0][1] == (
        Assertion("contains", {"value": "expected text"}),
        Assertion("contains_any", {"value": ["first answer", "second answer"]}),
        Assertion("relevant", {}),
        Assertion("faithful", {"threshold": 0.9, "model": "anthropic:claude-sonnet-4-6"}),
    )
    assert pairs[1][1] == (Assertion("relevant", {}), Assertion("no_pii", {}))


@pytest.mark.parametrize("value", ["", False, 0, [], {}, [None], {"a": None}, 1.5, "text"])
def test_the_input_is_any_value_but_null(value):
    dataset = CaseDataset.parse(json.dumps([{"input": value}]), "json").unwrap()
    assert dataset[0].input == value


@pytest.mark.parametrize("line", ['{"input": null}', "{}"])
def test_an_input_is_required(line):
    assert told(CaseDataset.parse(line, "jsonl")) == [
        (1, "missing-member", "[0].input", "'input' is required.")
    ]


def test_one_text_becomes_a_list():
    dataset = yaml("- {input: a, context: one, retrieval_context: [two, three]}").unwrap()
    assert dataset[0].context == ("one",)
    assert dataset[0].retrieval_context == ("two", "three")


def test_every_problem_is_told_with_its_line():
    outcome = yaml(
        """\
- inptu: 1
  expected:
    contians: x
    contains: 5
    contains_any: [a, 5, true]
    is_json: true
    pii: {}
    regex: "(?=a)"
    latency_ms: {max: 5, foo: 1}
    min_length: abc
    contains_all: [a, ""]
  context: [1]
  metadata: []
  expected_output:
    42
- 5
- input: x
  id: 7
  expected: [relevant, {contains: x}]
- input: x
  expected: relevant
"""
    )
    assert told(outcome) == [
        (1, "unknown-member", "[0].inptu",
         "'inptu' is not a member of a case; did you mean 'input'?"),
        (15, "invalid-member", "[0].expected_output",
         "'expected_output' must be text: write \"42\" in quotes."),
        (12, "invalid-member", "[0].context[0]",
         "'context[0]' must be text: write \"1\" in quotes."),
        (13, "invalid-member", "[0].metadata", "'metadata' must be an object."),
        (1, "missing-member", "[0].input", "'input' is required."),
        (3, "unknown-assertion", "[0].expected.contians",
         "There is no assertion 'contians'; did you mean 'contains'?"),
        (4, "invalid-option", "[0].expected.contains",
         "'expected.contains' must be text: write \"5\" in quotes."),
        (5, "invalid-option", "[0].expected.contains_any[1]",
         "'expected.contains_any[1]' must be text: write \"5\" in quotes."),
        (5, "invalid-option", "[0].expected.contains_any[2]",
         "'expected.contains_any[2]' must be text: write \"true\" in quotes."),
        (6, "invalid-option", "[0].expected.is_json",
         "'expected.is_json' takes no value of its own: write `is_json: {}`."),
        (7, "unknown-assertion", "[0].expected.pii",
         "There is no assertion 'pii': it is called no_pii now."),
        (8, "invalid-option", "[0].expected.regex",
         "'expected.regex': regex: look-around `(?=` is not supported in a pattern."),
        (9, "unknown-option", "[0].expected.latency_ms.foo",
         "'foo' is not an option of latency_ms (it takes value, max, actual, latency)."),
        (10, "invalid-option", "[0].expected.min_length",
         "'expected.min_length': min_length requires a whole number from 0 as value."),
        (11, "invalid-option", "[0].expected.contains_all[1]",
         "'expected.contains_all[1]': every output contains the empty text."),
        (16, "not-an-object", "[1]", "A case must be an object."),
        (18, "invalid-member", "[2].id", "'id' must be text: write \"7\" in quotes."),
        (19, "invalid-member", "[2].expected[1]",
         ("'expected[1]' must be the name of an assertion"
          " (options stand in a map: `name: {option: ...}`).")),
        (21, "invalid-member", "[3].expected",
         "'expected' must be a map of assertions or a list of their names."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("member", "where"),
    [
        ("threshold", "--threshold"),
        ("pass_rate", "gates.overall.threshold"),
        ("repeat", "sampling.repeat"),
        ("pass_rule", "--pass-rule"),
        ("group_threshold", "gates.groups.threshold"),
    ],
)
def test_what_belongs_to_a_run_is_refused_with_its_place(member, where):
    (problem,) = yaml(f"- input: x\n  {member}: 0.9\n").problems
    assert (problem.line, problem.code) == (2, "unknown-member")
    assert problem.message.startswith(f"'{member}' is no matter of a data set")
    assert where in problem.message


def test_the_first_of_repeated_members_counts():
    text = '[{"input": "a", "input": null, "expected": {"contains": "a", "contains": 5}}]'
    assert told(CaseDataset.parse(text, "json")) == [
        (1, "duplicate-member", "[0].input", "'input' appears more than once."),
        (1, "duplicate-member", "[0].expected.contains",
         "'expected.contains' appears more than once."),
    ]  # fmt: skip


def test_ids_are_unique_text():
    text = "- {input: a, id: x}\n- {input: b}\n- {input: c, id: x}\n- {input: d, id: ''}"
    assert told(yaml(text)) == [
        (3, "duplicate-id", "[2].id", "'id' 'x' is already used on line 1."),
        (4, "invalid-member", "[3].id", "'id' must be text that is not empty."),
    ]  # fmt: skip


def test_warnings_stand_apart():
    dataset = yaml(
        "- input: a\n- input: b\n  expected: {faithful: {}, correctness: {}}\n"
        "- input: c\n  expected: []\n"
    ).unwrap()
    assert [(w.line, w.path) for w in dataset.warnings] == [
        (1, "[0].expected"),
        (3, "[1].expected.faithful"),
        (3, "[1].expected.correctness"),
        (5, "[2].expected"),
    ]


def test_keys_are_ids_or_content():
    dataset = yaml(
        "- {input: a}\n- {input: a, context: [x]}\n- {input: a, metadata: {n: 1}}\n"
        "- {input: a, id: b}\n"
        "- {input: {p: 1, q: 2}}\n- {input: {q: 2, p: 1}}\n- {input: a, context: x}\n"
    ).unwrap()
    keys = [dataset.key(index) for index in range(7)]
    assert keys[3] == "b"
    assert keys[0].removesuffix("-1") == keys[2].removesuffix("-2")
    assert keys[4].removesuffix("-1") == keys[5].removesuffix("-2")
    assert keys[1].removesuffix("-1") == keys[6].removesuffix("-2")
    assert len(set(keys)) == 7
    assert len(keys[0]) == 14


def test_ids_are_for_people(tmp_path):
    path = tmp_path / "my.questions.jsonl"
    path.write_text('{"input": 1}\n\n{"input": 2, "id": "two"}\n{"input": 3}\n')
    dataset = CaseDataset.load(path).unwrap()
    assert [case.id for case in dataset] == ["my.questions#1", "two", "my.questions#3"]
    assert [dataset.line(index) for index in range(3)] == [1, 3, 4]
    assert dataset[-1].input == 3
    assert [case.input for case in dataset[1:]] == [2, 3]
    with pytest.raises(IndexError):
        dataset[3]


def test_unwrap_raises_every_problem(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('[{"input": 1, "x": 2},\n {"y": 1}]')
    outcome = CaseDataset.load(path)
    assert isinstance(outcome, Err)
    with pytest.raises(ProblemsError) as caught:
        outcome.unwrap()
    assert str(caught.value).startswith(f"Failed to load dataset {path}: line 1: 'x' is not")
    assert len(caught.value.problems) == 3
    pairs = CaseDataset.load_with_assertions(path)
    assert isinstance(pairs, Err)


def test_pairs_come_with_their_assertions(tmp_path):
    path = tmp_path / "good.yml"
    path.write_text("- {input: a, expected: {equals: b}}\n")
    pairs = CaseDataset.load_with_assertions(path)
    assert pairs == Ok([(Case(input="a", id="good#1"), (Assertion("equals", {"value": "b"}),))])


def test_the_suffix_says_what_a_file_is(tmp_path):
    for name in ("cases.csv", "cases"):
        (tmp_path / name).write_text("")
        (problem,) = CaseDataset.load(tmp_path / name).problems
        assert problem.code == "unsupported-format"
    assert str(CaseDataset.load(tmp_path / "cases.csv").problems[0]).startswith(
        "line 1: Unsupported file format: .csv"
    )
    with pytest.raises(FileNotFoundError):
        CaseDataset.load(tmp_path / "none.yaml")
    with pytest.raises(FileNotFoundError):
        CaseDataset.load(tmp_path / "none.txt")
    (tmp_path / "empty.json").write_text("")
    assert len(CaseDataset.load(tmp_path / "empty.json").unwrap()) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {input: a, expected: {equals: yes}}", None),
        ("- {input: a, expected: {equals: 2024-01-31}}", None),
        ("- {input: a, expected: {equals: 12:30:45}}", None),
        ("- {input: a, expected: {equals: 1_000}}", None),
        ("- {input: a, expected: {equals: true}}", 'write "true" in quotes'),
        ("- {input: a, expected: {equals: 30}}", 'write "30" in quotes'),
        ("- {input: a, expected: {equals: 0x1F}}", 'write "31" in quotes'),
        ("- {input: .inf}", ".inf is not a number of JSON"),
        ("- {input: !!str a}", "Tags are not read"),
        ("- &a {input: x}\n- {<<: *a}", "Merge keys (<<) are not read"),
        ("- {input: a, input: b}", "'input' appears more than once"),
        ("- {input: {1: a}}", 'A key must be text: write "1" in quotes'),
        ("- {input: a}\n---\n- {input: b}", "more than one document"),
        ("input: a", "The file must hold a list of cases"),
    ],
)
def test_the_traps_of_yaml(text, message):
    outcome = yaml(text)
    if message is None:
        assert outcome.is_ok
    else:
        assert message in outcome.problems[0].message


def test_a_bomb_of_aliases_ends():
    levels = ["- &a0 {input: [lol, lol, lol, lol, lol, lol, lol, lol, lol]}"]
    for level in range(1, 12):
        aliases = ", ".join([f"*a{level - 1}"] * 9)
        levels.append(f"- &a{level} {{input: [{aliases}]}}")
    (problem,) = yaml("\n".join(levels)).problems
    assert problem.code == "too-large"


def test_problems_are_counted_by_case():
    examined = examine_text(
        b'{"input": 1}\n{"in": 1}\n{"input": 2\n{"input": 3}', "jsonl", name="x"
    )
    assert examined.count == 2
    assert [p.line for p in examined.problems] == [2, 2, 3]
