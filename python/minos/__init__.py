"""Measure on your own labelled data whether a model's decisions can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.lazy import hand_on

if TYPE_CHECKING:
    from minos._native import Table, __version__
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
        RunSummary,
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
    from minos.stats.reliability import ReliabilityBin, SweepPoint

_HOMES = {
    "minos._native": ("Table", "__version__"),
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
        "RunSummary",
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
    "minos.stats.reliability": ("ReliabilityBin", "SweepPoint"),
}
"""Where each public name lives. A module is imported when one of its names is first used."""

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
    "Table",
    "TopProbability",
    "__version__",
    "provider",
]

__getattr__, __dir__ = hand_on(__name__, _HOMES)
