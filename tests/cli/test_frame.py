"""The command line before any command: help, version, usage errors, failures, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from minos.cli import main as frame
from minos.cli.command import Command
from minos.cli.exit_codes import ExitCode
from minos.cli.failures import reading
from minos.cli.options import json_option
from minos.errors import ConfigError, DecisionError, DecisionErrorKind, ProblemsError, RunError
from minos.problems import DatasetProblem, DatasetProblems


def _fail_with(monkeypatch, error):
    """Put a command `probe` into the tool, which raises the error or returns it as exit code."""

    @click.command(cls=Command, examples=["minos probe --json"])
    @json_option
    @click.option("--times", type=int, default=1)
    def probe(as_json, times):
        """Fail in a given way."""
        if isinstance(error, BaseException):
            raise error
        return error(times) if callable(error) else error

    monkeypatch.setattr(frame.program, "get_command", lambda _ctx, name: {"probe": probe}.get(name))
    monkeypatch.setattr(frame.program, "list_commands", lambda _ctx: ["probe"])


PROBLEMS = DatasetProblems(
    [
        DatasetProblem(1, "missing-member", "id", None, "'id' is missing."),
        DatasetProblem(3, "invalid-utf8", "", 4, "The line is not valid UTF-8."),
    ]
)


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (KeyboardInterrupt(), 130, ["error: cancelled"]),
        (click.Abort(), 130, ["error: cancelled"]),
        (ConfigError("no key", hint="set KEY"), 2, ["error: no key", "hint: set KEY"]),
        (
            ProblemsError(PROBLEMS, "support.jsonl"),
            2,
            [
                "line 1: 'id' is missing.",
                "line 3: The line is not valid UTF-8.",
                "error: support.jsonl: 2 problems",
            ],
        ),
        (ProblemsError(PROBLEMS[:1]), 2, ["line 1: 'id' is missing.", "error: 1 problem"]),
        (RunError("the run stopped"), 1, ["error: the run stopped"]),
        (
            DecisionError(DecisionErrorKind.SERVER, "no\r\n\x1b[31manswer\x1b[0m", status_code=500),
            1,
            ["error: Server (500): no answer"],
        ),
        (PermissionError(13, "Permission denied", "out"), 1, ["error: out: Permission denied"]),
        (
            ZeroDivisionError("division by zero"),
            1,
            [
                "error: unexpected ZeroDivisionError: division by zero",
                "hint: this is a fault of minos; MINOS_DEBUG=1 shows where it happened",
            ],
        ),
    ],
)
def test_a_failure_is_told_in_lines_without_a_traceback(monkeypatch, capsys, error, code, lines):
    _fail_with(monkeypatch, error)
    assert frame.run(["probe"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == lines


def test_json_failures_stand_on_stdout_too(monkeypatch, capsys):
    _fail_with(monkeypatch, ProblemsError(PROBLEMS, "support.jsonl"))
    assert frame.run(["probe", "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "error": {
            "code": "problems",
            "message": "support.jsonl: 2 problems",
            "problems": [
                {
                    "line": 1,
                    "code": "missing-member",
                    "path": "id",
                    "byte": None,
                    "message": "'id' is missing.",
                },
                {
                    "line": 3,
                    "code": "invalid-utf8",
                    "path": "",
                    "byte": 4,
                    "message": "The line is not valid UTF-8.",
                },
            ],
        }
    }
    assert err.splitlines()[-1] == "error: support.jsonl: 2 problems"


def test_json_can_be_asked_for_in_the_environment(monkeypatch, capsys):
    _fail_with(monkeypatch, RunError("stopped"))
    monkeypatch.setenv("MINOS_PROBE_JSON", "1")
    assert frame.run(["probe"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "run"


def test_an_option_wins_over_its_environment_variable(monkeypatch):
    seen = []
    _fail_with(monkeypatch, seen.append)
    monkeypatch.setenv("MINOS_PROBE_TIMES", "7")
    assert frame.run(["probe"]) == 0
    assert frame.run(["probe", "--times", "8"]) == 0
    assert seen == [7, 8]


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (
            ["prob"],
            "error: No such command 'prob'. Did you mean 'probe'?",
            "hint: see `minos --help`",
        ),
        (["probe", "--nothing"], "error: No such option '--nothing'", "`minos probe --help`"),
        (["probe", "--times", "x"], "error: Invalid value for '--times'", "`minos probe --help`"),
        (["probe", "more"], "error: Got unexpected extra argument (more)", "`minos probe --help`"),
    ],
)
def test_wrong_usage_is_one_line_and_a_hint(monkeypatch, capsys, argv, message, hint):
    _fail_with(monkeypatch, ExitCode.OK)
    assert frame.run(argv) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert message in first
    assert hint in second


def test_wrong_usage_is_json_where_json_is_asked_for(monkeypatch, capsys):
    _fail_with(monkeypatch, ExitCode.OK)
    assert frame.run(["probe", "--json", "--nothing"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage"


def test_a_command_chooses_its_exit_code(monkeypatch):
    _fail_with(monkeypatch, ExitCode.FAILURE)
    assert frame.run(["probe"]) == 1
    _fail_with(monkeypatch, None)
    assert frame.run(["probe"]) == 0


def test_debug_shows_where_a_failure_happened(monkeypatch, capsys):
    _fail_with(monkeypatch, ZeroDivisionError("division by zero"))
    assert frame.run(["--debug", "probe"]) == 1
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("MINOS_DEBUG", "1")
    assert frame.run(["probe"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_unreadable_input_is_a_fault_of_the_call(monkeypatch, capsys, tmp_path):
    def read(_times):
        with reading("there/is/none"):
            (tmp_path / "none").read_bytes()

    _fail_with(monkeypatch, read)
    assert frame.run(["probe"]) == 2
    assert capsys.readouterr().err == (
        "error: cannot read there/is/none: No such file or directory\n"
    )


def test_help_ends_in_examples_and_the_environment(monkeypatch, capsys):
    _fail_with(monkeypatch, ExitCode.OK)
    assert frame.run(["probe", "--help"]) == 0
    out = capsys.readouterr().out
    assert "Examples:\n  minos probe --json\n" in out
    assert "MINOS_PROBE_JSON is --json." in out


def test_the_tool_alone_shows_its_help(capsys):
    assert frame.run([]) == 0
    alone = capsys.readouterr().out
    assert frame.run(["--help"]) == 0
    assert capsys.readouterr().out == alone
    assert alone.startswith("Usage: minos [OPTIONS] [COMMAND]")


def _minos(*argv, **streams):
    return subprocess.run([sys.executable, "-m", "minos", *argv], check=False, text=True, **streams)


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_the_module_is_the_command(flag):
    done = _minos(flag, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "minos" in done.stdout


@pytest.mark.parametrize(
    ("words", "place", "offered"),
    [("minos cal", "1", "calibrate"), ("minos calibrate --res", "2", "--resume")],
)
def test_a_shell_completes_commands_and_options(words, place, offered):
    asked = {"COMP_WORDS": words, "COMP_CWORD": place, "_MINOS_COMPLETE": "bash_complete"}
    done = _minos(capture_output=True, env={**os.environ, **asked})
    assert (done.returncode, done.stdout, done.stderr) == (0, f"plain,{offered}\n", "")


def test_a_reader_that_goes_away_ends_the_command_silently():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = _minos("--help", stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_full_disk_is_a_failure_in_one_line():
    with Path("/dev/full").open("w") as full:
        done = _minos("--help", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")
