"""Importing costs nothing and does nothing."""

import json
import subprocess
import sys

from tests.architecture.source import modules

HEAVY = ["anyio", "asyncio", "click", "httpx", "numpy", "rich", "sparrow_decider", "trio", "yaml"]

REPORT = """
import json, sys, threading
before = set(sys.modules)
{program}
loaded = {{name.split('.')[0] for name in set(sys.modules) - before}}
print(json.dumps({{"loaded": sorted(loaded), "threads": threading.active_count()}}))
"""


def _after(program, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(program=program)],
        check=True,
        capture_output=True,
        cwd=tmp_path,
        text=True,
    )
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []
    return json.loads(done.stdout.splitlines()[-1])


def test_importing_the_package_loads_nothing_heavy(tmp_path):
    found = _after("import minos; minos.__version__", tmp_path)
    assert set(found["loaded"]).isdisjoint(HEAVY)
    assert found["threads"] == 1


def test_the_help_loads_only_what_it_shows(tmp_path):
    program = "from minos.cli import main; code = main.run(['--version']); assert code == 0"
    program += "; context = main.program.make_context('minos', []); main.program.get_help(context)"
    found = _after(program, tmp_path)
    assert set(found["loaded"]).isdisjoint(set(HEAVY) - {"click"})


def test_importing_everything_does_nothing(tmp_path):
    every = [name for name in modules() if not name.endswith("__main__")]
    found = _after(f"import {', '.join(every)}", tmp_path)
    assert found["threads"] == 1
    assert set(found["loaded"]).isdisjoint({"numpy", "sparrow_decider"})
