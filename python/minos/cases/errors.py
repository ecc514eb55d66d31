"""A run over cases that stopped before its end."""

from __future__ import annotations

from minos.attempts.scheduler import Stop
from minos.cases.results import CaseResults
from minos.errors import RunError


class CaseRunError(RunError):
    """A run over cases stopped before its end; the cause is `__cause__` where there is one.

    Attributes:
        partial_results: The attempts that finished.
        stop: Why it stopped.
    """

    def __init__(self, message: str, partial_results: CaseResults, stop: Stop) -> None:
        self.partial_results = partial_results
        self.stop = stop
        self.hint = ""
        super().__init__(message)
