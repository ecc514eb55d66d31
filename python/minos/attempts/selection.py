"""Which attempts of a data set a run makes."""

from __future__ import annotations

import fnmatch
import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minos.attempts.sampling import sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A part of a data set. Without any member it is the whole.

    The ids are matched first, then the sample is drawn from what they leave, then the offset is
    passed over and the limit taken. The order is always that of the data set.

    Attributes:
        offset: Not the first so many, at least 0.
        limit: The first so many, at least 1.
        sample: So many, spread over the parts of the data set in proportion, at least 1.
        seed: Which sample: the same seed draws the same one, whatever the order of the file;
            from 0 to 2**64 - 1.
        ids: Patterns (`*`, `?`, `[abc]`) of which an id has to match one, or be it letter for
            letter.
    """

    offset: int = 0
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.offset < 0:
            raise ValueError("the offset cannot be negative")
        for name in ("limit", "sample"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"the {name} must be at least 1")
        if not 0 <= self.seed < 2**64:
            raise ValueError("the seed must be from 0 to 2**64 - 1")

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out on purpose."""
        return not (self.offset or self.limit or self.sample or self.ids)

    def choose(
        self,
        count: int,
        id_of: Callable[[int], str],
        stratum_of: Callable[[int], str | None],
        key_of: Callable[[int], str] | None = None,
        among: Sequence[int] | None = None,
    ) -> Sequence[int]:
        """Choose from a data set.

        Args:
            count: How many items it has.
            id_of: The id of an item by its index.
            stratum_of: The part of the data set that an item belongs to; None is a part too.
            key_of: What a sample ranks an item by; its id when left out.
            among: The indices to choose from, in ascending order; all when left out.

        Returns:
            The chosen indices in ascending order.

        Raises:
            ValueError: A pattern of `ids` matches no id.
        """
        chosen = range(count) if among is None else among
        if self.ids:
            chosen = self._matching(chosen, id_of)
        if self.sample is not None:
            chosen = sample(chosen, self.sample, self.seed, stratum_of, key_of or id_of)
        return chosen[self.offset :][: self.limit]

    def _matching(self, indices: Sequence[int], id_of: Callable[[int], str]) -> Sequence[int]:
        patterns = [(text, re.compile(fnmatch.translate(text))) for text in self.ids]
        unmatched = set(self.ids)
        chosen = array("q")
        for index in indices:
            name = id_of(index)
            hits = [text for text, pattern in patterns if text == name or pattern.match(name)]
            if hits:
                chosen.append(index)
                unmatched.difference_update(hits)
        for text in self.ids:
            if text in unmatched:
                raise ValueError(f"no id matches {text!r}")
        return chosen
