"""When a case that was attempted several times has passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["all", "any", "majority", "rate"]


@dataclass(frozen=True, slots=True)
class PassRule:
    """How many attempts of a case must pass. Made with `parse`, `rate`, or by kind.

    Attributes:
        kind: `all`, `any` (at least one), `majority` (more than half) or `rate`.
        share: The least share that must pass, from 0 to 1; of a rate only.

    Raises:
        ValueError: There is no such rule.
    """

    kind: Kind = "all"
    share: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in {"all", "any", "majority", "rate"}:
            raise ValueError(
                f"unsupported pass rule {self.kind!r}; expected all, any, majority, or a rate"
            )
        if (self.kind == "rate") != (self.share is not None):
            raise ValueError("a rate, and no other pass rule, has a share")
        if self.share is not None and not 0 <= self.share <= 1:
            raise ValueError("the rate of a pass rule must be between 0.0 and 1.0")

    @classmethod
    def rate(cls, share: float) -> PassRule:
        """Ask for at least this share of the attempts, from 0 to 1."""
        return cls("rate", float(share))

    @classmethod
    def parse(cls, text: str) -> PassRule:
        """Read `all`, `any`, `majority` or `rate:0.8`.

        Raises:
            ValueError: It is none of these; the message begins with the text.
        """
        if text in {"all", "any", "majority"}:
            return cls(text)  # type: ignore[arg-type]
        kind, colon, share = text.partition(":")
        try:
            value = float(share)
        except ValueError:
            colon = ""
        if kind != "rate" or not colon:
            raise ValueError(f"{text!r} is none of all, any, majority, or rate:0.8")
        return cls.rate(value)

    @classmethod
    def of(cls, value: object) -> PassRule:
        """Take a rule, its text, or `{"rate": 0.8}` for a rule.

        Raises:
            ValueError: It is none of these.
        """
        if isinstance(value, PassRule):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        if isinstance(value, Mapping) and set(value) == {"rate"}:
            share = value["rate"]
            if isinstance(share, int | float) and not isinstance(share, bool):
                return cls.rate(share)
        raise ValueError("a pass rule is all, any, majority, or a rate from 0 to 1")

    def is_met(self, passed: int, attempts: int) -> bool:
        """Whether so many passed attempts of so many are enough. Shares are compared exactly."""
        match self.kind:
            case "all":
                return passed == attempts
            case "any":
                return passed >= 1
            case "majority":
                return 2 * passed > attempts
            case _:
                return meets(passed, attempts, self.share or 0.0)

    def to_json(self) -> Any:  # noqa: ANN401 (a JSON value)
        """Return the rule as it stands in files: its name, or `{"rate": 0.8}`."""
        return {"rate": self.share} if self.kind == "rate" else self.kind

    def __str__(self) -> str:
        return f"rate >= {self.share}" if self.kind == "rate" else self.kind


def meets(passed: int, total: int, threshold: float) -> bool:
    """Whether a share reaches a threshold, without a rounding of either: 4 of 5 is 0.8."""
    return total > 0 and Fraction(passed, total) >= Fraction(repr(threshold))
