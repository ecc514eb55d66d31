"""The rules a provider is held against, in the order they are reported."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RULES: Mapping[str, str] = MappingProxyType(
    {
        # The road
        "answered": "A valid request is answered with HTTP 200 and an object that holds answers.",
        "bearer-key": "The key is taken from `Authorization: Bearer KEY`.",
        "json": "An answer is JSON as RFC 8259 has it, without NaN and infinity, and no member of"
        " an object stands there twice.",
        "content-type": "The Content-Type of an answer is that of JSON.",
        # What is answered
        "kinds": "A noul, a choice and a score are answered, each by itself or together.",
        "all-answered": "Every question of a request is answered.",
        "nothing-else": "Nothing is answered that was not asked.",
        "model-reported": "An answer names the model that gave it.",
        "usage": "An answer counts tokens in whole numbers, and at least one token read.",
        # Answers to a noul
        "noul-shape": "The answer to a noul has the type `noul` and a number.",
        "noul-range": "The probability of a noul is from 0 to 1.",
        # Answers to a choice
        "choice-shape": "The answer to a choice has its type, an option, probabilities and a"
        " confidence.",
        "choice-is-option": "The option that is chosen is one of the question's.",
        "choice-options": "The probabilities of a choice are those of its options, all of them and"
        " no others.",
        "choice-distribution": "The probabilities of a choice are from 0 to 1 and sum to 1.",
        "choice-most-probable": "The option that is chosen is the most probable one.",
        # Answers to a score
        "score-shape": "The answer to a score has its type, a number, probabilities and a"
        " confidence.",
        "score-levels": "The probabilities of a score are those of its levels, counted from 0, all"
        " of them and no others.",
        "score-distribution": "The probabilities of a score are from 0 to 1 and sum to 1.",
        "score-expected": "The number of a score is the mean level of its probabilities.",
        "legend": "The legend of a score holds every level as it was sent, counted from 0.",
        # Confidence
        "confidence-range": "A confidence is from 0 to 1.",
        "confidence-formula": "Which formula the confidences agree with; thresholds are only"
        " comparable where it is the same.",
        # What may be asked
        "object-state": "A state may be an object.",
        "array-state": "A state may be an array.",
        "structured-instructions": "Instructions may be an object or an array.",
        "one-sided-noul": "The criteria of a noul may have one side only.",
        "structured-sides": "The sides of a noul may be objects or arrays.",
        "noul-without-instructions": "A noul with criteria may do without instructions.",
        "undescribed-option": "An option may have no description.",
        "criterion-object": "A description may be an object with examples.",
        "options": "A choice may have 2, 26, 64, 128 and 255 options.",
        "levels": "A score may have 2, 3, 5 and 10 levels.",
        "odd-keys": "A question's key may be any text.",
        "unicode": "Text of any script comes back as it was sent.",
        "unknown-member": "A member that is not known is ignored.",
        # What is refused
        "bad-key": "A wrong key is refused with HTTP 401 or 403.",
        "missing-key": "A missing key is refused with HTTP 401 or 403.",
        "needless-key": "A key that is not needed is ignored.",
        "invalid-request": "A request without a question is refused with HTTP 400 or 422.",
        "invalid-bodies": "What is no request is refused with a status from 400 to 499.",
        "unknown-kind": "A question of an unknown kind is refused with a status from 400 to 499.",
        "score-map": "The levels of a score given as an object are refused.",
        "unknown-model": "An unknown model is refused with a status from 400 to 499, or ignored.",
        "out-of-range": "What is beyond the guidance is answered or refused, and breaks nothing.",
        "error-json": "The body of a refusal is JSON, and says that it is.",
        # What an answer depends on
        "repeated": "The same request is answered alike when it is repeated.",
        "renamed-keys": "The key of a question does not change its answer.",
        "reordered-questions": "The order of the questions does not change their answers.",
        "alone-or-together": "A question is answered alike alone and among others.",
    }
)
"""Each rule by the name of its check."""


def checks_of(kind: str) -> list[str]:
    """Return the checks of the answers to a kind of question."""
    named = [name for name in RULES if name.startswith(f"{kind}-")]
    return [*named, "legend"] if kind == "score" else named
