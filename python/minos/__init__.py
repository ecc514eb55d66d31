"""Measure on your own labelled data whether a model's decisions can be trusted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minos._native import VERSION as __version__  # noqa: N811
    from minos.answers import AnswerRecord, ExpectedAnswer
    from minos.config import provider
    from minos.errors import (
        ConfigError,
        DecisionError,
        DecisionErrorKind,
        MinosError,
        ProblemsError,
        RunError,
    )
    from minos.outcome import Err, Ok, Outcome
    from minos.problems import DatasetProblem, DatasetProblems
    from minos.questions import (
        ChoiceQuestion,
        Criterion,
        NoulQuestion,
        QuestionKind,
        QuestionSet,
        ScoreQuestion,
    )
    from minos.request import DecisionRequest, DecisionResponse

_HOMES = {
    "minos.answers": ("AnswerRecord", "ExpectedAnswer"),
    "minos.config": ("provider",),
    "minos.errors": (
        "ConfigError",
        "DecisionError",
        "DecisionErrorKind",
        "MinosError",
        "ProblemsError",
        "RunError",
    ),
    "minos.outcome": ("Err", "Ok", "Outcome"),
    "minos.problems": ("DatasetProblem", "DatasetProblems"),
    "minos.questions": (
        "ChoiceQuestion",
        "Criterion",
        "NoulQuestion",
        "QuestionKind",
        "QuestionSet",
        "ScoreQuestion",
    ),
    "minos.request": ("DecisionRequest", "DecisionResponse"),
}
"""Where each public name lives. A module is imported when one of its names is first used."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AnswerRecord",
    "ChoiceQuestion",
    "ConfigError",
    "Criterion",
    "DatasetProblem",
    "DatasetProblems",
    "DecisionError",
    "DecisionErrorKind",
    "DecisionRequest",
    "DecisionResponse",
    "Err",
    "ExpectedAnswer",
    "MinosError",
    "NoulQuestion",
    "Ok",
    "Outcome",
    "ProblemsError",
    "QuestionKind",
    "QuestionSet",
    "RunError",
    "ScoreQuestion",
    "__version__",
    "provider",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        value: object = import_module("minos._native").VERSION
    elif name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module 'minos' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
