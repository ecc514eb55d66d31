"""The rules that the answer to one question puts to the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minos.conformance.findings import Findings
from minos.conformance.values import is_number, names_told, told
from minos.providers.shown import shown

_SUM_SLACK = 0.05
_TOP_SLACK = 0.005
_SCORE_SLACK = 0.02
_DOUBLE = 1e-9


@dataclass(slots=True)
class Confidences:
    """Distributions with the confidence reported for each, for finding its formula.

    Attributes:
        by_kind: Them by the kind of question.
        rounding: By how much a printed number may be off.
    """

    by_kind: dict[str, list[tuple[list[float], float]]] = field(default_factory=dict)
    rounding: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer stands.

    Attributes:
        number: The exchange.
        key: The question.
        off: By how much a number printed there may be off.
    """

    number: int
    key: str
    off: float


class QuestionChecks:
    """Checks of the answer to one question, as System One has it."""

    def __init__(self, findings: Findings, confidences: Confidences) -> None:
        """Prepare.

        Args:
            findings: Where findings go.
            confidences: Where distributions and confidences go.
        """
        self._findings = findings
        self._confidences = confidences

    def check(self, place: Place, question: Mapping[str, Any], answer: object) -> None:
        """Check one answer.

        Args:
            place: Where it stands.
            question: What was asked.
            answer: The answer.
        """
        kind = question["type"]
        self._judge(f"{kind}-shape", place, _shape_fault(kind, answer))
        if not isinstance(answer, dict):
            return
        if kind == "noul":
            p = answer.get("noul")
            if is_number(p):
                self._judge("noul-range", place, "" if 0 <= p <= 1 else f"noul is {told(p)}")
            return
        criteria = question["criteria"]
        names = list(criteria) if kind == "choice" else [str(n) for n in range(len(criteria))]
        distribution = self._distribution(place, kind, answer.get("probabilities"), names)
        self._check_confidence(place, kind, answer.get("confidence"), distribution)
        if kind == "choice":
            self._check_choice(place, answer.get("choice"), names, distribution)
        else:
            self._check_score(place, answer.get("score"), distribution)
            self._judge("legend", place, _legend_fault(answer.get("legend"), criteria))

    def _judge(self, check: str, place: Place, fault: str) -> None:
        told_fault = f"question '{shown(place.key)}': {fault}" if fault else ""
        self._findings.judge(check, place.number, told_fault)

    def _distribution(
        self, place: Place, kind: str, given: object, names: Sequence[str]
    ) -> list[float] | None:
        """Return the probabilities in the order of the names, where they are right."""
        if not isinstance(given, dict):
            return None
        missing = [name for name in names if name not in given]
        added = [name for name in given if name not in names]
        faults = [f"no probability of {names_told(missing)}"] if missing else []
        faults += [f"a probability of {names_told(added)}"] if added else []
        check = "choice-options" if kind == "choice" else "score-levels"
        self._judge(check, place, ", ".join(faults))
        wrong = [name for name, p in given.items() if not (is_number(p) and 0 <= p <= 1)]
        fault = f"the probability of {names_told(wrong)} is none" if wrong else ""
        if not wrong:
            total = sum(given.values())
            slack = max(_SUM_SLACK, len(names) * place.off) + _DOUBLE
            fault = "" if abs(total - 1) <= slack else f"the probabilities sum to {total:.4g}"
        self._judge(f"{kind}-distribution", place, fault)
        return None if faults or fault else [float(given[name]) for name in names]

    def _check_confidence(
        self, place: Place, kind: str, confidence: object, distribution: list[float] | None
    ) -> None:
        if not is_number(confidence):
            return  # that it is there is part of the shape
        is_in_range = 0 <= confidence <= 1
        fault = "" if is_in_range else f"confidence is {told(confidence)}"
        self._judge("confidence-range", place, fault)
        if is_in_range and distribution is not None:
            total = sum(distribution)
            normal = [p / total for p in distribution]
            self._confidences.by_kind.setdefault(kind, []).append((normal, float(confidence)))

    def _check_choice(
        self, place: Place, choice: object, names: list[str], distribution: list[float] | None
    ) -> None:
        if not isinstance(choice, str):
            return
        is_option = choice in names
        fault = "" if is_option else f"'{shown(choice)}' is chosen"
        self._judge("choice-is-option", place, fault)
        if distribution is None or not is_option:
            return
        chosen, top = distribution[names.index(choice)], max(distribution)
        is_top = top - chosen <= _TOP_SLACK + _DOUBLE
        fault = "" if is_top else f"one of {chosen:.3g} is chosen, and the top one is {top:.3g}"
        self._judge("choice-most-probable", place, fault)

    def _check_score(self, place: Place, score: object, distribution: list[float] | None) -> None:
        if not is_number(score) or distribution is None:
            return
        mean = sum(level * p for level, p in enumerate(distribution))
        count = len(distribution)
        slack = _SCORE_SLACK + place.off * (1 + count * (count - 1) / 2) + _DOUBLE
        is_mean = abs(score - mean) <= slack
        fault = "" if is_mean else f"score is {score:.4g}, and the mean level {mean:.4g}"
        self._judge("score-expected", place, fault)


def _legend_fault(legend: object, levels: Sequence[object]) -> str:
    if not isinstance(legend, dict):
        return "there is no legend" if legend is None else f"the legend is {told(legend)}"
    if set(legend) != {str(level) for level in range(len(levels))}:
        return f"the legend is of {names_told(sorted(legend))}"
    for index, level in enumerate(levels):
        given = legend[str(index)]
        # A level that is an object may come back as text.
        if given != level and (isinstance(level, str) or not isinstance(given, str)):
            return f"level {index} comes back as {told(given)}"
    return ""


_NUMBERS = {
    "noul": ("noul",),
    "choice": ("confidence",),
    "score": ("score", "confidence"),
}


def _shape_fault(kind: str, answer: object) -> str:
    if not isinstance(answer, dict):
        return f"the answer is {told(answer)}"
    if answer.get("type") != kind:
        return f"the type is {told(answer.get('type'))}"
    for name in _NUMBERS[kind]:
        if not is_number(answer.get(name)):
            return f"{name} is {told(answer.get(name))}"
    if kind != "noul" and not isinstance(answer.get("probabilities"), dict):
        return f"probabilities is {told(answer.get('probabilities'))}"
    if kind == "choice" and not isinstance(answer.get("choice"), str):
        return f"choice is {told(answer.get('choice'))}"
    return ""
