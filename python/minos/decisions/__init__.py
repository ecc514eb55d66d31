"""Decisions: typed questions with right answers, runs over them, and their reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.lazy import hand_on

if TYPE_CHECKING:
    from minos.attempts.progress import RunProgress
    from minos.attempts.scheduler import Stop
    from minos.decisions.dataset import DatasetItem, DecisionDataset
    from minos.decisions.dataset_builder import DecisionDatasetBuilder
    from minos.decisions.directory import DirectoryRun
    from minos.decisions.errors import DatasetRunError
    from minos.decisions.estimate import RunEstimate
    from minos.decisions.options import DatasetRunOptions
    from minos.decisions.prices import ModelPrice, PriceTable
    from minos.decisions.probe import run_probe
    from minos.decisions.probe_plan import ProbeOptions
    from minos.decisions.probe_report import ProbeReport
    from minos.decisions.records import ItemError, ItemResult, RunHeader, RunSelection
    from minos.decisions.repeats import FlipRate, RepeatReport
    from minos.decisions.report import CalibrationReport
    from minos.decisions.report_views import (
        CostSummary,
        Counts,
        ErrorSummary,
        KindMetrics,
        LatencySummary,
        ModelCount,
        QuestionMetrics,
        RunSummary,
        TopProbability,
    )
    from minos.decisions.results import EvaluationResults
    from minos.decisions.runner import run, run_sync
    from minos.decisions.validation import Validation, validate
    from minos.stats.reliability import ReliabilityBin, SweepPoint

_HOMES = {
    "minos.attempts.progress": ("RunProgress",),
    "minos.attempts.scheduler": ("Stop",),
    "minos.decisions.dataset": ("DatasetItem", "DecisionDataset"),
    "minos.decisions.dataset_builder": ("DecisionDatasetBuilder",),
    "minos.decisions.directory": ("DirectoryRun",),
    "minos.decisions.errors": ("DatasetRunError",),
    "minos.decisions.estimate": ("RunEstimate",),
    "minos.decisions.options": ("DatasetRunOptions",),
    "minos.decisions.prices": ("ModelPrice", "PriceTable"),
    "minos.decisions.probe": ("run_probe",),
    "minos.decisions.probe_plan": ("ProbeOptions",),
    "minos.decisions.probe_report": ("ProbeReport",),
    "minos.decisions.records": ("ItemError", "ItemResult", "RunHeader", "RunSelection"),
    "minos.decisions.repeats": ("FlipRate", "RepeatReport"),
    "minos.decisions.report": ("CalibrationReport",),
    "minos.decisions.report_views": (
        "CostSummary",
        "Counts",
        "ErrorSummary",
        "KindMetrics",
        "LatencySummary",
        "ModelCount",
        "QuestionMetrics",
        "RunSummary",
        "TopProbability",
    ),
    "minos.decisions.results": ("EvaluationResults",),
    "minos.decisions.runner": ("run", "run_sync"),
    "minos.decisions.validation": ("Validation", "validate"),
    "minos.stats.reliability": ("ReliabilityBin", "SweepPoint"),
}
"""Where each public name lives. A module is imported when one of its names is first used."""

__all__ = [
    "CalibrationReport",
    "CostSummary",
    "Counts",
    "DatasetItem",
    "DatasetRunError",
    "DatasetRunOptions",
    "DecisionDataset",
    "DecisionDatasetBuilder",
    "DirectoryRun",
    "ErrorSummary",
    "EvaluationResults",
    "FlipRate",
    "ItemError",
    "ItemResult",
    "KindMetrics",
    "LatencySummary",
    "ModelCount",
    "ModelPrice",
    "PriceTable",
    "ProbeOptions",
    "ProbeReport",
    "QuestionMetrics",
    "ReliabilityBin",
    "RepeatReport",
    "RunEstimate",
    "RunHeader",
    "RunProgress",
    "RunSelection",
    "RunSummary",
    "Stop",
    "SweepPoint",
    "TopProbability",
    "Validation",
    "run",
    "run_probe",
    "run_sync",
    "validate",
]

__getattr__, __dir__ = hand_on(__name__, _HOMES)
