"""Runs over cases: answers, errors, repeats, selections, stops."""

import anyio
import pytest

from minos import ConfigError, ProblemsError
from minos.cases import (
    Answer,
    AttemptError,
    Case,
    CaseDataset,
    CaseReport,
    CaseResults,
    CaseRunError,
    CaseRunOptions,
    ErrorKind,
    Failure,
    Gates,
    GateStatus,
    PassRule,
    Status,
    Stop,
    Usage,
    run,
    run_sync,
)
from minos.cases.batch import CaseBatch


def dataset(count=4, expected=None, **more):
    pairs = [
        (
            Case(input=f"q{number}", actual_output=f"a{number}", metadata={"n": number % 2}),
            expected or {"equals": f"a{number}"},
        )
        for number in range(count)
    ]
    return CaseDataset.build(pairs, **more).unwrap()


def echo(case):
    return case.input.replace("q", "a")


def statuses(results):
    return [str(attempt.status) for attempt in results]


def report(results, data, **gates):
    return CaseReport.create(results, CaseBatch([data]), Gates(**gates))


def test_recorded_answers_are_judged():
    results = run_sync(dataset())
    assert statuses(results) == ["passed"] * 4
    assert results.header.subject == "recorded"
    assert results[0].latency_ms is None
    assert [attempt.id for attempt in results] == [f"dataset#{number}" for number in range(1, 5)]


def test_a_subject_is_asked_and_goes_before_the_record():
    data = dataset(expected={"equals": "new"})
    results = run_sync(data, lambda case: "new")
    assert statuses(results) == ["passed"] * 4
    assert all(attempt.latency_ms >= 0 for attempt in results)


def test_files_are_loaded(tmp_path):
    (tmp_path / "a.yaml").write_text("- {input: x, actual_output: y, expected: {equals: y}}\n")
    (tmp_path / "b.jsonl").write_text('{"input": "x", "expected": {"equals": "z"}}\n')
    results = run_sync([tmp_path / "a.yaml", str(tmp_path / "b.jsonl")])
    assert [attempt.id for attempt in results] == ["a#1", "b#1"]
    assert results[0].key.removesuffix("-1") == results[1].key.removesuffix("-2")
    assert results[1].error == AttemptError(ErrorKind.INPUT, "Missing actual output")
    (tmp_path / "c.yaml").write_text("- {inptu: x}\n")
    with pytest.raises(ProblemsError, match="Failed to load dataset"):
        run_sync(tmp_path / "c.yaml")


def test_two_files_cannot_have_the_same_id():
    one = CaseDataset.parse('{"input": 1, "id": "x"}', "jsonl").unwrap()
    with pytest.raises(ConfigError, match="two data sets have a case with the id 'x'"):
        run_sync([one, one])


def test_what_a_subject_does_wrong_is_an_error_of_its_attempt():
    def odd(case):
        match case.input:
            case "q0":
                raise ValueError("no")
            case "q1":
                return None
            case "q2":
                return Failure("busy")
        return "a3"

    results = run_sync(dataset(), odd)
    assert statuses(results) == ["error", "error", "error", "passed"]
    assert [attempt.error and attempt.error.message for attempt in results] == [
        "ValueError: no",
        (
            "the subject returned NoneType, which is no answer: return text, an Answer,"
            " a Case with actual_output, or a Failure"
        ),
        "busy",
        None,
    ]
    assert results[0].error.kind is ErrorKind.SUBJECT
    assert results[0].evaluations[0].verdict.reason == "ValueError: no"
    assert report(results, dataset()).status is GateStatus.ERROR


def test_a_returned_case_is_the_one_that_is_judged():
    def answer(case):
        return Case(input="other", actual_output="x", metadata={"n": 9}, expected_output="e")

    data = dataset(1, expected={"equals": "x"})
    results = run_sync(data, answer)
    assert results[0].case == answer(None)
    made = report(results, data, group_by="n", group_threshold=1.0)
    assert made.groups[0][0] == 0
    assert '"input":"other"' in made.to_json()
    bad = run_sync(data, lambda case: Case(input=object(), actual_output="x"))
    assert bad[0].error.message == "the subject returned a Case that JSON cannot hold"


def test_repeats_are_attempts_in_order():
    seen = []

    def flaky(case):
        seen.append(case.input)
        return "a" + case.input[1:] if len(seen) % 2 else "wrong"

    data = dataset(2)
    results = run_sync(data, flaky, CaseRunOptions(repeat=3, pass_rule="rate:0.6"))
    assert seen == ["q0"] * 3 + ["q1"] * 3
    assert [(attempt.key, attempt.attempt) for attempt in results] == [
        (data.key(case), attempt) for case in range(2) for attempt in (1, 2, 3)
    ]
    assert statuses(results) == ["passed", "failed", "passed", "failed", "passed", "failed"]
    made = report(results, data)
    assert [outcome.status for outcome in made.cases()] == [Status.PASSED, Status.FAILED]
    assert made.tally.attempts.share().passed == 3


def test_order_holds_whatever_finishes_first():
    async def backwards(case):
        number = int(case.input[1:])
        for _ in range(20 - number):
            await anyio.lowlevel.checkpoint()
        return f"a{number}"

    results = run_sync(dataset(20), backwards, CaseRunOptions(max_parallelism=7))
    assert [attempt.output for attempt in results] == [f"a{number}" for number in range(20)]


@pytest.mark.anyio
async def test_an_attempt_has_a_time_limit():
    async def slow(case):
        if case.input == "q1":
            await anyio.sleep(1000)
        return echo(case)

    results = await run(dataset(), slow, CaseRunOptions(timeout_s=5))
    assert statuses(results) == ["passed", "error", "passed", "passed"]
    assert results[1].error == AttemptError(ErrorKind.TIMEOUT, "The attempt took longer than 5 s")
    assert results[1].duration_ms == 5000


def test_times_are_in_seconds():
    with pytest.raises(ConfigError, match="more than an hour") as caught:
        CaseRunOptions(timeout_s=120_000)
    assert "120_000 ms is 120" in caught.value.hint


@pytest.mark.parametrize(
    "wrong",
    [
        {"repeat": 0},
        {"repeat": True},
        {"pass_rule": "most"},
        {"max_parallelism": 0},
        {"timeout_s": 0},
        {"limit": 0},
        {"offset": -1},
        {"max_cost_usd": 0},
    ],
)
def test_options_make_sense(wrong):
    with pytest.raises(ValueError):  # noqa: PT011 (each says it in its own words)
        CaseRunOptions(**wrong)


def test_cases_are_chosen():
    def inputs(**options):
        results = run_sync(dataset(10), None, CaseRunOptions(**options))
        return [attempt.output for attempt in results], results.header.selection

    assert inputs(offset=2, limit=3)[0] == ["a2", "a3", "a4"]
    assert inputs(filters={"n": "1"}, limit=2)[0] == ["a1", "a3"]
    chosen, selection = inputs(sample=3, sample_seed=7)
    assert len(chosen) == 3
    assert (selection.of, selection.sample, selection.seed) == (10, 3, 7)
    assert inputs(sample=3, sample_seed=7)[0] == chosen
    assert inputs()[1] is None


def test_judges_are_refused_before_anything_is_asked():
    called = []
    data = dataset(2, expected={"equals": "x", "faithful": {}}, name="d")
    with pytest.raises(ConfigError, match="'faithful' of case d#1 needs a judge"):
        run_sync(data, called.append)
    with pytest.raises(ConfigError, match="'similar' of case d#1 needs embeddings"):
        run_sync(dataset(1, expected=["similar"], name="d"))
    assert called == []


def test_a_budget_stops_a_run():
    def dear(case):
        return Answer(echo(case), usage=Usage(cost_usd=1.0))

    with pytest.raises(CaseRunError) as caught:
        run_sync(dataset(10), dear, CaseRunOptions(max_cost_usd=3.5))
    assert caught.value.stop is Stop.BUDGET
    assert len(caught.value.partial_results) == 3
    assert caught.value.partial_results.header.partial
    assert report(caught.value.partial_results, dataset(10), threshold=0.1).status is (
        GateStatus.FAILED
    )


def test_what_a_progress_receiver_raises_stops_a_run():
    told = []

    def receive(progress):
        told.append((progress.done, progress.total, progress.result.output))
        if progress.done == 2:
            raise RuntimeError("enough")

    with pytest.raises(CaseRunError, match="the run stopped after 2 of 4") as caught:
        run_sync(dataset(), None, CaseRunOptions(progress=receive))
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert told == [(1, 4, "a0"), (2, 4, "a1")]


class Unusual(BaseException):
    """What is no `Exception`."""


def test_what_is_no_exception_stops_a_run_and_loses_nothing():
    error = Unusual("enough")

    def at_once(case):
        if case.input == "q2":
            raise error
        return echo(case)

    async def awaited(case):
        return at_once(case)

    for subject in (at_once, awaited):
        error.__notes__ = []
        with pytest.raises(CaseRunError, match="Unusual: enough") as caught:
            run_sync(dataset(), subject)
        assert caught.value.__cause__ is error
        (note,) = error.__notes__
        assert note.startswith("raised while asking ")
        assert " about case '" in note
        assert statuses(caught.value.partial_results) == ["passed", "passed"]


def test_results_are_saved_and_read(tmp_path):
    def full(case):
        return Answer("a", tool_calls=(), retrieved=("d",), usage=Usage(cost_usd=0.5))

    data = dataset(2)
    results = run_sync(data, full, CaseRunOptions(repeat=2, pass_rule=PassRule.rate(0.5)))
    path = tmp_path / "results.jsonl"
    results.save(path)
    read = CaseResults.load(path).unwrap()
    assert read.header == results.header
    assert list(read) == list(results)
    assert [read[index] for index in range(4)] == list(results)
    assert read[-1] == results[3]
    assert list(read[1:3]) == list(results)[1:3]
    with pytest.raises(IndexError):
        read[4]
    assert report(read, data).to_json() == report(results, data).to_json()
    assert [path.name for path in tmp_path.iterdir()] == ["results.jsonl"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], (1, "invalid-header")),
        (["{"], (1, "invalid-json")),
        (["[]"], (1, "not-an-object")),
        (['{"kind": "minos-results", "version": 1}'], (1, "invalid-header")),
        (["HEADER", "{}"], (2, "invalid-member")),
        (["HEADER", '{"id": "a", "key": "a", "attempt": 1, "status": "fine"}'],
         (2, "invalid-member")),
        (["HEADER", "x"], (2, "invalid-json")),
    ],
)  # fmt: skip
def test_results_with_problems_are_told(tmp_path, lines, problem):
    path = tmp_path / "results.jsonl"
    run_sync(dataset(1)).save(path)
    header = path.read_text().splitlines()[0]
    path.write_text("".join(line.replace("HEADER", header) + "\n" for line in lines))
    (told,) = CaseResults.load(path).problems
    assert (told.line, told.code) == problem


def test_results_of_other_cases_are_refused():
    with pytest.raises(ConfigError, match="the results are of other cases: 'dataset#3'"):
        report(run_sync(dataset(3)), dataset(2))
