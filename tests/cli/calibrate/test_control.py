"""`minos calibrate`: repeats, dry runs, limits over repeats, the cache."""

import json
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from tests.cli.calibrate.calls import ANSWERED, REPORTS, calibrate, names, results, serving
from tests.unit.decisions.asked import RESPONSE, Scripted

from minos.answers import AnswerRecord
from minos.cli.main import run
from minos.errors import DecisionError, DecisionErrorKind


@pytest.fixture
def prices():
    price = {"model": "fake", "inputPerMillion": 2, "outputPerMillion": 0}
    price |= {"date": "2026-11-30", "source": "test"}
    Path("prices.json").write_text(json.dumps({"prices": [price]}))
    return "prices.json"


def test_repeats_lie_in_directories_of_their_own(provide, capsys):
    provider = provide(Scripted())
    assert calibrate("--repeat", "3", "--out", "o") == 0
    assert provider.asked == list(range(6)) * 3
    assert names("o") == ["repeat-1", "repeat-2", "repeat-3", "repeats.json"]
    for number in (1, 2, 3):
        assert names(f"o/repeat-{number}") == [*REPORTS, "results.jsonl"]
    told = json.loads(Path("o/repeats.json").read_text())
    assert (told["repeats"], told["overall"]["flipRate"]) == (3, 0.0)
    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1] == "o/repeats.json"
    assert "flip rate 0.000" in printed.err


def test_answers_that_change_are_counted(provide_each, capsys):
    other = {**RESPONSE.answers, "topic": AnswerRecord.choice("loan")}

    async def flip():
        return replace(RESPONSE, answers=other)

    provide_each(lambda number: Scripted({2: flip, 4: flip} if number == 2 else {}))
    assert calibrate("--repeat", "2", "--out", "o", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["files"][-1] == "o/repeats.json"
    assert document["summary"] == {
        "repeats": 2,
        "items": 6,
        "changedItems": 2,
        "flipRate": 2 / 18,
        "accuracies": [1.0, 16 / 18],
    }


def test_limits_hold_for_all_repeats_together(provide, capsys):
    provider = provide(Scripted(response=replace(RESPONSE, cost_usd=0.125)))
    assert calibrate("--repeat", "3", "--out", "o", "--max-cost", "1.75") == 1
    assert len(provider.asked) == 14
    assert names("o") == ["repeat-1", "repeat-2", "repeat-3", "repeats.json"]
    assert "results.partial.jsonl" in names("o/repeat-3")
    assert json.loads(Path("o/repeats.json").read_text())["repeats"] == 2
    told = capsys.readouterr().err.splitlines()
    assert "the run stopped after 2 of 6 items: the budget is spent" in told[-2]
    assert told[-1] == "hint: go on with --resume o --repeat 3"


def test_a_limit_that_is_spent_between_repeats(provide, capsys):
    provider = provide(Scripted())
    assert calibrate("--repeat", "3", "--out", "o", "--max-requests", "6") == 1
    assert len(provider.asked) == 6
    assert names("o") == ["repeat-1", "repeat-2"]
    assert names("o/repeat-2") == []
    assert capsys.readouterr().err.splitlines()[-1] == (
        "error: the run stopped after 1 repeat: the budget is spent"
    )


def test_going_on_with_repeats(provide):
    provide(Scripted())
    assert calibrate("--repeat", "3", "--out", "o", "--max-requests", "8") == 1
    provider = provide(Scripted())
    assert calibrate("--repeat", "3", "--resume", "o") == 0
    assert provider.asked == [2, 3, 4, 5, *range(6)]
    assert json.loads(Path("o/repeats.json").read_text())["repeats"] == 3
    assert names("o/repeat-2") == [*REPORTS, "results.jsonl"]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (["--repeat", "2"], [], "holds a repeated run: say --repeat again"),
        ([], ["--repeat", "2"], "holds a run that is not repeated"),
    ],
)
def test_repeats_and_single_runs_are_not_mixed(provide, capsys, first, second, message):
    provide(Scripted())
    assert calibrate(*first, "--out", "o") == 0
    assert calibrate(*second, "--resume", "o") == 2
    assert message in capsys.readouterr().err


def test_an_unfinished_repeat_is_not_replaced_unasked(provide, capsys):
    provide(Scripted())
    assert calibrate("--repeat", "2", "--out", "o", "--max-requests", "8") == 1
    provider = provide(Scripted())
    assert calibrate("--repeat", "2", "--out", "o") == 2
    assert provider.asked == []
    assert "o/repeat-2 holds a run that did not end" in capsys.readouterr().err
    assert calibrate("--repeat", "2", "--out", "o", "--overwrite") == 0


def test_repeats_without_an_answer_stop(provide):
    error = DecisionError(DecisionErrorKind.UNAUTHORIZED, "no")
    provider = provide(Scripted(dict.fromkeys(range(6), error)))
    assert calibrate("--repeat", "3", "--out", "o") == 1
    assert len(provider.asked) == 6
    assert names("o") == ["repeat-1"]


def test_a_dry_run_asks_and_writes_nothing(provide, capsys):
    provider = provide(Scripted())
    assert calibrate("--dry-run") == 0
    assert provider.asked == []
    assert not Path("minos-out").exists()
    assert capsys.readouterr().out.splitlines() == [
        "items: 6",
        "requests: 6, retries apart",
        "questions: 18",
        "input tokens: about 404",
        "cost: not known, there is no price for the model that is asked",
        "budget: none is set",
        "nothing was sent",
    ]


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (["--max-requests", "6"], "enough, retries apart"),
        (["--max-requests", "5"], "not enough, it is 5 requests"),
        (["--max-cost", "1"], "enough, as far as it can be told"),
        (["--max-cost", "0.0001"], "not enough, it is 0.0001 US dollars"),
        (["--max-cost", "1", "--repeat", "3000"], "not enough, it is 1.0 US dollars"),
        (["--max-cost", "0.001", "--limit", "3"], "enough, as far as it can be told"),
    ],
)
def test_the_verdict_of_a_dry_run(provide, prices, capsys, arguments, verdict):
    provide(Scripted())
    assert calibrate("--dry-run", "--prices", prices, *arguments) == 0
    assert f"budget: {verdict}" in capsys.readouterr().out.splitlines()


def test_a_dry_run_as_json(provide, prices, capsys):
    provide(Scripted())
    assert calibrate("--dry-run", "--json", "--repeat", "2", "--prices", prices) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["files"] == []
    assert document["summary"] == {
        "dryRun": True,
        "items": 6,
        "repeats": 2,
        "requests": 12,
        "questions": 36,
        "inputTokens": 808,
        "cost": pytest.approx(808 * 2e-6),
        "budget": "none is set",
    }


def test_a_dry_run_of_what_is_left(provide, capsys):
    provide(Scripted())
    assert calibrate("--out", "o", "--max-requests", "4") == 1
    capsys.readouterr()
    assert calibrate("--resume", "o", "--dry-run") == 0
    assert "requests: 2, retries apart" in capsys.readouterr().out.splitlines()


def test_a_limit_on_cost_without_costs_exits_2(monkeypatch, capsys):
    monkeypatch.setenv("TYPESAFE_API_KEY", "k")
    assert calibrate("--provider", "TypeSafe", "--max-cost", "1") == 2
    assert not Path("minos-out").exists()
    assert "a limit on cost needs prices" in capsys.readouterr().err


def test_the_cache_answers_what_was_asked_before():
    with serving(ANSWERED) as server:
        assert calibrate("--cache", "c", "--out", "one", "--limit", "4") == 0
        assert len(server.requests) == 4
        assert calibrate("--cache", "c", "--out", "two") == 0
        assert len(server.requests) == 6
    _, items = results("two/results.jsonl")
    assert [item.get("cached", False) for item in items] == [True] * 4 + [False] * 2
    report = json.loads(Path("two/report.json").read_text())
    assert report["cost"]["cached"] == report["latency"]["cachedCount"] == 4


def test_each_repeat_has_answers_of_its_own_in_the_cache():
    with serving(ANSWERED) as server:
        assert calibrate("--cache", "c", "--repeat", "2", "--out", "one") == 0
        assert len(server.requests) == 12
        assert calibrate("--cache", "c", "--repeat", "2", "--out", "two") == 0
        assert len(server.requests) == 12


def test_the_age_goes_with_the_cache(capsys):
    assert calibrate("--provider", "embedded", "--cache-max-age", "5") == 2
    assert "--cache-max-age goes with --cache" in capsys.readouterr().err


def test_workers_is_another_word_for_parallel(provide):
    in_flight, most = [], []

    async def step():
        in_flight.append(1)
        await anyio.lowlevel.checkpoint()
        most.append(len(in_flight))
        in_flight.pop()

    provide(Scripted(dict.fromkeys(range(6), step)))
    assert calibrate("--workers", "3") == 0
    assert max(most) == 3
    help_text = run(["calibrate", "--help"])
    assert help_text == 0
