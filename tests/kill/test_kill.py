"""Runs that are killed and gone on with give what a run gives that was not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SEEDS = 200

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    command = [sys.executable, "-m", "tests.kill.host", tmp_path_factory.mktemp("kill"), str(SEEDS)]
    host = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert host.returncode == 0, host.stderr.decode()
    return json.loads(host.stdout)


def test_every_run_ends_with_the_results_of_one_that_lived(outcomes):
    assert len(outcomes) == SEEDS
    assert [each["seed"] for each in outcomes if not each["same_items"]] == []
    assert [each["seed"] for each in outcomes if not each["same_header"]] == []


def test_nothing_but_the_results_is_left(outcomes):
    assert [each for each in outcomes if each["files"] != ["results.jsonl"]] == []


def test_the_start_is_the_first_one_where_anything_of_it_was_kept(outcomes):
    for each in outcomes:
        assert each["first_start"] or not each["kept_from_first"], each["seed"]


def test_the_moments_were_of_every_kind(outcomes):
    assert sum(each["kills"] >= 1 for each in outcomes) > SEEDS * 0.9
    assert sum(each["kills"] >= 2 for each in outcomes) > SEEDS * 0.1
    assert sum(each["torn"] for each in outcomes) > 5
    assert sum(not each["kept_from_first"] for each in outcomes) > 0
