"""`minos validate` as it is used: files, pipes, formats of output, exit codes, Ctrl-C."""

import base64
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import zstandard

from minos.cli.main import run

VECTORS = Path("tests/vectors/decision_files.jsonl")
QUESTIONS = {"urgent": {"type": "noul", "instructions": "Urgent?"}}


def line(name, **members):
    item = {"id": name, "state": "s", "questions": QUESTIONS, "expected": {"urgent": True}}
    return json.dumps(item | members) + "\n"


def minos(*arguments, **options):
    command = [sys.executable, "-m", "minos", "validate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, **options)


def known_files():
    for vector in VECTORS.read_text().splitlines():
        told = json.loads(vector)
        yield told["name"], base64.b64decode(told["data_base64"]), told


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text(line("a") + "{}\n" + "\n" + line("b", extra=1) + line("a"))
    return path


BROKEN_LINES = [
    "line 2: 'id' is required.",
    "line 2: 'state' is required.",
    "line 2: 'questions' is required.",
    "line 2: 'expected' is required.",
    (
        "line 4: 'extra' is not a member of the format: an item has id, state, questions, "
        "expected, source and version."
    ),
    "line 5: 'id' 'a' is already used on line 1.",
]


def test_every_known_file_is_told_in_json(tmp_path, capfdbinary):
    path = tmp_path / "file.jsonl"
    for name, data, told in known_files():
        path.write_bytes(data)
        code = run(["validate", "--json", "--quiet", "--kind", "decisions", str(path)])
        document = json.loads(capfdbinary.readouterr().out)
        assert document["items"] == told["items"], name
        assert len(document["problems"]) == len(told["problems"]), name
        for problem, wanted in zip(document["problems"], told["problems"], strict=True):
            known = {key: value for key, value in wanted.items() if key != "message" or value}
            assert {key: problem[key] for key in known} == known, name
        assert code == (2 if told["problems"] else 0), name


def test_problems_stand_on_stdout_and_the_summary_on_stderr(broken):
    done = minos(broken)
    assert done.returncode == 2
    assert done.stdout.decode().splitlines() == BROKEN_LINES
    assert done.stderr.decode() == f"{broken}: decisions, 1 item, 6 problems\n"


def test_a_file_without_problems_exits_0_and_prints_nothing(tmp_path, capfdbinary):
    path = tmp_path / "good.jsonl"
    path.write_text(line("a") + line("b"))
    assert run(["validate", str(path)]) == 0
    out, err = capfdbinary.readouterr()
    assert (out, err.decode()) == (b"", f"{path}: decisions, 2 items, 0 problems\n")
    assert run(["validate", "--quiet", "--json", str(path)]) == 0
    out, err = capfdbinary.readouterr()
    assert (out, err) == (b'{"problems":[],"items":2}\n', b"")


@pytest.mark.parametrize("chunk", ["1", "7", "100", "1000000"])
@pytest.mark.parametrize("threads", ["1", "2", "3", "7"])
def test_threads_and_chunks_change_nothing(broken, capfdbinary, threads, chunk):
    run(["validate", "--threads", threads, "--chunk-bytes", chunk, str(broken)])
    assert capfdbinary.readouterr().out.decode().splitlines() == BROKEN_LINES


def test_ids_on_the_disk_change_only_the_order(broken, capfdbinary):
    run(["validate", "--memory", "0", str(broken)])
    assert capfdbinary.readouterr().out.decode().splitlines() == BROKEN_LINES


def test_only_so_many_problems_are_printed(broken, capfdbinary):
    run(["validate", "--max-problems", "2", str(broken)])
    out, err = capfdbinary.readouterr()
    assert out.decode().splitlines() == [*BROKEN_LINES[:2], "and 4 more"]
    assert err.decode() == f"{broken}: decisions, 1 item, 6 problems\n"
    run(["validate", "--max-problems", "0", "--json", str(broken)])
    assert json.loads(capfdbinary.readouterr().out) == {"problems": [], "more": 6, "items": 1}


def test_the_limit_holds_for_all_files_together(broken, capfdbinary):
    run(["validate", "--max-problems", "7", str(broken), str(broken)])
    lines = capfdbinary.readouterr().out.decode().splitlines()
    told = [f"{broken}: {problem}" for problem in BROKEN_LINES]
    assert lines == [*told, told[0], "and 5 more"]


def test_json_of_several_files_names_them(broken, tmp_path, capfdbinary):
    missing = tmp_path / "missing.jsonl"
    assert run(["validate", "--json", str(broken), str(missing)]) == 2
    out, err = capfdbinary.readouterr()
    document = json.loads(out)
    assert {problem["file"] for problem in document["problems"]} == {str(broken)}
    message = f"cannot read {missing}: No such file or directory"
    assert document["files"] == [
        {"file": str(broken), "items": 1, "problems": 6},
        {"file": str(missing), "error": {"code": "input", "message": message, "problems": []}},
    ]
    assert err.decode().splitlines()[-1] == f"error: {message}"


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_compressed_files_are_known_by_their_first_bytes(broken, tmp_path, capfdbinary, pack):
    packed = tmp_path / "packed.jsonl"
    packed.write_bytes(pack(broken.read_bytes()))
    assert run(["validate", str(packed)]) == 2
    assert capfdbinary.readouterr().out.decode().splitlines() == BROKEN_LINES


def test_damage_is_told_in_one_line_behind_the_problems(tmp_path):
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(b"{\n" + os.urandom(100_000))[:-20])
    done = minos(packed, "--max-problems", "1")
    assert done.returncode == 2
    assert done.stdout.startswith(b"line 1: ")
    assert done.stderr.decode() == (
        f"error: cannot read {packed}: {packed}: unreadable: the gzip data ends too early\n"
    )


def test_the_standard_input_is_read(broken):
    with broken.open("rb") as opened:
        done = minos("-", stdin=opened)
    assert done.stdout.decode().splitlines() == BROKEN_LINES
    assert done.stderr.decode() == "-: decisions, 1 item, 6 problems\n"
    done = minos("-", input=gzip.compress(broken.read_bytes()))
    assert done.stdout.decode().splitlines() == BROKEN_LINES


def test_a_named_pipe_is_read(broken, tmp_path, capfdbinary):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(broken.read_bytes(),))
    writer.start()
    run(["validate", str(pipe)])
    writer.join()
    assert capfdbinary.readouterr().out.decode().splitlines() == BROKEN_LINES


@pytest.mark.parametrize("is_begun", [False, True])
def test_ctrl_c_ends_a_wait_for_a_pipe(tmp_path, is_begun):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "minos", "validate", "--kind", "decisions", str(pipe)]
    waiting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Opening waits for the process to read, so that it is far enough to be interrupted.
    with pipe.open("wb", buffering=0) as writer:
        if is_begun:
            writer.write(b"{}\n")
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=30)
    assert (waiting.returncode, out, err) == (130, b"", b"error: cancelled\n")


def test_text_of_a_file_cannot_control_the_terminal(tmp_path, capfdbinary):
    path = tmp_path / "hostile.jsonl"
    path.write_text(line("a", **{"\x1b[31m\u202e\nline 9: forged": 1}))
    run(["validate", str(path)])
    (told,) = capfdbinary.readouterr().out.decode().splitlines()
    assert told.startswith(r"line 1: '\u001b[31m\u202e\u000aline 9: forged' is not a member")


def test_hostile_files_are_told_and_survived(tmp_path, capfdbinary):
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(b"[" * 100_000 + b"\n" + b"\0" * 10 + b"\r" + b"\xff" * 70_000 + b"\n")
    assert run(["validate", "--kind", "decisions", str(path)]) == 2
    assert capfdbinary.readouterr().out.decode().splitlines() == [
        "line 1: The line nests deeper than 512 levels at byte 512.",
        "line 2: The line is not valid JSON at byte 0: expected a value.",
        "line 3: The line is not valid UTF-8.",
    ]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.jsonl", "\n" + line("a"), "decisions"),
        ("a.jsonl", '{"state":1}', "decisions"),
        ("a.jsonl", "broken", "decisions"),
        ("a.jsonl", "", "decisions"),
        ("a.jsonl", "[" * 100_000, "decisions"),
        ("a.jsonl", '{"kind":"minos-results","version":1}', "results"),
        ("a.jsonl", '{"expected":"x"}', "cases"),
        ("a.json", "[]", "cases"),
        ("a.yml", "[]", "cases"),
    ],
)
def test_the_kind_is_known_by_the_name_and_the_first_object(
    tmp_path, capfdbinary, name, text, kind
):
    path = tmp_path / name
    path.write_text(text)
    run(["validate", str(path)])
    assert capfdbinary.readouterr().err.decode().startswith(f"{path}: {kind}, ")


def test_a_results_file_is_checked(tmp_path, capfdbinary):
    header = {"kind": "minos-results", "version": 1, "dataset": "d", "provider": "p"}
    header |= {"model": None, "startedAt": "2026-11-30T00:00:00.000Z", "itemCount": 3}
    right = '{"id":"a","answers":{"q":{"type":"noul","probability":0.5}}}'
    path = tmp_path / "results.jsonl"
    path.write_text(f"{json.dumps(header)}\n{right}\n{right}\n{{}}\n")
    assert run(["validate", str(path)]) == 2
    out, err = capfdbinary.readouterr()
    assert out.decode().splitlines()[0] == "line 3: 'id' 'a' is already used on line 2."
    assert err.decode().startswith(f"{path}: results, 1 item, ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'FILE...'"),
        (["--memory", "lots", "x"], "'lots' is no size, such as 512M or 4G."),
        (["--threads", "-1", "x"], "-1 is not in the range x>=0"),
        (["--kind", "poems", "x"], "'poems' is not one of"),
    ],
)
def test_wrong_usage_exits_2(capsys, arguments, message):
    assert run(["validate", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_directory_is_no_file(tmp_path, capfdbinary):
    assert run(["validate", str(tmp_path)]) == 2
    assert capfdbinary.readouterr().err.decode() == (
        f"error: cannot read {tmp_path}: Is a directory\n"
    )


def test_a_reader_that_leaves_early_ends_it(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text("x\n" * 300_000)
    command = [sys.executable, "-m", "minos", "validate", "--quiet", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().startswith(b"line 1: ")
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 1
