"""What a run over a decision data set raises when it stops before its end."""

from __future__ import annotations

from minos.attempts.scheduler import Stop
from minos.decisions.results import EvaluationResults
from minos.errors import RunError


class DatasetRunError(RunError):
    """A run over a decision data set stopped before its end.

    The items that had finished were paid for: save `partial_results`. The exception that stopped
    the run is `__cause__`; there is none when a budget or the time for the run was spent.

    Attributes:
        partial_results: The items that finished, in the order of the data set.
        stop: What stopped the run.
    """

    def __init__(self, message: str, partial_results: EvaluationResults, stop: Stop) -> None:
        self.partial_results = partial_results
        self.stop = stop
        super().__init__(message)
