"""Cases: inputs with assertions about their answers, in JSON, YAML or JSONL."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minos.attempts.progress import RunProgress
    from minos.attempts.scheduler import Stop
    from minos.cases.assertions.base import (
        Assertion,
        AssertionType,
        Evaluation,
        Observed,
        OptionsError,
        Status,
        Verdict,
    )
    from minos.cases.assertions.registry import Registry, assertion, built_in, installed
    from minos.cases.attempt import Attempt, AttemptError, ErrorKind
    from minos.cases.batch import CaseBatch
    from minos.cases.case import Case
    from minos.cases.dataset import CaseDataset
    from minos.cases.directory import CaseDirectoryRun
    from minos.cases.errors import CaseRunError
    from minos.cases.evaluate import evaluate, evaluate_async
    from minos.cases.heading import CaseRunHeader, CaseSelection, DatasetName
    from minos.cases.options import CaseRunOptions
    from minos.cases.reduction import CaseOutcome
    from minos.cases.report import CaseReport
    from minos.cases.results import CaseResults
    from minos.cases.runner import run, run_sync
    from minos.policy.file import Policy, read_policy
    from minos.policy.gates import Gates, GateStatus, Share
    from minos.policy.pass_rule import PassRule
    from minos.policy.rules import Rule
    from minos.subjects.answer import Answer, Failure, ToolCall, Usage

_HOMES = {
    "minos.attempts.progress": ("RunProgress",),
    "minos.attempts.scheduler": ("Stop",),
    "minos.cases.assertions.base": (
        "Assertion",
        "AssertionType",
        "Evaluation",
        "Observed",
        "OptionsError",
        "Status",
        "Verdict",
    ),
    "minos.cases.assertions.registry": ("Registry", "assertion", "built_in", "installed"),
    "minos.cases.attempt": ("Attempt", "AttemptError", "ErrorKind"),
    "minos.cases.batch": ("CaseBatch",),
    "minos.cases.case": ("Case",),
    "minos.cases.dataset": ("CaseDataset",),
    "minos.cases.directory": ("CaseDirectoryRun",),
    "minos.cases.errors": ("CaseRunError",),
    "minos.cases.evaluate": ("evaluate", "evaluate_async"),
    "minos.cases.heading": ("CaseRunHeader", "CaseSelection", "DatasetName"),
    "minos.cases.options": ("CaseRunOptions",),
    "minos.cases.reduction": ("CaseOutcome",),
    "minos.cases.report": ("CaseReport",),
    "minos.cases.results": ("CaseResults",),
    "minos.cases.runner": ("run", "run_sync"),
    "minos.policy.file": ("Policy", "read_policy"),
    "minos.policy.gates": ("Gates", "GateStatus", "Share"),
    "minos.policy.pass_rule": ("PassRule",),
    "minos.policy.rules": ("Rule",),
    "minos.subjects.answer": ("Answer", "Failure", "ToolCall", "Usage"),
}
"""Where each public name lives. A module is imported when one of its names is first used."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "Assertion",
    "AssertionType",
    "Attempt",
    "AttemptError",
    "Case",
    "CaseBatch",
    "CaseDataset",
    "CaseDirectoryRun",
    "CaseOutcome",
    "CaseReport",
    "CaseResults",
    "CaseRunError",
    "CaseRunHeader",
    "CaseRunOptions",
    "CaseSelection",
    "DatasetName",
    "ErrorKind",
    "Evaluation",
    "Failure",
    "GateStatus",
    "Gates",
    "Observed",
    "OptionsError",
    "PassRule",
    "Policy",
    "Registry",
    "Rule",
    "RunProgress",
    "Share",
    "Status",
    "Stop",
    "ToolCall",
    "Usage",
    "Verdict",
    "assertion",
    "built_in",
    "evaluate",
    "evaluate_async",
    "installed",
    "read_policy",
    "run",
    "run_sync",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'minos.cases' has no attribute {name!r}")
    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
