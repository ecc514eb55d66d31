"""Servers of others deviate in what the documentation says, and in nothing else."""

import asyncio
import re
from pathlib import Path

from tests.unit.conformance.recording import VERSION, hold, recorded

from minos.conformance import Verdict

PAGE = Path(__file__).resolve().parents[3] / "docs" / "conformance.md"


def test_dev_double_deviates_as_the_page_says():
    report = asyncio.run(hold(recorded()))
    (told,) = re.findall(
        rf"^\| `dev-double serve --engine mock` {re.escape(VERSION)} \| (.*) \|$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    found = {check.name: check for check in report.checks}
    failed = [name for name, check in found.items() if check.verdict is Verdict.FAIL]
    assert sorted(failed) == sorted(re.findall(r"`([\w-]+)`", told))
    assert found["options"].detail.startswith("HTTP 400: ")
    assert "must have 2 to 26 entries, got 64" in found["options"].detail
    assert "valid string" in found["structured-sides"].detail
    counts = [report.count(verdict) for verdict in Verdict]
    assert counts == [len(found) - 7, 4, 3]  # no key is needed: three checks are not made
