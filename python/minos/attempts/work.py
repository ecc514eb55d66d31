"""What a family puts into the scheduler, and what it hands back when an attempt has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Spent:
    """What one attempt used up.

    Attributes:
        requests: Requests that were sent, retries included; 0 where nothing was sent.
        cost_usd: What they cost in US dollars; None where something was billed and nobody said
            how much. Unknown is not 0.
        is_typical: Whether it says what other attempts may cost. A failed request does not.
    """

    requests: int = 1
    cost_usd: float | None = 0.0
    is_typical: bool = True


@dataclass(frozen=True, slots=True)
class Finished(Generic[T_co]):
    """An attempt that has ended: answered, or failed in a way that the run goes on from.

    Attributes:
        result: The family's own result, which the progress receiver gets.
        line: The result as one JSON object without a line break, as it is kept.
        is_error: Whether the attempt failed.
        spent: What it used up.
    """

    result: T_co
    line: bytes
    is_error: bool
    spent: Spent


class Work(Protocol[T_co]):
    """What a family puts into the slots. An attempt is known by its index."""

    @property
    def asked(self) -> str:
        """What is asked, as people call it."""
        ...

    def name_of(self, index: int) -> str:
        """Return what people call an attempt: "item 'msg-1'"."""
        ...

    async def attempt(self, index: int) -> Finished[T_co]:
        """Make one attempt; an exception stops the run."""
        ...

    def cancelled(self, index: int) -> Finished[T_co]:
        """Tell of an attempt that something other than the run cancelled."""
        ...

    def timed_out(self, index: int) -> Finished[T_co]:
        """Tell of an attempt that took longer than it may."""
        ...

    def weight(self, index: int) -> int:
        """How heavy the attempt is beside the others: the bytes of its request, say."""
        ...


class Store(Protocol):
    """Where results are kept as they come in."""

    def keep(self, index: int, line: bytes) -> None:
        """Keep the result of an attempt; a later one of the same index replaces it."""
        ...

    def claim_sync(self) -> bool:
        """Whether what was kept should be made safe now; whoever is told so does it."""
        ...

    def sync(self) -> None:
        """Make safe what was kept; may block, and is called in a thread."""
        ...
