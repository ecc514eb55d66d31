"""`minos report`, as a user calls it."""

import json
import os
import threading
from pathlib import Path

import pytest
from tests.differential.generate_runs import PRICES, generate

from minos._native import item_line
from minos.attempts.journal import Journal
from minos.cli.main import run
from minos.decisions.report import CalibrationReport
from minos.decisions.results import EvaluationResults
from minos.decisions.run_files import settings_of

RUN = generate(11)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.jsonl").write_bytes(RUN.results_file)
    (tmp_path / "support.jsonl").write_bytes(RUN.dataset_file)
    (tmp_path / "prices.json").write_text(json.dumps({"prices": PRICES}))
    return tmp_path


def report(*options: str, results: str = "results.jsonl") -> int:
    return run(["report", "--results", results, "--dataset", "support.jsonl", *options])


def test_it_writes_two_files_and_names_them(files, capsys):
    assert report("--out", "out") == 0
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        str(Path("out") / "report.json"),
        str(Path("out") / "report.md"),
    ]
    made = CalibrationReport.from_files(files / "results.jsonl", files / "support.jsonl").unwrap()
    assert (files / "out" / "report.json").read_text() == made.to_json()
    assert (files / "out" / "report.md").read_text() == made.to_markdown()
    assert sorted(path.name for path in (files / "out").iterdir()) == ["report.json", "report.md"]
    assert f"{made.overall.accuracy:.3f}" in told.err


def test_without_out_the_directory_is_named_after_the_provider(files, capsys):
    assert report() == 0
    assert report() == 0
    capsys.readouterr()
    directories = sorted((files / "minos-out").iterdir())
    assert len(directories) == 2
    for directory in directories:
        assert directory.name.startswith("embedded-")
        assert sorted(path.name for path in directory.iterdir()) == [
            ".minos-run",
            "report.json",
            "report.md",
        ]


def test_files_that_are_there_are_replaced(files):
    (files / "out").mkdir()
    (files / "out" / "report.json").write_text("old")
    assert report("--out", "out") == 0
    assert json.loads((files / "out" / "report.json").read_text())["kind"] == "minos-report"


def test_prices_are_applied(files):
    assert report("--prices", "prices.json", "--out", "out") == 0
    found = json.loads((files / "out" / "report.json").read_text())
    assert found["prices"] == PRICES
    assert found["cost"]["priced"] > 0


def test_threads_do_not_show(files):
    assert report("--out", "one", "--threads", "1") == 0
    assert report("--out", "many", "--threads", "5") == 0
    assert (files / "one/report.json").read_bytes() == (files / "many/report.json").read_bytes()


@pytest.mark.parametrize("name", ["results.jsonl", "results.partial.jsonl"])
def test_the_directory_of_a_run(files, name):
    (files / "run").mkdir()
    (files / "results.jsonl").rename(files / "run" / name)
    assert report("--out", "out", results="run") == 0
    assert (files / "out" / "report.md").exists()


def test_a_directory_without_results(files, capsys):
    (files / "run").mkdir()
    assert report(results="run") == 2
    assert "error: run holds no results" in capsys.readouterr().err
    assert not (files / "minos-out").exists()


def test_a_journal_is_the_truth(files, capsys):
    results = EvaluationResults.load(files / "results.jsonl").unwrap()
    directory = files / "run"
    directory.mkdir()
    (directory / "results.jsonl").write_text("stale")
    journal = Journal(directory, settings_of(results.header, len(results), None), "{:064}".format)
    for place in (2, 0):
        journal.keep(place, item_line(results[place]))
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b'{"index":1,"req')
    assert report("--out", "out", results="run") == 0
    told = capsys.readouterr()
    page = (files / "out" / "report.md").read_text()
    assert f"Partial run: 2 of {len(RUN.items)} items" in page
    assert f"Partial run: 2 of {len(RUN.items)} items" in told.err
    assert "note: " in told.err


def test_a_run_that_is_still_going_is_reported_on_and_left_alone(files, capsys):
    results = EvaluationResults.load(files / "results.jsonl").unwrap()
    directory = files / "run"
    directory.mkdir()
    journal = Journal(directory, settings_of(results.header, len(results), None), "{:064}".format)
    journal.keep(0, item_line(results[0]))
    assert report("--out", "out", results="run") == 0
    told = capsys.readouterr().err
    assert "note: the run is still going: this is what it has so far" in told
    assert f"Partial run: 1 of {len(RUN.items)} items" in told
    assert [path.name for path in directory.iterdir()] == [journal.path.name]
    journal.close()


def test_problems_of_the_results(files, capsys):
    with (files / "results.jsonl").open("ab") as file:
        file.write(b'{"id":"late","answers":{},"cost":-1}\n{"id":"x\x1b[31m"\n')
    assert report() == 2
    told = capsys.readouterr()
    count = len(RUN.results)
    lines = told.err.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "line 1",
        f"line {count + 2}",
        f"line {count + 3}",
        "error",
    ]
    assert lines[-1] == "error: results.jsonl: 3 problems"
    assert told.out == ""
    assert not (files / "minos-out").exists()


def test_problems_of_the_data_set(files, capsys):
    (files / "support.jsonl").write_bytes(RUN.dataset_file + b"[]\n")
    assert report() == 2
    assert capsys.readouterr().err.splitlines() == [
        f"line {len(RUN.items) + 1}: The line must be a JSON object.",
        "error: support.jsonl: 1 problem",
    ]


def test_results_of_another_data_set(files, capsys):
    (files / "support.jsonl").write_bytes(b"".join(RUN.dataset_file.splitlines(True)[1:]))
    assert report() == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "error: results.jsonl does not fit support.jsonl: 1 problem"
    assert lines[0].startswith("line 1: ")


def test_problems_of_the_prices(files, capsys):
    (files / "prices.json").write_text('{"prices":[{"model":"m"}]}')
    assert report("--prices", "prices.json") == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "error: prices.json: 4 problems"
    assert all(line.startswith("line 1: ") for line in lines[:-1])


def test_json_for_programs(files, capsys):
    assert report("--out", "out", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    found = json.loads((files / "out" / "report.json").read_text())
    assert document["kind"] == "minos-output"
    assert document["command"] == "report"
    assert [Path(path).name for path in document["files"]] == ["report.json", "report.md"]
    assert document["summary"]["accuracy"] == found["overall"]["accuracy"]
    assert document["summary"]["baseRate"] == found["overall"]["baseRate"]
    assert document["summary"]["items"] == len(RUN.results)


def test_json_tells_problems_too(files, capsys):
    (files / "results.jsonl").write_bytes(b"")
    assert report("--json") == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "problems"
    assert [problem["code"] for problem in error["problems"]] == ["invalid-header"]


@pytest.mark.usefixtures("files")
def test_quiet_prints_the_paths_alone(capsys):
    assert report("--out", "out", "--quiet") == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 2
    assert told.err == ""


@pytest.mark.usefixtures("files")
def test_a_file_that_is_not_there(capsys):
    assert report(results="none.jsonl") == 2
    assert "none.jsonl" in capsys.readouterr().err
    assert run(["report", "--results", "results.jsonl", "--dataset", "none.jsonl"]) == 2
    assert report("--prices", "none.json") == 2


@pytest.mark.parametrize("missing", ["--results", "--dataset"])
@pytest.mark.usefixtures("files")
def test_what_is_required(capsys, missing):
    given = {"--results": "results.jsonl", "--dataset": "support.jsonl"}
    del given[missing]
    assert run(["report", *(part for pair in given.items() for part in pair)]) == 2
    assert missing in capsys.readouterr().err


def test_an_output_directory_that_cannot_be_made(files, capsys):
    (files / "out").write_text("a file")
    assert report("--out", "out") == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_a_damaged_file_is_unreadable_input(files, capsys):
    import gzip  # noqa: PLC0415

    (files / "support.jsonl").write_bytes(gzip.compress(RUN.dataset_file)[:-10])
    assert report() == 2
    assert "support.jsonl" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_two_pipes_that_one_writer_fills_in_turn(tmp_path, monkeypatch):
    """Lines of a data set are so much longer that its pipe is full long before the other one."""
    monkeypatch.chdir(tmp_path)
    for name in ("results.jsonl", "support.jsonl"):
        os.mkfifo(tmp_path / name)
    count, state = 3000, "x" * 10_000
    header = RUN.header | {"itemCount": count}
    for member in ("partial", "selection"):
        header.pop(member, None)

    def write():
        with Path("support.jsonl").open("w") as items, Path("results.jsonl").open("w") as results:
            results.write(json.dumps(header) + "\n")
            for n in range(count):
                question = {"q": {"type": "noul", "instructions": "Is it?"}}
                item = {"id": f"{n}", "state": state, "questions": question}
                items.write(json.dumps(item | {"expected": {"q": True}}) + "\n")
                answer = {"q": {"type": "noul", "probability": 0.75}}
                results.write(json.dumps({"id": f"{n}", "answers": answer}) + "\n")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert report("--out", "out") == 0
    writer.join()
    assert json.loads((tmp_path / "out" / "report.json").read_text())["overall"]["correct"] == count
