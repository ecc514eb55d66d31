"""`minos export`, as a user calls it."""

import csv
import gzip
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.differential.generate_runs import generate
from tests.unit.decisions.arrow.plain_tables import answer_rows, bin_rows, item_rows, sweep_rows

from minos import AnswerRecord, CalibrationReport, DecisionDataset, EvaluationResults, ItemResult
from minos._native import item_line
from minos.attempts.journal import Journal
from minos.cli.main import run
from minos.decisions.run_files import settings_of

RUN = generate(11)
RESULTS = EvaluationResults.parse(RUN.results_file).unwrap()
DATASET = DecisionDataset.parse(RUN.dataset_file).unwrap()


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.jsonl").write_bytes(RUN.results_file)
    (tmp_path / "support.jsonl").write_bytes(RUN.dataset_file)
    return tmp_path


def export(*options: str, source: str = "results.jsonl") -> int:
    return run(["export", source, *options])


def read(path):
    match path.suffix:
        case ".parquet":
            return pq.ParquetFile(path).read().to_pylist()
        case ".arrow":
            with pa.memory_map(str(path)) as mapped:
                return pa.ipc.open_file(mapped).read_all().to_pylist()
        case _:
            return read_csv(path.read_bytes().decode())


def read_csv(text):
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def as_csv(rows):
    """Rows as a reader of CSV sees them: everything is text."""
    return [{name: _cell(value) for name, value in row.items()} for row in rows]


def as_values(rows):
    """Cells that are numbers or lists as such: numbers can be spelled in several ways."""
    return [{name: _value(cell) for name, cell in row.items()} for row in rows]


def _value(cell):
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def _cell(value):
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        case str() if value.startswith(tuple("=+-@\t\r\n'")):
            return f"'{value}"
        case _:
            return str(value)


TABLES = {
    "answers": (["results.jsonl"], list(answer_rows(RESULTS))),
    "joined": (
        ["results.jsonl", "--dataset", "support.jsonl"],
        list(answer_rows(RESULTS, DATASET)),
    ),
    "items": (["support.jsonl"], list(item_rows(DATASET))),
    "bins": (
        ["results.jsonl", "--dataset", "support.jsonl", "--table", "bins"],
        list(bin_rows(CalibrationReport.create(RESULTS, DATASET).unwrap())),
    ),
    "sweep": (
        ["results.jsonl", "--dataset", "support.jsonl", "--table", "sweep"],
        list(sweep_rows(CalibrationReport.create(RESULTS, DATASET).unwrap())),
    ),
}


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("table", TABLES)
def test_what_is_written(files, capsys, table, suffix):
    arguments, rows = TABLES[table]
    out = files / f"out.{suffix}"
    assert run(["export", *arguments, "-o", str(out)]) == 0
    told = capsys.readouterr()
    assert told.out == f"{out}\n"
    assert f"{len(rows)} rows, {len(rows[0])} columns" in told.err
    if suffix == "csv":
        assert as_values(read(out)) == as_values(as_csv(rows))
    else:
        assert read(out) == rows
    assert sorted(path.name for path in files.iterdir()) == [
        out.name,
        "results.jsonl",
        "support.jsonl",
    ]


def test_numbers_of_a_csv_read_back(files):
    assert export("-o", "out.csv") == 0
    for row, expected in zip(read(files / "out.csv"), answer_rows(RESULTS), strict=True):
        for name in ("confidence", "probability", "latency_ms", "cost_usd"):
            assert (float(row[name]) if row[name] else None) == expected[name]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_threads_do_not_show(files, suffix):
    for threads in ("1", "2", "5"):
        assert export("-o", f"out{threads}.{suffix}", "--threads", threads) == 0
    one = (files / f"out1.{suffix}").read_bytes()
    assert (files / f"out2.{suffix}").read_bytes() == one
    assert (files / f"out5.{suffix}").read_bytes() == one


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_more_rows_than_a_batch_has(files, suffix):
    items = [
        ItemResult(id=f"{n}", answers={f"q{n % 5000}": AnswerRecord.noul(0.5)}, model=f"m{n // 9}")
        for n in range(70_000)
    ]
    header = replace(RESULTS.header, item_count=None, selection=None)
    EvaluationResults(header, items).save("many.jsonl").unwrap()
    assert export("-o", f"out.{suffix}", source="many.jsonl") == 0
    rows = read(files / f"out.{suffix}")
    assert [(row["id"], row["question"], row["model"]) for row in rows] == [
        (f"{n}", f"q{n % 5000}", f"m{n // 9}") for n in range(70_000)
    ]


def test_the_directory_of_a_run(files):
    (files / "run").mkdir()
    (files / "results.jsonl").rename(files / "run" / "results.jsonl")
    assert export("-o", "out.csv", source="run") == 0
    assert len(read(files / "out.csv")) == len(list(answer_rows(RESULTS)))


def test_a_run_that_was_killed(files, capsys):
    directory = files / "run"
    directory.mkdir()
    journal = Journal(directory, settings_of(RESULTS.header, len(RESULTS), None), "{:064}".format)
    journal.keep(1, item_line(RESULTS[1]))
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b'{"index":2,"req')
    assert export("-o", "out.csv", source="run") == 0
    assert {row["id"] for row in read(files / "out.csv")} == {RESULTS[1].id}
    assert "note: " in capsys.readouterr().err


def test_a_compressed_file(files):
    (files / "results.jsonl.gz").write_bytes(gzip.compress(RUN.results_file))
    assert export("-o", "out.csv", source="results.jsonl.gz") == 0
    assert len(read(files / "out.csv")) == len(list(answer_rows(RESULTS)))


def test_a_file_that_is_there_is_kept_unless_it_is_said_otherwise(files, capsys):
    (files / "out.csv").write_text("mine")
    assert export("-o", "out.csv") == 2
    told = capsys.readouterr().err
    assert told.startswith("error: out.csv is there already\nhint: --overwrite")
    assert (files / "out.csv").read_text() == "mine"
    assert export("-o", "out.csv", "--overwrite") == 0
    assert (files / "out.csv").read_text().startswith("id,line,")


@pytest.mark.parametrize("name", ["results.jsonl", "support.jsonl"])
def test_what_is_read_is_never_replaced(files, capsys, name):
    before = (files / name).read_bytes()
    (files / "link.csv").symlink_to(name)
    assert export("--dataset", "support.jsonl", "-o", "link.csv", "--overwrite") == 2
    told = capsys.readouterr().err
    assert told == "error: link.csv is the file that is read\nhint: name another file\n"
    assert (files / "link.csv").read_bytes() == before


def test_a_report_is_neither_results_nor_a_data_set(files, capsys):
    assert run(["report", "--results", "results.jsonl", "--dataset", "support.jsonl",
                "--out", "."]) == 0  # fmt: skip
    capsys.readouterr()
    assert export("-o", "out.csv", source="report.json") == 2
    told, hint = capsys.readouterr().err.splitlines()
    assert told == "error: report.json is a report, which has no table"
    assert hint.startswith("hint: ")
    assert not (files / "out.csv").exists()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_problems_leave_no_file(files, capsys, suffix):
    (files / "results.jsonl").write_bytes(RUN.results_file + b'{"id":"x","answers":{},"cost":-1}\n')
    assert export("-o", f"out.{suffix}") == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "error: results.jsonl: 2 problems"
    assert sorted(path.name for path in files.iterdir()) == ["results.jsonl", "support.jsonl"]


def test_results_of_another_data_set(files, capsys):
    (files / "support.jsonl").write_bytes(b"".join(RUN.dataset_file.splitlines(True)[1:]))
    assert export("--dataset", "support.jsonl", "-o", "out.csv") == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "error: results.jsonl does not fit support.jsonl: 1 problem"
    assert not (files / "out.csv").exists()


def test_problems_of_a_data_set(files, capsys):
    (files / "support.jsonl").write_bytes(RUN.dataset_file + b"[]\n")
    for arguments in (["results.jsonl", "--dataset", "support.jsonl"], ["support.jsonl"]):
        assert run(["export", *arguments, "-o", "out.csv"]) == 2
        assert capsys.readouterr().err.splitlines()[-1] == "error: support.jsonl: 1 problem"
    assert not (files / "out.csv").exists()


def test_a_name_that_says_no_format(capsys):
    assert export("-o", "out.xlsx") == 2
    told = capsys.readouterr().err
    assert "out.xlsx does not say what to write" in told
    assert ".parquet, .csv, .arrow" in told


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_without_pyarrow(files, capsys, monkeypatch, suffix):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert export("-o", f"out.{suffix}") == 2
    told = capsys.readouterr().err
    assert "need the package pyarrow" in told
    assert "hint: pip install 'minos-eval[parquet]'" in told
    assert export("-o", "out.csv") == 0
    assert not (files / f"out.{suffix}").exists()


@pytest.mark.parametrize("table", ["bins", "sweep"])
def test_a_report_needs_a_data_set(capsys, table):
    assert export("--table", table, "-o", "out.csv") == 2
    assert "needs --dataset" in capsys.readouterr().err


def test_items_have_no_data_set(capsys):
    arguments = ["--table", "items", "--dataset", "support.jsonl", "-o", "out.csv"]
    assert export(*arguments, source="support.jsonl") == 2
    assert "it needs no --dataset" in capsys.readouterr().err


def test_json_for_programs(files, capsys):
    assert export("-o", "out.parquet", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    rows = list(answer_rows(RESULTS))
    assert document["files"] == ["out.parquet"]
    assert document["summary"] == {
        "table": "answers",
        "format": "parquet",
        "rows": len(rows),
        "columns": list(rows[0]),
    }
    assert export("-o", "out.parquet", "--json") == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "config"


def test_quiet_prints_the_path_alone(capsys):
    assert export("-o", "out.csv", "--quiet") == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("out.csv\n", "")


def test_what_is_not_there(capsys):
    assert export("-o", "out.csv", source="none.jsonl") == 2
    assert "none.jsonl" in capsys.readouterr().err
    assert export() == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_folder_that_is_not_there(capsys, suffix):
    assert export("-o", f"nowhere/out.{suffix}") == 1
    name = Path("nowhere", f"out.{suffix}")
    assert capsys.readouterr().err == f"error: {name}: No such file or directory\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/dev/full is Linux's")
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_a_disk_that_is_full(files, capsys, monkeypatch, suffix):
    (files / f".out.{suffix}.new").symlink_to("/dev/full")
    assert export("-o", f"out.{suffix}") == 1
    told = capsys.readouterr().err
    assert "No space left on device" in told
    assert not (files / f"out.{suffix}").exists()


def test_formulas_are_text(files):
    item = {"id": "=1+1", "answers": {"+q": {"type": "noul", "probability": 0.5}}}
    header = RUN.header | {"itemCount": 1}
    header.pop("partial", None)
    header.pop("selection", None)
    lines = [json.dumps(header), json.dumps(item | {"model": "@m", "requestId": "'r"})]
    (files / "results.jsonl").write_text("\n".join(lines))
    assert export("-o", "out.csv") == 0
    (row,) = read(files / "out.csv")
    assert (row["id"], row["question"]) == ("'=1+1", "'+q")
    assert (row["model"], row["request_id"]) == ("'@m", "''r")
    assert export("-o", "out.parquet") == 0
    assert read(files / "out.parquet")[0]["id"] == "=1+1"
