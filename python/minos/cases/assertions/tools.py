"""Which tools the subject called: tool_calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from minos.cases.assertions.base import (
    AssertionType,
    Check,
    Observed,
    Options,
    OptionsError,
    Verdict,
)
from minos.cases.assertions.options import count, quoted, truth


def _tool_calls(options: Options) -> Check:
    wanted = _names(options)
    most = count(options, "tool_calls", "max")
    is_ordered = truth(options, "tool_calls", "in_order")
    is_closed = truth(options, "tool_calls", "only")
    if wanted is None and most is None:
        raise OptionsError("tool_calls requires a list of names as value, or max", "value")

    def check(observed: Observed) -> Verdict:
        if observed.tool_calls is None:
            return Verdict.error(
                "The calls of tools are not known: return an Answer with tool_calls"
            )
        called = [call.name for call in observed.tool_calls]
        reason = _fault(called, wanted, is_ordered=is_ordered, is_closed=is_closed)
        if not reason and most is not None and len(called) > most:
            reason = f"{len(called)} tool calls exceed max {most}"
        return Verdict.failed(reason, called=called) if reason else Verdict.passed(called=called)

    return check


def _names(options: Options) -> list[str] | None:
    value = options.get("value")
    if value is None:
        return None
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        raise OptionsError("tool_calls requires a list of names as value", "value")
    for index, name in enumerate(value):
        if not isinstance(name, str):
            raise OptionsError("tool_calls requires a list of names as value", "value", index)
    return list(value)


def _fault(
    called: Sequence[str], wanted: Sequence[str] | None, *, is_ordered: bool, is_closed: bool
) -> str:
    """Say what is wrong with the calls; empty where nothing is."""
    if wanted is None:
        return ""
    if not wanted:
        return f"Tools called: {quoted(list(called))}, but none may be" if called else ""
    missing = list((Counter(wanted) - Counter(called)).elements())
    if missing:
        return f"Tools not called: {quoted(missing)}"
    rest = iter(called)
    if is_ordered and not all(name in rest for name in wanted):
        return f"Tools not called in order: {quoted(list(wanted))}"
    others = [name for name in called if name not in wanted]
    if is_closed and others:
        return f"Other tools called: {quoted(others)}"
    return ""


TOOL_CALLS = AssertionType(
    name="tool_calls",
    read=_tool_calls,
    options=("value", "max", "in_order", "only"),
    texts=("value",),
)
