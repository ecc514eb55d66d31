"""The oracle itself, against worked examples, since nothing else says that it is right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.differential import plain_report

VECTORS = Path(__file__).parents[1] / "vectors" / "metric_examples.json"
CASES = {case["id"]: case for case in json.loads(VECTORS.read_text())["cases"]}
BINNED = [
    name
    for name, case in CASES.items()
    if "ece_equal_mass" in case["expected"] and "equal_mass_bins" in case["expected"]
]


def sure(inputs: dict) -> list[tuple[int, bool]]:
    if "p_yes" in inputs:
        pairs = zip(inputs["p_yes"], inputs["expected"], strict=True)
        return [(confidence(p), (p >= 0.5) is e) for p, e in pairs]
    pairs = zip(inputs["confidence"], inputs["correct"], strict=True)
    return [(plain_report.key(s), bool(c)) for s, c in pairs]


def confidence(probability: float) -> int:
    key = plain_report.key(probability)
    return max(key, plain_report.ONE - key)


def test_noul_confidence():
    case = CASES["noul-confidence"]
    found = [confidence(p) / plain_report.ONE for p in case["inputs"]["p_yes"]]
    assert found == case["expected"]["confidence"]


@pytest.mark.parametrize("name", BINNED)
def test_bins(name):
    case = CASES[name]
    expected = case["expected"]
    records = sure(case["inputs"])
    count = case["params"]["bins"]
    mass = plain_report.equal_mass(records, count)
    width = [b for b in plain_report.equal_width(records, count) if b]
    for bins, named in ((mass, "mass"), (width, "width")):
        error = plain_report.calibration_error(bins, len(records))
        assert error == pytest.approx(expected[f"ece_equal_{named}"], abs=1e-12)
        for found, told in zip(bins, expected.get(f"equal_{named}_bins", bins), strict=True):
            if isinstance(told, dict):
                assert len(found) == told["n"]
                assert sum(c for _, c in found) == told["correct"]
                mean = sum(k for k, _ in found) / len(found) / plain_report.ONE
                assert mean == pytest.approx(told["mean_conf"], abs=1e-12)


def test_sweep():
    case = CASES["sweep-mixed"]
    records = [
        plain_report.Record(r["kind"], r["question"], r["expected"])
        if r.get("abstained")
        else plain_report.Record(
            r["kind"],
            r["question"],
            r["expected"],
            is_answered=True,
            is_correct=(r["p_yes"] >= 0.5 if "p_yes" in r else r["answer"]) == r["expected"],
            confidence=confidence(r["p_yes"])
            if "p_yes" in r
            else plain_report.key(r["confidence"]),
        )
        for r in case["inputs"]["records"]
    ]
    found = plain_report.metrics(records)
    assert found["scored"] == case["expected"]["n_scored"]
    assert found["answered"] == case["expected"]["n_answered"]
    assert found["accuracy"] == pytest.approx(case["expected"]["accuracy"], abs=1e-12)
    assert found["baseRate"] == pytest.approx(case["expected"]["base_rate"], abs=1e-12)
    for point in case["expected"]["points"]:
        at = found["sweep"][round(point["threshold"] * 100)]
        assert {name: at[name] for name in point} == pytest.approx(point, abs=1e-12)


def test_base_rate_of_own_keys():
    rows = CASES["base-rate-own-keys"]["inputs"]["rows"]
    records = [plain_report.Record("noul", k, e, is_answered=True) for k, e in rows]
    assert plain_report.metrics(records)["baseRate"] == 1
