"""make stops with a hint where a tool is missing."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ["awk", "cargo", "cc", "find", "make", "python3", "sh"]


def _make(tmp_path, *, without, version=(3, 11)):
    """Run `make tools` where only some tools are found; they do nothing but be there."""
    for tool in TOOLS:
        if tool in without:
            continue
        place = tmp_path / tool
        if tool in {"awk", "find", "make", "sh"}:
            place.symlink_to(shutil.which(tool))
        else:
            older = tool == "python3" and version < (3, 11)
            refuse = "case $2 in *version_info*) exit 1;; esac\n" if older else ""
            part = "case $1 in clippy) exit 1;; esac\n" if "cargo-clippy" in without else ""
            place.write_text(f"#!/bin/sh\n{refuse}{part}exit 0\n", encoding="utf-8")
            place.chmod(0o755)
    return subprocess.run(
        [tmp_path / "make", "tools"],
        check=False,
        capture_output=True,
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        text=True,
    )


def test_with_every_tool_it_goes_on_silently(tmp_path):
    done = _make(tmp_path, without=[])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("missing", "error", "hint"),
    [
        ("python3", "Python 3.11 or newer is needed", "apt install python3 python3-venv"),
        ("cargo", "cargo is needed", "https://rustup.rs"),
        ("cargo-clippy", "cargo clippy is missing", "rustup component add"),
        ("cc", "a C compiler is needed", "apt install build-essential"),
    ],
)
def test_a_missing_tool_is_told_with_a_hint(tmp_path, missing, error, hint):
    done = _make(tmp_path, without=[missing])
    assert done.returncode == 2
    first, second, *_ = done.stderr.splitlines()
    assert first.startswith(f"error: {error}")
    assert second.startswith("hint: ")
    assert hint in second


def test_an_old_python_counts_as_none(tmp_path):
    done = _make(tmp_path, without=[], version=(3, 9))
    assert done.stderr.startswith("error: Python 3.11 or newer is needed\nhint: ")
