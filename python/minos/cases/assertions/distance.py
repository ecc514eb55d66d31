"""How far the answer is from a text: levenshtein."""

from __future__ import annotations

from minos._native import edit_distance
from minos.cases.assertions.base import AssertionType, Check, Observed, Options, Verdict
from minos.cases.assertions.options import count, text

_DEFAULT = 3


def _levenshtein(options: Options) -> Check:
    wanted = text(options, "levenshtein requires a string :value", "value")
    given = count(options, "levenshtein", "max_distance")
    most = _DEFAULT if given is None else given

    def check(observed: Observed) -> Verdict:
        try:
            distance = edit_distance(observed.output, wanted)
        except ValueError as error:
            return Verdict.error(f"levenshtein: {error}")
        if distance <= most:
            return Verdict.passed(distance=distance, max_distance=most)
        reason = f"Edit distance {distance} exceeds max {most}"
        return Verdict.failed(reason, distance=distance, max_distance=most)

    return check


LEVENSHTEIN = AssertionType(
    name="levenshtein",
    read=_levenshtein,
    options=("value", "max_distance"),
    texts=("value",),
)
