"""Every fault of jevcompat's mock is found, or the documentation says why it is none."""

import asyncio
import random
import re
from pathlib import Path

import pytest
from jevcompat import mock

from minos.conformance import Verdict, check
from minos.providers import DecisionClient, DecisionClientOptions, ProviderName, Secret

KEY = "sk-conformance-1"
SEED = 3  # one that draws different levels for the same question
KEYED = {"needless-key"}
UNKEYED = {"bad-key", "missing-key", "bearer-key"}
PAGE = Path(__file__).resolve().parents[3] / "docs" / "conformance.md"


def table():
    rows = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {fault: told for fault, told in rows if fault in mock.FAULTS}


def hold(config, thorough=True, model="jev-latest"):
    """Hold jevcompat's mock against the rules."""

    async def run(url):
        options = DecisionClientOptions(
            provider=ProviderName.CUSTOM,
            base_address=url,
            model=model,
            api_key=Secret(KEY) if config.key else None,
        )
        client = DecisionClient(options)
        try:
            return await check(client, thorough=thorough)
        finally:
            await client.aclose()

    with mock.Running(config) as server:
        return asyncio.run(run(server.url))


def failed(report):
    return {check.name for check in report.checks if check.verdict is Verdict.FAIL}


def test_the_table_tells_of_every_fault():
    assert set(table()) == set(mock.FAULTS)
    assert len(table()) == 47


@pytest.mark.parametrize("fault", mock.FAULTS)
@pytest.mark.parametrize("key", [None, KEY])
def test_each_fault_fails_the_checks_that_the_table_names(fault, key):
    told = table()[fault]
    expected = set() if told.startswith("no breach: ") else set(re.findall(r"`([\w-]+)`", told))
    if told.endswith("(with a key)" if key is None else "(without a key)"):
        expected = set()
    report = hold(mock.MockConfig(key=key, faults=frozenset({fault})))
    assert failed(report) == expected
    assert report.is_conformant is not bool(expected)
    for result in report.checks:
        if result.verdict is Verdict.FAIL:
            assert result.detail
            assert result.exchanges
            assert max(result.exchanges) <= len(report.exchanges)


@pytest.mark.parametrize("key", [None, KEY])
@pytest.mark.parametrize("thorough", [False, True])
def test_the_mock_without_faults_passes(key, thorough):
    report = hold(mock.MockConfig(key=key), thorough)
    assert failed(report) == set()
    assert report.is_conformant
    skipped = {check.name: check.detail for check in report.checks if check.verdict is Verdict.SKIP}
    if thorough:
        assert set(skipped) == KEYED if key else UNKEYED
    else:
        assert len(report.exchanges) <= 8
        assert "answered" not in skipped


@pytest.mark.parametrize("noise", [0.05, 0.3])
def test_a_server_that_is_never_quite_the_same_is_not_taken_for_one_that_leaks(noise):
    report = hold(mock.MockConfig(noise=noise))
    assert failed(report) <= {"repeated"}


def test_a_server_that_samples_is_told_from_one_that_is_steady():
    config = mock.MockConfig(sampled=True, rng=random.Random(SEED))
    assert "repeated" in failed(hold(config))


def test_a_server_that_is_busy_at_times_is_asked_again():
    report = hold(mock.MockConfig(busy_every=5))
    assert report.is_conformant


def test_the_formula_of_the_confidence_is_named():
    def formula(*faults):
        report = hold(mock.MockConfig(faults=frozenset(faults)))
        (found,) = [check for check in report.checks if check.name == "confidence-formula"]
        return found.detail

    assert formula() == (
        "choice: the top probability above an even share;"
        " score: one minus the spread around the most probable level"
    )
    assert formula("confidence-margin").startswith(
        "choice: the top probability minus the second; score: one minus the spread"
    )
