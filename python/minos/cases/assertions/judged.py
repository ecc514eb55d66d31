"""The assertions that a model decides, and `similar`: their names and options.

Each is known to a data set's checks and cannot run yet: `needs` says what it lacks. Whatever runs
them takes the place of `_not_yet` here, one file for judges and one for `similar`.
"""

from __future__ import annotations

from minos.cases.assertions.base import AssertionType, Check, Options, OptionsError, Verdict
from minos.cases.assertions.options import amount, count, share, text, truth

_TEXTS = ("model", "purpose", "policy", "context", "query", "expected", "input")
_JUDGE_OPTIONS = ("threshold", "model", "temperature", "max_tokens", "verbose", *_TEXTS[1:])

_NO_JUDGE = "a judge, which this version does not have"
_NO_EMBEDDINGS = "embeddings, which this version does not have"
_JUDGES = (
    "faithful",
    "relevant",
    "correctness",
    "refusal",
    "no_bias",
    "no_toxicity",
    "no_harmful_content",
    "no_pii",
    "no_policy_violation",
    "no_hijacking",
    "no_prompt_extraction",
    "no_excessive_agency",
    "no_imitation",
)


def _judge(kind: str) -> AssertionType:
    def read(options: Options) -> Check:
        share(options, kind, "threshold")
        amount(options, kind, "temperature")
        count(options, kind, "max_tokens")
        truth(options, kind, "verbose")
        for name in ("model", "purpose", "policy"):
            if options.get(name) is not None:
                text(options, f"{kind} requires text as {name}", name)
        if kind == "no_policy_violation" and options.get("policy") is None:
            raise OptionsError("no_policy_violation requires a policy", "policy")
        return _not_yet(kind)

    return AssertionType(
        name=kind,
        read=read,
        options=_JUDGE_OPTIONS,
        texts=_TEXTS,
        needs=lambda: _NO_JUDGE,
    )


def _similar(options: Options) -> Check:
    share(options, "similar", "threshold")
    truth(options, "similar", "verbose")
    return _not_yet("similar")


def _not_yet(kind: str) -> Check:
    return lambda _observed: Verdict.error(f"{kind} cannot run in this version")


JUDGES = tuple(_judge(kind) for kind in _JUDGES)
SIMILAR = AssertionType(
    name="similar",
    read=_similar,
    options=("threshold", "expected", "verbose"),
    texts=("expected",),
    needs=lambda: _NO_EMBEDDINGS,
)
