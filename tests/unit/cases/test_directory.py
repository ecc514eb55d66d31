"""Runs into a directory: journal, resume, what is left at the end."""

import json
from datetime import UTC, datetime
from functools import partial

import pytest

from minos import ConfigError
from minos.attempts.journal import NAME as JOURNAL
from minos.attempts.sync import run_in_own_loop
from minos.cases import Case, CaseBatch, CaseDataset, CaseDirectoryRun, CaseRunOptions, Failure
from minos.cases.runner import source_of

START = datetime(2026, 11, 30, 12, tzinfo=UTC)


def dataset(count=5, word="a"):
    pairs = [(Case(input=number), {"equals": f"{word}{number}"}) for number in range(count)]
    return CaseDataset.build(pairs).unwrap()


def echo(case):
    return f"a{case.input}"


def start(directory, function=echo, data=None, *, chosen=None, **options):
    more = {name: options.pop(name) for name in ("go_on", "retry_failed") if name in options}
    batch = CaseBatch([dataset() if data is None else data])
    settings = CaseRunOptions(subject="s", **options)
    return CaseDirectoryRun(
        batch,
        source_of(function, settings),
        range(len(batch)) if chosen is None else chosen,
        directory,
        settings,
        started_at=START,
        **more,
    )


def run(directory, *arguments, **options):
    made = start(directory, *arguments, **options)
    if made.is_finished:
        return made, None
    return made, run_in_own_loop(made.run)


def files(directory):
    return sorted(path.name for path in directory.iterdir())


def content(directory, name="results.jsonl"):
    """The lines without what depends on the clock."""
    lines = [json.loads(line) for line in (directory / name).read_text().splitlines()]
    for line in lines[1:]:
        for member in ("duration_ms", "latency_ms"):
            line.pop(member, None)
    return lines


def stops_at(count):
    def progress(now):
        if now.done == count:
            raise RuntimeError("enough")

    return progress


def test_a_run_leaves_its_results_and_nothing_else(tmp_path):
    made, ending = run(tmp_path, repeat=2)
    assert ending.stop is None
    assert files(tmp_path) == ["results.jsonl"]
    header, *lines = content(tmp_path)
    assert header["kind"] == "minos-case-results"
    assert header["started_at"] == "2026-11-30T12:00:00.000Z"
    assert header["attempts"] == 2
    assert header["datasets"] == [{"name": "dataset", "sha256": dataset().sha256}]
    assert "partial" not in header
    assert [(line["id"], line["attempt"]) for line in lines[:3]] == [
        ("dataset#1", 1),
        ("dataset#1", 2),
        ("dataset#2", 1),
    ]
    assert len(made.results()) == 10


def test_a_stopped_run_is_gone_on_with(tmp_path):
    whole, part = tmp_path / "whole", tmp_path / "part"
    whole.mkdir()
    part.mkdir()
    run(whole)
    _, ending = run(part, progress=stops_at(2))
    assert ending.stop == "fault"
    assert files(part) == [JOURNAL, "results.partial.jsonl"]
    assert content(part, "results.partial.jsonl")[0]["partial"] is True
    asked = []

    def answer(case):
        asked.append(case.input)
        return echo(case)

    made, _ = run(part, answer, go_on=True)
    assert (made.total, made.left, made.done) == (5, 3, 2)
    assert asked == [2, 3, 4]
    assert content(part) == content(whole)
    assert files(part) == ["results.jsonl"]
    again, _ = run(part, go_on=True)
    assert again.is_finished
    assert len(again.results()) == 5


def test_finished_attempts_are_kept_to_the_byte(tmp_path):
    run(tmp_path, progress=stops_at(3))
    before = (tmp_path / "results.partial.jsonl").read_bytes().splitlines()[1:]
    run(tmp_path, go_on=True)
    after = (tmp_path / "results.jsonl").read_bytes().splitlines()[1:]
    assert after[:3] == before


def test_errors_are_made_again_where_that_is_wanted(tmp_path):
    run(tmp_path, lambda case: Failure("down") if case.input % 2 else echo(case))
    made, _ = run(tmp_path, go_on=True)
    assert made.is_finished
    made, _ = run(tmp_path, go_on=True, retry_failed=True)
    assert (made.replaced, made.left) == (2, 2)
    assert [line["status"] for line in content(tmp_path)[1:]] == ["passed"] * 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": dataset(6)}, "the run was started with"),
        ({"data": dataset(word="b")}, "the run was started with"),
        ({"repeat": 2}, "the run was started with attempts 1, not 2"),
        ({"pass_rule": "any"}, "the run was started with pass_rule 'all', not 'any'"),
        ({"chosen": [0, 1]}, "the run was started with case_count 5, not 2"),
    ],
)
def test_another_run_is_not_gone_on_with(tmp_path, change, message):
    run(tmp_path, progress=stops_at(2))
    with pytest.raises(ConfigError) as caught:
        start(tmp_path, go_on=True, **change)
    assert str(caught.value).startswith(message)
    assert files(tmp_path) == [JOURNAL, "results.partial.jsonl"]


def test_a_journal_of_something_else_is_refused(tmp_path):
    header = {"kind": "minos-journal", "version": 1, "settings": {"kind": "minos-results"}}
    (tmp_path / JOURNAL).write_text(json.dumps(header) + "\n")
    with pytest.raises(ConfigError, match="not of a run over cases"):
        start(tmp_path, go_on=True)


def test_a_torn_line_is_dropped_with_a_note(tmp_path):
    run(tmp_path, progress=stops_at(2))
    with (tmp_path / JOURNAL).open("ab") as journal:
        journal.write(b'{"index":2,"requ')
    made, _ = run(tmp_path, go_on=True)
    assert made.notes == ["the journal ends in a result that was being written: 16 bytes dropped"]
    assert len(made.results()) == 5


def test_nothing_there_starts_anew(tmp_path):
    made, _ = run(tmp_path, go_on=True)
    assert made.notes == ["nothing of an earlier start is there: the run starts anew"]
    assert len(made.results()) == 5


def test_a_run_that_finishes_nothing_leaves_nothing(tmp_path):
    made = start(tmp_path, run_timeout_s=1e-9)
    run_in_own_loop(made.run)
    assert files(tmp_path) == []
    with pytest.raises(ConfigError, match="there are no results"):
        made.results()


def test_partial_results_are_gone_on_with_when_the_journal_is_lost(tmp_path):
    run(tmp_path, progress=stops_at(2))
    (tmp_path / JOURNAL).unlink()
    made, _ = run(tmp_path, go_on=True)
    assert made.notes == ["there is no journal: whether the cases are the same cannot be compared"]
    assert len(made.results()) == 5
    assert files(tmp_path) == ["results.jsonl"]


def test_a_judge_is_refused_before_anything_is_written(tmp_path):
    data = CaseDataset.build([(Case(input=1), ["relevant"])]).unwrap()
    with pytest.raises(ConfigError, match="'relevant' of case dataset#1 needs a judge"):
        start(tmp_path, data=data)
    assert files(tmp_path) == []


def test_parallel_runs_end_in_the_same_order(tmp_path):
    import anyio  # noqa: PLC0415

    async def odd(case):
        for _ in range(5 - case.input):
            await anyio.lowlevel.checkpoint()
        return echo(case)

    one, three = tmp_path / "one", tmp_path / "three"
    one.mkdir()
    three.mkdir()
    run(one, odd)
    run(three, partial(odd), max_parallelism=3)
    assert content(one) == content(three)
