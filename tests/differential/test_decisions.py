"""The native reader of decision data sets against a plain one."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.decision_lines import vectors
from tests.differential.generate_decisions import Generator
from tests.differential.plain_validator import Told, validate

from minos.decisions.dataset import DecisionDataset

FILES = 200
LINES = 20
CODES = {
    *("MIN001", "MIN002", "MIN003", "MIN005", "MIN106", "MIN108"),
    *("invalid-utf8", "invalid-unicode", "invalid-json", "too-deep", "not-an-object"),
    *("duplicate-member", "unknown-member", "missing-member", "invalid-member"),
    *("unknown-question", "invalid-expected", "duplicate-id"),
    *("unsupported-version", "invalid-version"),
}


def read(file):
    outcome = DecisionDataset.parse(file)
    if outcome.is_ok:
        return len(outcome.value), []
    return None, [Told(p.line, p.code, p.path, p.byte, p.message) for p in outcome.problems]


def compare(file):
    count, told = read(file)
    items, wanted = validate(file)
    assert told == wanted
    if not wanted:
        assert count == items
    return wanted


@pytest.mark.parametrize("seed", range(5))
def test_generated_and_broken_files(seed):
    for number in range(FILES // 5):
        compare(Generator(seed * 1000 + number).file(LINES))


def test_generated_text_with_surrogates():
    for seed in range(50):
        generator = Generator(seed)
        text = generator.file(5).decode(errors="replace")
        place = generator.random.randint(0, len(text))
        surrogate = generator.random.choice(("\ud800", "\udfff", "\ud83d\ude00"))
        compare(text[:place] + surrogate + text[place:])


def test_the_generator_reaches_every_problem():
    codes = Counter()
    right = 0
    for seed in range(100):
        items, told = validate(Generator(seed).file(LINES))
        codes.update(problem.code for problem in told)
        right += items
    assert set(codes) == CODES
    assert min(codes.values()) >= 3
    assert right > 500


@pytest.mark.parametrize("known", vectors(), ids=lambda known: known["name"])
def test_known_files(known):
    compare(known["data"])
    assert validate(known["data"])[0] == known["items"]
