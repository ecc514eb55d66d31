"""Rules over any figure of any report."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

On: TypeAlias = Literal["value", "lower", "upper"]

_KNOWN = ("metric", "slice", "on", "min", "max")
_SELECTORS = ("key", "value", "name", "id")
"""The members by which an entry of a list is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a figure of a report has to be.

    Attributes:
        metric: The member of the slice, such as `accuracy` or `pass_rate`.
        slice: Where in the report, as names joined with dots: `overall`, `questions.urgent`,
            `metrics.contains`; an entry of a list is chosen by its `key`, `value`, `name` or `id`.
        on: The figure itself, or an end of its interval.
        min: The least it may be; None for no limit.
        max: The most it may be; None for no limit.
    """

    metric: str
    slice: str = ""
    on: On = "value"
    min: float | None = None
    max: float | None = None

    @classmethod
    def read(cls, value: object, tell: Callable[[str], None]) -> Rule | None:
        """Read a rule of a policy file.

        Args:
            value: A JSON value.
            tell: Gets what is wrong with it.
        """
        if not isinstance(value, dict):
            tell("a rule must be a map")
            return None
        unknown = [name for name in value if name not in _KNOWN]
        if unknown:
            tell(f"unknown keys of a rule: {', '.join(unknown)} (metric, slice, on, min, max)")
            return None
        metric, part, on = value.get("metric"), value.get("slice", ""), value.get("on", "value")
        limits = [value.get("min"), value.get("max")]
        if not isinstance(metric, str) or not metric:
            tell("a rule needs a metric")
        elif not isinstance(part, str):
            tell("the slice of a rule must be text")
        elif on not in get_args(On):
            tell("a rule is on value, lower or upper")
        elif any(limit is not None and not _is_number(limit) for limit in limits):
            tell("min and max of a rule must be numbers")
        elif limits == [None, None]:
            tell("a rule needs min or max")
        else:
            return cls(metric=metric, slice=part, on=on, min=limits[0], max=limits[1])
        return None

    def __str__(self) -> str:
        place = f"{self.slice}.{self.metric}" if self.slice else self.metric
        place = place if self.on == "value" else f"{self.on} end of {place}"
        least = "" if self.min is None else f" >= {self.min}"
        most = "" if self.max is None else f" <= {self.max}"
        return f"{place}{least}{' and' if least and most else ''}{most}"


@dataclass(frozen=True, slots=True)
class RuleResult:
    """How a rule came out over one report.

    Attributes:
        rule: The rule.
        observed: The figure; None where the report has none.
        passed: Whether the rule holds. A figure that is not there never makes it hold.
        reason: Why it does not; empty where it does.
    """

    rule: Rule
    observed: float | None
    passed: bool
    reason: str = ""


def apply_rules(rules: Sequence[Rule], report: Mapping[str, Any]) -> list[RuleResult]:
    """Hold a report against rules.

    Args:
        rules: The rules.
        report: A report's JSON document, of any family.
    """
    return [_apply(rule, report) for rule in rules]


def _apply(rule: Rule, report: Mapping[str, Any]) -> RuleResult:
    part: object = report
    for step in rule.slice.split(".") if rule.slice else ():
        part = _step(part, step)
        if part is None:
            return RuleResult(rule, None, False, f"the report has no slice {rule.slice!r}")
    value = _step(part, rule.metric)
    if rule.on != "value":
        interval = _step(part, f"{rule.metric}Interval") or _step(part, f"{rule.metric}_interval")
        value = _step(interval, rule.on)
    if not _is_number(value):
        return RuleResult(rule, None, False, f"the report does not say what {_place(rule)} is")
    assert isinstance(value, int | float)  # noqa: S101 (for the type checker)
    if rule.min is not None and value < rule.min:
        return RuleResult(rule, value, False, f"{value} is below {rule.min}")
    if rule.max is not None and value > rule.max:
        return RuleResult(rule, value, False, f"{value} is above {rule.max}")
    return RuleResult(rule, value, True)


def _place(rule: Rule) -> str:
    return rule.metric if rule.on == "value" else f"the {rule.on} end of {rule.metric}"


def _step(value: object, name: str) -> object:
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, list):
        for selector in _SELECTORS:
            found = [
                each for each in value if isinstance(each, dict) and each.get(selector) == name
            ]
            if len(found) == 1:
                return found[0]
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
