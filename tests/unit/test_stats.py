"""Statistics over columns."""

from __future__ import annotations

import json
import math
import random
from array import array
from pathlib import Path

import pytest

from minos.stats import Calibration, calibration

VECTORS = Path(__file__).parents[1] / "vectors" / "metric_examples.json"
CASES = {case["id"]: case for case in json.loads(VECTORS.read_text())["cases"]}
BINNED = [
    name
    for name, case in CASES.items()
    if {"confidence", "correct"} <= case["inputs"].keys() and "equal_mass_bins" in case["expected"]
]


def of(confidence: list[float], correct: list[int], **options: int) -> Calibration:
    return calibration(array("d", confidence), bytes(correct), **options)


@pytest.mark.parametrize("name", BINNED)
def test_worked_examples(name):
    case = CASES[name]
    found = of(case["inputs"]["confidence"], case["inputs"]["correct"], **case["params"])
    expected = case["expected"]
    assert found.ece == pytest.approx(expected["ece_equal_mass"], abs=1e-12)
    assert found.ece_equal_width == pytest.approx(expected["ece_equal_width"], abs=1e-12)
    told = [(b.lower, b.upper, b.count, b.correct, b.mean_confidence) for b in found.bins]
    names = ("lo", "hi", "n", "correct", "mean_conf")
    for one, other in zip(told, expected["equal_mass_bins"], strict=True):
        assert one == pytest.approx([other[each] for each in names], abs=1e-12)


def test_sweep_covers_what_reaches_its_threshold():
    found = of([0.93, 0.8, 0.93, 1.0], [1, 0, 0, 1], scored=8)
    covered = {point.threshold: (point.covered, point.correct) for point in found.sweep}
    assert len(found.sweep) == 101
    assert covered[0.0] == (4, 2)
    assert covered[0.93] == (3, 2)
    assert covered[0.94] == covered[1.0] == (1, 1)
    assert [found.sweep[at].coverage for at in (0, 93)] == [0.5, 0.375]


def test_nothing_is_undefined_rather_than_nought():
    found = of([], [])
    assert found.accuracy is found.ece is found.signed_bias is found.sweep[0].coverage is None
    assert found.bins == ()
    assert [each.count for each in found.bins_equal_width] == [0] * 10


def test_order_does_not_matter_however_many_there_are():
    rng = random.Random(5)
    pairs = [(rng.random() ** 0.1, rng.random() < 0.9) for _ in range(100_000)]
    one = of([c for c, _ in pairs], [r for _, r in pairs])
    rng.shuffle(pairs)
    other = calibration(
        memoryview(array("d", [c for c, _ in pairs])),
        memoryview(bytes(r for _, r in pairs)).cast("?"),
    )
    assert one == other
    assert one.count == 100_000
    assert one.correct == sum(r for _, r in pairs)
    assert sum(each.count for each in one.bins) == 100_000


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -0.001, 1.0000001])
@pytest.mark.parametrize("size", [5, 100_000])
def test_what_is_no_confidence_is_refused(wrong, size):
    confidence = [0.5] * size
    confidence[3] = wrong
    with pytest.raises(ValueError, match=r"confidence\[3\] is not a number from 0 to 1"):
        of(confidence, [1] * size)


@pytest.mark.parametrize(
    ("confidence", "correct", "error"),
    [
        (array("f", [0.5]), b"1", TypeError),
        (array("q", [1]), b"1", TypeError),
        ([0.5], b"1", TypeError),
        (array("d", [0.5]), array("d", [1.0]), TypeError),
        (array("d", [0.5]), [True], TypeError),
        (array("d", [0.5]), b"", ValueError),
        (memoryview(array("d", [0.5, 0.5, 0.5]))[::2], b"11", ValueError),
        (memoryview(array("d", [0.5] * 4)).cast("B").cast("d", (2, 2)), b"1111", ValueError),
        (memoryview(bytes(24))[1:17].cast("d"), b"11", ValueError),
    ],
)
def test_columns_that_cannot_be_read(confidence, correct, error):
    with pytest.raises(error):
        calibration(confidence, correct)


@pytest.mark.parametrize("options", [{"bins": 0}, {"bins": 1001}, {"scored": 1}])
def test_options_out_of_their_range(options):
    with pytest.raises(ValueError, match=r"^(bins|scored) "):
        of([0.5, 0.5], [1, 1], **options)
