"""A folder with the examples, and the command on the path."""

import os
import shutil
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The current folder: the examples lie in it, and in `examples/` as in the repository."""
    folder = tmp_path / "scratch"
    shutil.copytree(EXAMPLES, folder)
    shutil.copytree(EXAMPLES, folder / "examples")
    tools = tmp_path / "tools"
    tools.mkdir()
    tool = tools / "minos"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m minos "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    for variable in list(os.environ):
        if variable.upper().startswith("MINOS") or variable.endswith(("_API_KEY", "_API_TOKEN")):
            monkeypatch.delenv(variable)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(folder)
    return folder
