"""`minos report` over pipes, which can be read once and from their start alone.

A pipe cannot be sought: had it been tried, the report would be an error.
"""

import contextlib
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from minos.cli.main import run
from minos.decisions.report import CalibrationReport

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")

COUNT = 3000
"""So many items that neither file fits a pipe, which holds 64 KiB."""

QUESTIONS = {"late": {"type": "noul", "instructions": "Is it late?"}}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


ITEMS = [
    lines({"id": f"m{n}", "state": "x", "questions": QUESTIONS, "expected": {"late": n % 3 > 0}})
    for n in range(COUNT)
]
RESULTS = [
    lines({"id": f"m{n}", "answers": {"late": {"type": "noul", "probability": n % 97 / 97}}})
    for n in range(COUNT)
]


def header(count: int) -> bytes:
    about = {"dataset": "support", "provider": "embedded", "model": "m", "itemCount": count}
    started = {"startedAt": "2026-12-01T00:00:00.000Z"}
    return lines({"kind": "minos-results", "version": 1, **about, **started})


DATASET_FILE = b"".join(ITEMS)
RESULTS_FILE = header(COUNT) + b"".join(RESULTS)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What the same files say that lie on a disk."""
    directory = tmp_path_factory.mktemp("files")
    (directory / "results.jsonl").write_bytes(RESULTS_FILE)
    (directory / "support.jsonl").write_bytes(DATASET_FILE)
    made = CalibrationReport.from_files(directory / "results.jsonl", directory / "support.jsonl")
    return made.unwrap()


@pytest.fixture
def pipes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("results")
    os.mkfifo("dataset")
    return tmp_path


@contextlib.contextmanager
def written(*pairs: tuple[str, bytes]) -> Iterator[None]:
    """Write into pipes, each from a thread of its own; whoever stops reading ends a writer."""

    def write(path: str, content: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):
            Path(path).write_bytes(content)

    writers = [threading.Thread(target=write, args=pair) for pair in pairs]
    for writer in writers:
        writer.start()
    yield
    for writer in writers:
        writer.join()


def report(*options: str) -> int:
    return run(["report", "--results", "results", "--dataset", "dataset", "--out", "out", *options])


def problems(capsys) -> list[str]:
    *told, end = capsys.readouterr().err.splitlines()
    assert end.startswith("error: ")
    return told


@pytest.mark.parametrize("threads", ["1", "2", "3", "7"])
def test_two_pipes_give_the_bytes_of_two_files(pipes, expected, threads):
    with written(("results", RESULTS_FILE), ("dataset", DATASET_FILE)):
        assert report("--threads", threads) == 0
    assert (pipes / "out" / "report.json").read_text() == expected.to_json()
    assert (pipes / "out" / "report.md").read_text() == expected.to_markdown()


@pytest.mark.parametrize("order", [("results", "dataset"), ("dataset", "results")])
def test_one_writer_may_fill_one_pipe_before_the_other(pipes, expected, order):
    contents = {"results": RESULTS_FILE, "dataset": DATASET_FILE}

    def write() -> None:
        # Both are opened at first, as a shell does it, and then filled one after the other.
        with contextlib.ExitStack() as stack:
            opened = [stack.enter_context(Path(name).open("wb")) for name in order]
            for name, pipe in zip(order, opened, strict=True):
                pipe.write(contents[name])

    writer = threading.Thread(target=write)
    writer.start()
    assert report() == 0
    writer.join()
    assert (pipes / "out" / "report.json").read_text() == expected.to_json()


def test_descriptors_are_read_as_a_shell_hands_them_over(tmp_path, expected):
    ends = [os.pipe(), os.pipe()]
    command = [sys.executable, "-m", "minos", "report", "--quiet", "--out", str(tmp_path / "out")]
    for option, (read, _) in zip(("--results", "--dataset"), ends, strict=True):
        command += [option, f"/dev/fd/{read}"]
    with subprocess.Popen(command, pass_fds=[read for read, _ in ends]) as reporting:
        for read, _ in ends:
            os.close(read)
        for (_, write), content in zip(ends, (RESULTS_FILE, DATASET_FILE), strict=True):
            with os.fdopen(write, "wb") as pipe:
                pipe.write(content)
        assert reporting.wait(timeout=60) == 0
    assert (tmp_path / "out" / "report.json").read_text() == expected.to_json()


def test_compressed_pipes_are_known_by_their_bytes(pipes, expected):
    packed = gzip.compress(DATASET_FILE)
    with written(("results", RESULTS_FILE), ("dataset", packed)):
        assert report() == 0
    assert (pipes / "out" / "report.json").read_text() == expected.to_json()


def test_results_that_break_off_are_told(pipes, capsys):
    torn = header(COUNT) + b"".join(RESULTS[:1000]) + RESULTS[1000][:-10]
    with written(("results", torn), ("dataset", DATASET_FILE)):
        assert report() == 2
    told = problems(capsys)
    assert told[0] == f"line 1: 'itemCount' is {COUNT}, but 1001 item lines follow."
    assert told[1].startswith("line 1002: The line is not valid JSON at byte ")
    assert len(told) == 2
    assert not (pipes / "out" / "report.json").exists()


def test_a_pipe_without_a_byte_is_told(pipes, capsys):
    with written(("results", b""), ("dataset", DATASET_FILE)):
        assert report() == 2
    assert problems(capsys) == [
        "line 1: The file is empty: a results file starts with a header.",
    ]


def test_a_data_set_that_ends_too_early_is_told(pipes, capsys):
    with written(("results", RESULTS_FILE), ("dataset", b"".join(ITEMS[:2000]))):
        assert report() == 2
    assert problems(capsys) == ["line 2001: 'm2000' is no item of the data set."]


def test_a_data_set_that_is_torn_is_told(pipes, capsys):
    torn = b"".join(ITEMS[:2000]) + ITEMS[2000][:-10]
    with written(("results", RESULTS_FILE), ("dataset", torn)):
        assert report() == 2
    (told,) = problems(capsys)
    assert told.startswith("line 2001: The line is not valid JSON at byte ")


def test_a_result_that_comes_twice_is_told_without_reading_again(pipes, capsys):
    twice = header(COUNT) + b"".join([*RESULTS[:9], RESULTS[8], *RESULTS[10:]])
    with written(("results", twice), ("dataset", DATASET_FILE)):
        assert report() == 2
    assert problems(capsys) == [
        "line 9: 'm8' stands in the results behind an item that it precedes in the data set.",
    ]


@pytest.mark.parametrize("begun", ["results", "dataset"])
def test_ctrl_c_ends_a_wait_for_two_pipes(pipes, begun):
    command = [sys.executable, "-m", "minos", "report", "--results", "results"]
    command += ["--dataset", "dataset", "--out", "out"]
    waiting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Opening waits for the process to read, so that it is far enough to be interrupted.
    with (
        Path("results").open("wb", buffering=0) as results,
        Path("dataset").open("wb", buffering=0) as dataset,
    ):
        if begun == "results":
            results.write(header(COUNT) + RESULTS[0])
        else:
            dataset.write(ITEMS[0])
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=30)
    assert (waiting.returncode, out, err) == (130, b"", b"error: cancelled\n")
    assert not (pipes / "out").exists()
