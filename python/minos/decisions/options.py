"""How a data set is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from minos.attempts.budget import Limits
from minos.attempts.progress import ProgressReceiver
from minos.attempts.scheduler import Slots
from minos.attempts.selection import Selection
from minos.decisions.records import ItemResult

if TYPE_CHECKING:
    from minos.decisions.prices import PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRunOptions:
    """How a data set is run.

    Attributes:
        dataset_name: The name of the data set, for the header.
        provider: The name of the provider, for the header; the provider's own when left out.
        model: The model that is asked, for the header; the provider's own when left out.
        max_parallelism: How many items run at a time.
        progress: Called once for each item that finishes, one at a time. What it raises stops
            the run.
        timeout_s: Seconds that one item may take, its retries included; it fails with `Timeout`.
        run_timeout_s: Seconds that the whole run may take.
        limit: Run only the first so many items.
        sample: Run only so many items, spread over the sources of the data set in proportion.
        sample_seed: Which sample.
        ids: Run only the items whose id is one of these or matches one as a pattern (`*`, `?`,
            `[abc]`).
        max_cost_usd: Stop before the run would cost more than this, in US dollars.
        max_requests: Stop before more requests than this are sent, retries included.
        prices: What models cost whose provider reports no cost; for `max_cost_usd` and progress.

    Raises:
        ValueError: An option makes no sense, such as a parallelism of 0.
    """

    dataset_name: str = "dataset"
    provider: str | None = None
    model: str | None = None
    max_parallelism: int = 1
    progress: ProgressReceiver[ItemResult] | None = None
    timeout_s: float | None = None
    run_timeout_s: float | None = None
    limit: int | None = None
    sample: int | None = None
    sample_seed: int = 0
    ids: tuple[str, ...] = ()
    max_cost_usd: float | None = None
    max_requests: int | None = None
    prices: PriceTable | None = None

    def __post_init__(self) -> None:
        # Each of these checks its part.
        self.selection()
        self.slots()

    def selection(self) -> Selection:
        """Return which items run."""
        return Selection(
            limit=self.limit, sample=self.sample, seed=self.sample_seed, ids=tuple(self.ids)
        )

    def slots(self) -> Slots[ItemResult]:
        """Return how the items are run."""
        return Slots(
            count=self.max_parallelism,
            timeout_s=self.timeout_s,
            run_timeout_s=self.run_timeout_s,
            limits=Limits(max_cost_usd=self.max_cost_usd, max_requests=self.max_requests),
            progress=self.progress,
        )
