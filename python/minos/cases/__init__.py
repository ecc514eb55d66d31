"""Cases: inputs with assertions about their answers, in JSON, YAML or JSONL."""

from minos.cases.assertions.base import Assertion, Evaluation, Observed, Status, Verdict
from minos.cases.assertions.registry import assertion
from minos.cases.attempt import Attempt, AttemptError, ErrorKind
from minos.cases.case import Case
from minos.cases.dataset import CaseDataset
from minos.cases.evaluate import evaluate, evaluate_async
from minos.subjects.answer import Answer, Failure, ToolCall, Usage

__all__ = [
    "Answer",
    "Assertion",
    "Attempt",
    "AttemptError",
    "Case",
    "CaseDataset",
    "ErrorKind",
    "Evaluation",
    "Failure",
    "Observed",
    "Status",
    "ToolCall",
    "Usage",
    "Verdict",
    "assertion",
    "evaluate",
    "evaluate_async",
]
