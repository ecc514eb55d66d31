"""Work that follows a script, and a store to look into."""

from dataclasses import dataclass, field

from minos.attempts.work import Finished, Spent


def finished(index, cost_usd=0.0, *, is_error=False, requests=1, is_typical=True):
    spent = Spent(requests, cost_usd, is_typical)
    return Finished(index, b'{"n":%d}' % index, is_error, spent)


@dataclass
class Script:
    """Work that does what the script says for an index, and answers at once for all others."""

    steps: dict = field(default_factory=dict)
    started: list = field(default_factory=list)
    ended: list = field(default_factory=list)
    cost_usd: float | None = 0.0
    weights: dict = field(default_factory=dict)

    async def attempt(self, index):
        self.started.append(index)
        try:
            step = self.steps.get(index)
            outcome = None if step is None else await step(index)
            return finished(index, self.cost_usd) if outcome is None else outcome
        finally:
            self.ended.append(index)

    def cancelled(self, index):
        return Finished(index, b'"cancelled"', True, Spent(1, 0.0, False))

    def timed_out(self, index):
        return Finished(index, b'"timed out"', True, Spent(1, 0.0, False))

    asked = "the script"

    def name_of(self, index):
        return f"attempt {index}"

    def weight(self, index):
        return self.weights.get(index, 1)


@dataclass
class Shelf:
    """A store that is a dictionary."""

    lines: dict = field(default_factory=dict)
    is_due: bool = False
    syncs: int = 0
    error: Exception | None = None

    def keep(self, index, line):
        if self.error is not None:
            raise self.error
        self.lines[index] = line

    def claim_sync(self):
        return self.is_due

    def sync(self):
        self.syncs += 1
