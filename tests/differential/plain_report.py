"""The report of a run, worked out plainly in whole numbers and fractions: the native one's oracle.

Ratios stay fractions to the end; `report` gives what `report.json` holds, as a dictionary.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from tests.differential.plain_dataset import PlainItem
from tests.differential.plain_results import Plain

ONE = 10**12
BINS = 10
KINDS = ["noul", "choice", "score"]
FEWEST_FOR_BINS = 30
MOST_QUESTIONS = 1000


def key(number: float) -> int:
    """A probability as a whole number of 10^-12: the double product, rounded half to even."""
    return round(float(number) * 1e12)


@dataclass(frozen=True)
class Record:
    """One scored question of one item."""

    kind: str
    question: str
    expected: object
    is_answered: bool = False
    is_correct: bool = False
    confidence: int | None = None
    top: int | None = None
    irregular: tuple[str, ...] = ()


def report(
    results: Plain, dataset: Sequence[PlainItem], prices: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Work the whole report out."""
    items = {item.id: item for item in dataset}
    pairs: list[tuple[Any, PlainItem]] = [(r, items[str(r["id"])]) for r in results.items]
    asked = sum(len(item.questions) for _, item in pairs)
    records = [record for result, item in pairs for record in _records(result, item)]
    overall = metrics(records)
    kinds = {kind: [r for r in records if r.kind == kind] for kind in KINDS}
    return {
        "kind": "minos-report",
        "version": 1,
        "run": _run(results, dataset),
        "counts": {
            "items": len(pairs),
            "questions": asked,
            "scored": len(records),
            "unscored": asked - len(records),
            "answered": overall["answered"],
            "abstained": overall["abstained"],
        },
        "overall": overall,
        **{kind: metrics(of_kind) for kind, of_kind in kinds.items() if of_kind},
        **_questions(records),
        "latency": _latency(results.items),
        "cost": _cost(results.items, prices),
        "errors": [
            {"kind": kind, "count": count}
            for kind, count in _ranked(r["error"]["kind"] for r in _all(results) if "error" in r)
        ],
        "models": [
            {"model": model, "count": count}
            for model, count in _ranked(r.get("model") for r in _all(results) if _was_served(r))
        ],
        "prices": [dict(price) for price in prices],
    }


def _all(results: Plain) -> list[Any]:
    return list(results.items)


def _ranked(names: Iterable[str | None]) -> list[tuple[str | None, int]]:
    """Most frequent first, then by name in UTF-8, no name last."""

    def rank(entry: tuple[str | None, int]) -> tuple[int, bool, bytes]:
        name, count = entry
        return -count, name is None, (name or "").encode()

    return sorted(Counter(names).items(), key=rank)


def _run(results: Plain, dataset: Sequence[PlainItem]) -> dict[str, Any]:
    header: Any = results.header
    selection = header.get("selection")
    partial = bool(header.get("partial", False))
    meant = len(dataset)
    if selection is not None:
        most = min(selection.get(name, meant) for name in ("of", "limit", "sample"))
        meant = selection.get("count", most)
    return {
        **{name: header[name] for name in ("dataset", "provider", "model", "startedAt")},
        "items": len(results.items),
        "partial": partial,
        "partialOf": meant if partial else None,
        "selection": selection,
    }


def _records(result: Any, item: PlainItem) -> Iterable[Record]:
    answers = result.get("answers", {})
    for question, expected in item.expected.items():
        asked: Any = item.questions[question]
        kind = asked["type"]
        answer = answers.get(question)
        if answer is None:
            yield Record(kind, question, expected)
        else:
            yield _answered(kind, question, expected, answer, list(asked.get("criteria") or []))


def _answered(kind: str, question: str, expected: object, answer: Any, known: list[str]) -> Record:
    if kind == "noul":
        probability = key(answer["probability"])
        sure = max(probability, ONE - probability)
        is_correct = (answer["probability"] >= 0.5) is expected
        return Record(kind, question, expected, True, is_correct, sure, sure)
    given = answer["choice"] if kind == "choice" else answer["level"]
    confidence = key(answer["confidence"]) if "confidence" in answer else None
    place = known.index(given) if kind == "choice" else given
    irregular = []
    top = None
    if "probabilities" in answer:
        chances = answer["probabilities"]
        listed = (
            [chances.get(name) for name in known]
            if kind == "choice"
            else [*chances, *[None] * len(known)][: len(known)]
        )
        keys = [None if chance is None else key(chance) for chance in listed]
        if None in keys:
            irregular.append("incomplete")
        else:
            whole = sum(keys)
            if abs(whole - ONE) > min(5 * 10**10, 5 * 10**9 * len(keys) + 1000):
                irregular.append("sum")
            if max(keys) > keys[place]:
                irregular.append("notMostProbable")
            if not irregular:
                top = round(Fraction(max(keys) * ONE, whole))
    expected_level = answer.get("expectedLevel")
    if expected_level is not None and not 0 <= expected_level <= len(known) - 1:
        irregular.append("outsideLevels")
        top = None
    is_correct = given == expected
    return Record(kind, question, expected, True, is_correct, confidence, top, tuple(irregular))


def ratio(above: int | Fraction, below: int) -> float | None:
    """A quotient, or None where there is nothing to divide by."""
    return float(Fraction(above) / below) if below else None


def metrics(records: Sequence[Record]) -> dict[str, Any]:
    """The figures of one slice."""
    answered = [r for r in records if r.is_answered]
    correct = sum(r.is_correct for r in answered)
    most_common = _most_common(answered)
    sure = [(r.confidence, r.is_correct) for r in answered if r.confidence is not None]
    top = [(r.top, r.is_correct) for r in answered if r.top is not None]
    bias = sum(Fraction(k, ONE) - c for k, c in sure)
    return {
        "scored": len(records),
        "answered": len(answered),
        "abstained": len(records) - len(answered),
        "correct": correct,
        "withoutConfidence": len(answered) - len(sure),
        "irregular": dict(Counter(reason for r in answered for reason in r.irregular)),
        "accuracy": ratio(correct, len(answered)),
        "accuracyAll": ratio(correct, len(records)),
        "baseRate": ratio(most_common, len(answered)),
        "lift": ratio(correct - most_common, len(answered)),
        **_calibration(sure),
        "signedBias": ratio(bias, len(sure)),
        "sweep": [_point(sure, percent, len(records)) for percent in range(101)],
        "topProbability": {"answered": len(top), **_calibration(top)},
    }


def _most_common(answered: Iterable[Record]) -> int:
    by_question: defaultdict[tuple[str, str], Counter[object]] = defaultdict(Counter)
    for r in answered:
        by_question[r.kind, r.question][r.expected] += 1
    return sum(max(counts.values()) for counts in by_question.values())


def _calibration(sure: list[tuple[int, bool]]) -> dict[str, Any]:
    mass = equal_mass(sure)
    width = equal_width(sure)
    return {
        "ece": calibration_error(mass, len(sure)),
        "eceEqualWidth": calibration_error(width, len(sure)),
        "bins": [_bin(b, min(b)[0], max(b)[0]) for b in mass],
        "binsEqualWidth": [
            _bin(b, n * ONE // BINS, (n + 1) * ONE // BINS) for n, b in enumerate(width)
        ],
    }


def equal_mass(sure: list[tuple[int, bool]], bins: int = BINS) -> list[list[tuple[int, bool]]]:
    """Bins of about equal size that never part equal confidences; none is empty."""
    filled: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
    total = len(sure)
    sizes = Counter(k for k, _ in sure)
    below = 0
    place = {}
    for k in sorted(sizes):
        place[k] = min(bins - 1, (bins * (2 * below + sizes[k])) // (2 * total))
        below += sizes[k]
    for k, c in sure:
        filled[place[k]].append((k, c))
    return [filled[n] for n in sorted(filled)]


def equal_width(sure: list[tuple[int, bool]], bins: int = BINS) -> list[list[tuple[int, bool]]]:
    """Bins [0, 0.1), [0.1, 0.2) ... [0.9, 1], empty ones too."""
    filled: list[list[tuple[int, bool]]] = [[] for _ in range(bins)]
    for k, c in sure:
        filled[min(bins - 1, bins * k // ONE)].append((k, c))
    return filled


def calibration_error(bins: list[list[tuple[int, bool]]], total: int) -> float | None:
    """The mean distance of confidence and accuracy, weighted by the size of the bins."""
    return ratio(sum(abs(sum(Fraction(k, ONE) - c for k, c in b)) for b in bins), total)


def _bin(records: list[tuple[int, bool]], lower: int, upper: int) -> dict[str, Any]:
    correct = sum(c for _, c in records)
    return {
        "lower": lower / ONE,
        "upper": upper / ONE,
        "count": len(records),
        "correct": correct,
        "meanConfidence": ratio(Fraction(sum(k for k, _ in records), ONE), len(records)),
        "accuracy": ratio(correct, len(records)),
    }


def _point(sure: list[tuple[int, bool]], percent: int, scored: int) -> dict[str, Any]:
    covered = [c for k, c in sure if k >= key(percent / 100)]
    return {
        "threshold": percent / 100,
        "covered": len(covered),
        "scored": scored,
        "coverage": ratio(len(covered), scored),
        "correct": sum(covered),
        "accuracy": ratio(sum(covered), len(covered)),
    }


def _questions(records: Sequence[Record]) -> dict[str, Any]:
    by_question: defaultdict[tuple[int, bytes], list[Record]] = defaultdict(list)
    for r in records:
        by_question[KINDS.index(r.kind), r.question.encode()].append(r)
    most_scored = sorted(by_question, key=lambda place: (-len(by_question[place]), place))
    entries = []
    for place in sorted(most_scored[:MOST_QUESTIONS]):
        of_question = by_question[place]
        entry = metrics(of_question)
        if entry["answered"] < FEWEST_FOR_BINS:
            for name in ("bins", "binsEqualWidth", "sweep"):
                del entry[name]
            for name in ("bins", "binsEqualWidth"):
                del entry["topProbability"][name]
        entries.append({"kind": of_question[0].kind, "key": of_question[0].question, **entry})
    omitted = len(by_question) - len(entries)
    return {"questions": entries, **({"questionsOmitted": omitted} if omitted else {})}


def _is_cached(result: Any) -> bool:
    return bool(result.get("cached", False))


def _was_served(result: Any) -> bool:
    return "answers" in result or result["error"]["kind"] == "InvalidResponse"


def _latency(results: Iterable[Any]) -> dict[str, Any]:
    answered = [r for r in results if "answers" in r]
    timed = [r for r in answered if not _is_cached(r) and "latencyMs" in r]
    nanoseconds = sorted(round(float(r["latencyMs"]) * 1e6) for r in timed)
    count = len(nanoseconds)

    def rank(share: Fraction) -> float | None:
        return nanoseconds[ceil(share * count) - 1] / 1e6 if count else None

    return {
        "count": count,
        "cachedCount": sum(_is_cached(r) for r in answered),
        "mean": ratio(Fraction(sum(nanoseconds), 10**6), count),
        "median": rank(Fraction(1, 2)),
        "p95": rank(Fraction(95, 100)),
        "max": rank(Fraction(1)),
    }


def price_of(model: str | None, prices: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The price that fits a model best."""
    if model is None:
        return None
    fitting = [p for p in prices if model == p["model"] or model.startswith(p["model"] + "-")]
    return max(fitting, key=lambda p: len(p["model"]), default=None)


def _cost(results: Iterable[Any], prices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    counts = Counter({"reported": 0, "priced": 0, "unknown": 0, "cached": 0})
    total = 0
    for result in results:
        price = price_of(result.get("model"), prices)
        if _is_cached(result):
            counts["cached"] += 1
        elif "cost" in result:
            counts["reported"] += 1
            total += round(float(result["cost"]) * 1e15)
        elif not _was_served(result):
            pass
        elif price is None or "inputTokens" not in result or "outputTokens" not in result:
            counts["unknown"] += 1
        else:
            counts["priced"] += 1
            dollars = (
                result["inputTokens"] * Fraction(price["inputPerMillion"])
                + result["outputTokens"] * Fraction(price["outputPerMillion"])
            ) / 10**6
            total += round(dollars * 10**15)
    known = counts["reported"] + counts["priced"]
    return {
        "total": total / 10**15 if known else None,
        "per1000": ratio(Fraction(1000 * total, 10**15), known),
        **counts,
        "isLowerBound": counts["unknown"] > 0,
    }
