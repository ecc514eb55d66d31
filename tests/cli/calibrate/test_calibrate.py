import json
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.calibrate.calls import (
    ANSWERED,
    JOURNAL,
    REPORTS,
    calibrate,
    names,
    report,
    results,
    serving,
    write_items,
)
from tests.loopback import Hang
from tests.unit.decisions.asked import QUESTIONS, RESPONSE, Scripted

from minos.cli.exit_codes import ExitCode
from minos.cli.main import run
from minos.errors import DecisionError, DecisionErrorKind


def test_a_run_with_the_embedded_model(capsys):
    assert calibrate("--provider", "embedded") == 0
    (directory,) = Path("minos-out").iterdir()
    assert re.fullmatch(r"embedded-\d{8}-\d{6}", directory.name)
    assert names(directory) == [".minos-run", "report.json", "report.md", "results.jsonl"]
    printed = capsys.readouterr()
    files = ("results.jsonl", "report.json", "report.md")
    assert printed.out.splitlines() == [str(directory / name) for name in files]
    assert "18 of 18" in printed.err
    header, items = results(directory / "results.jsonl")
    assert (header["dataset"], header["provider"]) == ("items", "embedded")
    assert header["model"] == "sparrow-nano-general-v1.1"
    assert [item["id"] for item in items] == [f"item-{n}" for n in range(6)]
    assert report(directory)["cost"]["total"] == 0


def test_a_data_set_may_come_through_a_pipe():
    lines = Path("items.jsonl").read_bytes()
    reading, writing = os.pipe()
    try:
        os.write(writing, lines)  # fits a pipe
        os.close(writing)
        assert (
            run(["calibrate", "--dataset", f"/dev/fd/{reading}", "--provider", "embedded"])
            == ExitCode.OK
        )
    finally:
        os.close(reading)
    (directory,) = Path("minos-out").iterdir()
    assert report(directory)["run"]["items"] == 6


def test_as_one_json_document(capsys):
    assert calibrate("--provider", "embedded", "--out", "o", "--json", "--quiet") == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["kind"] == "minos-output"
    assert document["command"] == "calibrate"
    assert document["files"] == [f"o/{n}" for n in ("results.jsonl", "report.json", "report.md")]
    assert document["summary"]["items"] == 6
    assert printed.err == ""


def test_parallel_runs_give_the_same_results(provide):
    provide(Scripted())
    assert calibrate("--out", "one") == 0
    assert calibrate("--out", "four", "--parallel", "4") == 0

    def items(directory):
        told = results(f"{directory}/results.jsonl")[1]
        return [{**item, "latencyMs": 0} for item in told]

    assert items("one") == items("four")


def test_over_the_wire_with_prices():
    price = {"model": "m", "inputPerMillion": 2, "outputPerMillion": 5}
    price |= {"date": "2026-11-30", "source": "test"}
    Path("prices.json").write_text(json.dumps({"prices": [price]}))
    with serving(ANSWERED):
        assert calibrate("--prices", "prices.json", "--out", "o") == 0
    assert report("o")["cost"]["total"] == pytest.approx(6 * 20e-6)
    assert report("o")["run"]["provider"] == "local"


def test_the_model_of_the_call_wins():
    with serving(ANSWERED) as server:
        assert calibrate("--model", "other", "--out", "o") == 0
        assert {request.json["model"] for request in server.requests} == {"other"}
    assert results("o/results.jsonl")[0]["model"] == "other"


def test_item_errors_do_not_change_the_exit_code(provide):
    provide(Scripted({1: DecisionError(DecisionErrorKind.SERVER, "no", status_code=500)}))
    assert calibrate("--out", "o") == 0
    assert report("o")["errors"] == [{"kind": "Server", "count": 1}]


def test_not_one_answer_exits_1_with_every_file(provide, capsys):
    error = DecisionError(DecisionErrorKind.UNAUTHORIZED, "no", status_code=401)
    provide(Scripted(dict.fromkeys(range(6), error)))
    assert calibrate("--out", "o") == 1
    assert names("o") == [*REPORTS, "results.jsonl"]
    assert capsys.readouterr().err.splitlines()[-1] == (
        "error: not one of 6 items was answered: Unauthorized (6)"
    )


def test_an_empty_data_set_exits_0(provide):
    Path("items.jsonl").write_text("\n")
    provide(Scripted())
    assert calibrate("--out", "o") == 0
    assert report("o")["counts"]["items"] == 0


def test_a_client_that_throws_leaves_partial_results_and_reports(provide, capsys):
    provide(Scripted({4: RuntimeError("broken\nclient")}))
    Path("o").mkdir()
    Path("o/results.jsonl").write_text("of an earlier run")
    assert calibrate("--out", "o") == 1
    assert names("o") == [JOURNAL, *REPORTS, "results.partial.jsonl"]
    header, items = results("o/results.partial.jsonl")
    assert (header["partial"], header["itemCount"], len(items)) == (True, 4, 4)
    assert "Partial run: 4 of 6 items" in Path("o/report.md").read_text()
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "o/results.partial.jsonl",
        "o/report.json",
        "o/report.md",
    ]
    assert printed.err.splitlines()[-2:] == [
        (
            "error: the run stopped after 4 of 6 items: RuntimeError: broken client"
            " (while asking scripted about item 'item-4')"
        ),
        "hint: go on with --resume o",
    ]


def test_a_fault_before_any_item_leaves_only_the_marker(provide, capsys):
    provide(Scripted({0: RuntimeError("x")}))
    assert calibrate() == 1
    (directory,) = Path("minos-out").iterdir()
    assert names(directory) == [".minos-run"]
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines()[-1] == (
        "error: the run stopped after 0 of 6 items: RuntimeError: x"
        " (while asking scripted about item 'item-0')"
    )


def test_a_spent_budget_exits_1_with_files(provide, capsys):
    provide(Scripted())
    assert calibrate("--max-requests", "2", "--out", "o", "--json") == 1
    assert names("o") == [JOURNAL, *REPORTS, "results.partial.jsonl"]
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "run"
    assert error["message"] == (
        "the run stopped after 2 of 6 items: the budget is spent: 2 of at most 2 requests are sent"
    )


def test_an_unfinished_directory_is_refused_before_anything_is_asked(provide, capsys):
    provide(Scripted({4: RuntimeError("x")}))
    calibrate("--out", "o")
    provider = provide(Scripted())
    before = {name: (Path("o") / name).read_bytes() for name in names("o")}
    assert calibrate("--out", "o") == 2
    assert provider.asked == []
    assert before == {name: (Path("o") / name).read_bytes() for name in names("o")}
    told = capsys.readouterr().err.splitlines()
    assert told[-1] == "hint: finish it with --resume o, or replace it with --overwrite"
    assert calibrate("--out", "o", "--overwrite") == 0
    assert names("o") == [*REPORTS, "results.jsonl"]
    assert provider.asked == [0, 1, 2, 3, 4, 5]


def test_a_finished_directory_is_overwritten(provide):
    provide(Scripted())
    assert calibrate("--out", "o", "--limit", "2") == 0
    assert calibrate("--out", "o") == 0
    assert report("o")["counts"]["items"] == 6


def test_going_on(provide, capsys):
    provide(Scripted({4: RuntimeError("x")}))
    calibrate("--out", "o")
    provider = provide(Scripted())
    capsys.readouterr()
    assert calibrate("--resume", "o") == 0
    assert provider.asked == [4, 5]
    assert names("o") == [*REPORTS, "results.jsonl"]
    assert capsys.readouterr().out.splitlines()[0] == "o/results.jsonl"
    assert report("o")["run"]["partial"] is False
    assert calibrate("--resume", "o") == 0
    assert provider.asked == [4, 5]
    printed = capsys.readouterr()
    assert "note: nothing to do: o holds the whole run" in printed.err.splitlines()
    assert printed.out == ""


def test_failures_are_asked_for_again(provide, capsys):
    error = DecisionError(DecisionErrorKind.TIMEOUT, "no", cost_usd=0.125)
    provide(Scripted({1: error, 3: error}))
    assert calibrate("--out", "o") == 0
    provider = provide(Scripted())
    assert calibrate("--resume", "o", "--retry-failed") == 0
    assert provider.asked == [1, 3]
    assert report("o")["errors"] == []
    assert (
        "note: 2 failed items asked for again, for which 0.250000 US dollars were paid"
        in capsys.readouterr().err.splitlines()
    )


def test_going_on_with_another_data_set_is_refused(provide, capsys):
    provide(Scripted({4: RuntimeError("x")}))
    calibrate("--out", "o")
    write_items(6, questions={**QUESTIONS, "more": {"type": "noul", "instructions": "More?"}})
    assert calibrate("--resume", "o") == 2
    assert "the data set has changed since the run was started" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--retry-failed"], "--retry-failed goes with --resume"),
        (["--resume", ".", "--overwrite"], "contradict"),
        (["--resume", ".", "--out", "elsewhere"], "into its own directory"),
        (["--resume", "missing"], "'missing' does not exist"),
        (["--id", "nothing-*"], "no id matches 'nothing-*'"),
        (["--limit", "0"], "--limit"),
        (["--max-cost", "0"], "--max-cost"),
        (["--parallel", "0"], "--parallel"),
        (["--prices", "missing.json"], "'missing.json' does not exist"),
        (["--config", "missing.json"], "there is no config file missing.json"),
        (["--provider", "nobody"], "there is no provider 'nobody'"),
        ([], "no provider is named"),
    ],
)
def test_usage_exits_2_before_anything_is_made(arguments, message, capsys):
    if arguments and arguments[0] not in {"--config", "--provider"}:
        arguments = [*arguments, "--provider", "embedded"]
    assert calibrate(*arguments) == 2
    assert message in capsys.readouterr().err
    assert not Path("minos-out").exists()


def test_a_data_set_with_problems_exits_2(capsys):
    Path("items.jsonl").write_text('{"id":"a"}\nx\n')
    assert calibrate("--provider", "embedded") == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("line 1: ")
    assert "line 2: The line is not valid JSON at byte 0: " in told[-2]
    assert not Path("minos-out").exists()


def test_a_directory_that_cannot_be_written_fails_before_anything_is_asked(provide, capsys):
    provider = provide(Scripted())
    Path("o").write_text("a file")
    assert calibrate("--out", "o/deeper") == 1
    assert provider.asked == []
    assert capsys.readouterr().err.startswith("error: o")


def test_a_selection(provide):
    provider = provide(Scripted())
    assert calibrate("--id", "item-[0-3]", "--id", "item-5", "--limit", "4", "--out", "o") == 0
    assert provider.asked == [0, 1, 2, 3]
    header, _ = results("o/results.jsonl")
    assert header["selection"] == {
        "of": 6,
        "count": 4,
        "limit": 4,
        "ids": ["item-[0-3]", "item-5"],
    }
    assert "Selected: 4 of 6 items" in Path("o/report.md").read_text()


def test_a_sample_is_the_same_for_the_same_seed(provide):
    write_items(40)
    first, second, third = Scripted(), Scripted(), Scripted()
    for provider, seed in ((first, "1"), (second, "1"), (third, "2")):
        provide(provider)
        assert calibrate("--sample", "5", "--sample-seed", seed) == 0
    assert first.asked == second.asked != third.asked
    assert len(first.asked) == 5


def test_options_from_the_environment(provide, monkeypatch):
    provider = provide(Scripted())
    monkeypatch.setenv("MINOS_CALIBRATE_LIMIT", "2")
    monkeypatch.setenv("MINOS_CALIBRATE_OUT", "from-environment")
    assert calibrate() == 0
    assert provider.asked == [0, 1]
    assert "results.jsonl" in names("from-environment")


def test_several_models_are_told(provide, capsys):
    async def other():
        return replace(RESPONSE, model="fake-2")

    provide(Scripted({3: other}))
    assert calibrate("--out", "o") == 0
    assert "note: several models answered: fake-1 (5), fake-2 (1)" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["items.jsonl.gz", "items.jsonl"])
def test_the_name_of_the_data_set(provide, name):
    provide(Scripted())
    Path("items.jsonl").rename(name)
    assert run(["calibrate", "--dataset", name, "--out", "o"]) == 0
    assert results("o/results.jsonl")[0]["dataset"] == "items"


class Process:
    """`minos calibrate` over the loopback server, in a process that can be sent signals."""

    def __init__(self, hang_at):
        self.reached = threading.Event()
        self._hang_at = hang_at
        self._count = 0
        self.out = ""
        self.err = ""

    def step(self, _request):
        self._count += 1
        return Hang(self.reached.set) if self._count == self._hang_at else ANSWERED

    def end_with(self, number):
        command = [sys.executable, "-m", "minos", "calibrate", "--dataset", "items.jsonl"]
        process = subprocess.Popen(
            [*command, "--out", "o"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.reached.wait(60)
        process.send_signal(number)
        self.out, self.err = process.communicate(timeout=60)
        return process.returncode


def test_ctrl_c_writes_partial_results_and_exits_130():
    process = Process(hang_at=4)
    with serving(process.step):
        assert process.end_with(signal.SIGINT) == 130
    assert names("o") == [JOURNAL, "results.partial.jsonl"]
    assert process.out.splitlines() == ["o/results.partial.jsonl"]
    assert process.err.splitlines()[-1] == "error: cancelled"
    header, items = results("o/results.partial.jsonl")
    assert (header["partial"], len(items)) == (True, 3)


def test_ctrl_c_before_any_item_leaves_nothing():
    process = Process(hang_at=1)
    with serving(process.step):
        assert process.end_with(signal.SIGINT) == 130
    assert names("o") == []


def test_a_killed_run_is_reported_on_and_gone_on_with(capsys):
    process = Process(hang_at=4)
    with serving(process.step) as server:
        assert process.end_with(signal.SIGKILL) == -signal.SIGKILL
        assert names("o") == [JOURNAL]
        arguments = ["--results", "o", "--dataset", "items.jsonl", "--out", "killed"]
        assert run(["report", *arguments]) == 0
        assert "Partial run: 3 of 6 items" in Path("killed/report.md").read_text()
        asked = len(server.requests)
        assert calibrate("--resume", "o") == 0
        assert len(server.requests) == asked + 3
    header, items = results("o/results.jsonl")
    assert "partial" not in header
    assert [item["id"] for item in items] == [f"item-{n}" for n in range(6)]
    assert names("o") == [*REPORTS, "results.jsonl"]
    capsys.readouterr()


def test_another_address_is_refused(capsys):
    with serving(lambda _: ANSWERED):
        assert calibrate("--out", "o", "--max-requests", "3") == 1
    with serving(ANSWERED) as server:
        assert calibrate("--resume", "o") == 2
        assert server.requests == []
    assert "the run was started with address 'http://127.0.0.1:" in capsys.readouterr().err
