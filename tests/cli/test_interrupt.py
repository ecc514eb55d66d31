"""Ctrl-C at moments that a test can hold: it says so in one line and exits with 130."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")

HOLD = """
import os
os.write(int(os.environ["HELD"]), b"x")
os.read(int(os.environ["GO"]), 1)
raise ImportError("nobody interrupted")
"""
"""A module that says that it is being imported, and waits there."""

ITEM = {
    "id": "a",
    "state": "s",
    "questions": {"n": {"type": "noul", "instructions": "Is it?"}},
    "expected": {"n": True},
}


@pytest.fixture
def interrupted(tmp_path):
    """Run a command whose import of a module is held, and interrupt it there."""

    def run(module, *arguments, program=("-m", "minos")):
        shadow = tmp_path / "shadow"
        shadow.mkdir()
        (shadow / f"{module}.py").write_text(HOLD)
        (tmp_path / "items.jsonl").write_text(json.dumps(ITEM) + "\n")
        (held, tell), (wait, go) = os.pipe(), os.pipe()
        child = subprocess.Popen(
            [sys.executable, *program, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(shadow), "HELD": str(tell), "GO": str(wait)},
            pass_fds=(tell, wait),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(tell)
        os.close(wait)
        try:
            assert os.read(held, 1) == b"x", child.stderr.read()
            child.send_signal(signal.SIGINT)
            out, err = child.communicate()
        finally:
            os.close(held)
            os.close(go)
        return child.returncode, out, err

    return run


def test_while_the_command_line_is_imported(interrupted):
    assert interrupted("click", "validate", "items.jsonl") == (130, "", "error: cancelled\n")


def test_the_installed_script_does_the_same(interrupted):
    program = ("-c", "from minos.__main__ import main; main()")
    told = interrupted("click", "validate", "items.jsonl", program=program)
    assert told == (130, "", "error: cancelled\n")


def test_then_json_is_told_like_any_failure(interrupted):
    code, out, err = interrupted("click", "validate", "--json", "items.jsonl")
    assert (code, err) == (130, "error: cancelled\n")
    error = {"code": "cancelled", "message": "cancelled", "problems": []}
    assert json.loads(out) == {"error": error}


def test_while_a_command_imports_what_it_needs(interrupted, tmp_path):
    arguments = ("calibrate", "--dataset", "items.jsonl", "--provider", "embedded", "--out", "o")
    assert interrupted("sparrow_decider", *arguments) == (130, "", "error: cancelled\n")
    assert not list(Path(tmp_path).glob("o/results*"))
