"""Measure on your own labelled data whether a model's decisions can be trusted."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minos._native import VERSION as __version__  # noqa: N811
    from minos.answers import AnswerRecord, ExpectedAnswer
    from minos.config import provider
    from minos.decisions.dataset import DatasetItem, DecisionDataset
    from minos.decisions.dataset_builder import DecisionDatasetBuilder
    from minos.decisions.errors import DatasetRunError
    from minos.decisions.options import DatasetRunOptions
    from minos.decisions.prices import ModelPrice, PriceTable
    from minos.decisions.records import ItemError, ItemResult, RunHeader, RunSelection
    from minos.decisions.report import CalibrationReport
    from minos.decisions.report_views import (
        CostSummary,
        ErrorSummary,
        KindMetrics,
        LatencySummary,
        ModelCount,
        QuestionMetrics,
        ReliabilityBin,
        RunSummary,
        SweepPoint,
        TopProbability,
    )
    from minos.decisions.results import EvaluationResults
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
    from minos.providers.base import DecisionProvider
    from minos.question_builder import QuestionSetBuilder
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
    "minos.decisions.dataset": ("DatasetItem", "DecisionDataset"),
    "minos.decisions.dataset_builder": ("DecisionDatasetBuilder",),
    "minos.decisions.errors": ("DatasetRunError",),
    "minos.decisions.options": ("DatasetRunOptions",),
    "minos.decisions.prices": ("ModelPrice", "PriceTable"),
    "minos.decisions.records": ("ItemError", "ItemResult", "RunHeader", "RunSelection"),
    "minos.decisions.report": ("CalibrationReport",),
    "minos.decisions.report_views": (
        "CostSummary",
        "ErrorSummary",
        "KindMetrics",
        "LatencySummary",
        "ModelCount",
        "QuestionMetrics",
        "ReliabilityBin",
        "RunSummary",
        "SweepPoint",
        "TopProbability",
    ),
    "minos.decisions.results": ("EvaluationResults",),
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
    "minos.providers.base": ("DecisionProvider",),
    "minos.question_builder": ("QuestionSetBuilder",),
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
    "CalibrationReport",
    "ChoiceQuestion",
    "ConfigError",
    "CostSummary",
    "Criterion",
    "DatasetItem",
    "DatasetProblem",
    "DatasetProblems",
    "DatasetRunError",
    "DatasetRunOptions",
    "DecisionDataset",
    "DecisionDatasetBuilder",
    "DecisionError",
    "DecisionErrorKind",
    "DecisionProvider",
    "DecisionRequest",
    "DecisionResponse",
    "Err",
    "ErrorSummary",
    "EvaluationResults",
    "ExpectedAnswer",
    "ItemError",
    "ItemResult",
    "KindMetrics",
    "LatencySummary",
    "MinosError",
    "ModelCount",
    "ModelPrice",
    "NoulQuestion",
    "Ok",
    "Outcome",
    "PriceTable",
    "ProblemsError",
    "QuestionKind",
    "QuestionMetrics",
    "QuestionSet",
    "QuestionSetBuilder",
    "ReliabilityBin",
    "RunError",
    "RunHeader",
    "RunSelection",
    "RunSummary",
    "ScoreQuestion",
    "SweepPoint",
    "TopProbability",
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
