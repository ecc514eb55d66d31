"""Runs over cases that are killed and gone on with end like one that was not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SEEDS = 60

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_a_killed_run_ends_like_one_that_lived(tmp_path):
    command = [sys.executable, "-m", "tests.kill.cases_host", tmp_path, str(SEEDS)]
    host = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert host.returncode == 0, host.stderr.decode()
    outcomes = json.loads(host.stdout)
    assert len(outcomes) == SEEDS
    assert [each["seed"] for each in outcomes if not each["same"]] == []
    assert [each for each in outcomes if each["files"] != ["results.jsonl"]] == []
    assert sum(each["kills"] >= 1 for each in outcomes) > SEEDS * 0.9
    assert sum(each["kills"] >= 2 for each in outcomes) > SEEDS * 0.1
