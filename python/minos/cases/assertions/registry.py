"""Which assertions there are: those of minos, those of installed packages and of plug-ins."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from types import ModuleType
from typing import Any, TypeAlias

from minos.cases.assertions import (
    affixes,
    contains,
    distance,
    json_schema,
    json_text,
    judged,
    lengths,
    limits,
    pattern,
    tools,
)
from minos.cases.assertions.base import AssertionType, Check, Observed, Options, Verdict
from minos.errors import ConfigError
from minos.subjects.base import is_json

ENTRY_POINTS = "minos.assertions"
"""The group of entry points by which an installed package brings assertions."""

_BUILT_IN = (
    contains.CONTAINS,
    contains.CONTAINS_ALL,
    contains.CONTAINS_ANY,
    contains.NOT_CONTAINS,
    pattern.REGEX,
    json_text.IS_JSON,
    json_schema.JSON_SCHEMA,
    affixes.STARTS_WITH,
    affixes.ENDS_WITH,
    affixes.EQUALS,
    lengths.MIN_LENGTH,
    lengths.MAX_LENGTH,
    lengths.WORD_COUNT,
    distance.LEVENSHTEIN,
    limits.LATENCY_MS,
    limits.COST_USD,
    tools.TOOL_CALLS,
    *judged.JUDGES,
    judged.SIMILAR,
)

Function: TypeAlias = Callable[[Observed, Options], Any]
"""An assertion as a function: returns a `Verdict` or a truth value, or an awaitable of one."""


class Registry(Mapping[str, AssertionType]):
    """Assertions by name. Immutable."""

    def __init__(self, types: Iterable[AssertionType]) -> None:
        """Take these assertions.

        Raises:
            ConfigError: Two of them have one name.
        """
        self._types: dict[str, AssertionType] = {}
        for each in types:
            if each.name in self._types:
                raise ConfigError(f"there are two assertions named {each.name!r}")
            self._types[each.name] = each

    def __getitem__(self, name: str) -> AssertionType:
        return self._types[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def with_types(self, types: Iterable[AssertionType]) -> Registry:
        """Return a registry with more assertions.

        Raises:
            ConfigError: A name is taken.
        """
        return Registry((*self.values(), *types))


@cache
def built_in() -> Registry:
    """Return the assertions of minos itself."""
    return Registry(_BUILT_IN)


@cache
def installed() -> Registry:
    """Return the assertions of minos and of the installed packages that bring some.

    Raises:
        ConfigError: One cannot be imported, is none, or takes a name that is taken.
    """
    return built_in().with_types(
        each
        for point in importlib.metadata.entry_points(group=ENTRY_POINTS)
        for each in _entry_point(point)
    )


def assertion(
    name: str, *, options: Iterable[str] | None = None
) -> Callable[[Function], AssertionType]:
    """Make an assertion of a function `(observed, options) -> Verdict | bool`.

    Args:
        name: Its name in data sets.
        options: The options that it takes; any when left out.

    Example:
        ```python
        @assertion("polite", options=["word"])
        def polite(observed, options):
            return options.get("word", "please") in observed.output
        ```
    """

    def make(function: Function) -> AssertionType:
        return AssertionType(
            name=name,
            read=partial(_custom_check, function),
            options=("value",) if options is None else tuple(options),
            takes_any_option=options is None,
        )

    return make


def assertions_of(module: ModuleType) -> list[AssertionType]:
    """Return the assertions that stand in a module.

    Raises:
        ConfigError: There are none.
    """
    found = [each for each in vars(module).values() if isinstance(each, AssertionType)]
    if not found:
        raise ConfigError(
            f"{module.__name__} brings no assertions",
            hint="make some with @minos.cases.assertion",
        )
    return found


def _custom_check(function: Function, options: Options) -> Check:
    async def check(observed: Observed) -> Verdict:
        came = function(observed, options)
        if hasattr(came, "__await__"):
            came = await came
        if isinstance(came, Verdict):
            if is_json(dict(came.details)):
                return came
            return Verdict.error("Unexpected assertion result: details that JSON cannot hold")
        if isinstance(came, bool):
            return Verdict.passed() if came else Verdict.failed("Assertion failed")
        return Verdict.error(f"Unexpected assertion result: {type(came).__name__}")

    return check


def _entry_point(point: importlib.metadata.EntryPoint) -> list[AssertionType]:
    try:
        loaded = point.load()
    except Exception as error:
        raise ConfigError(
            f"the assertions of {point.value} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if isinstance(loaded, AssertionType):
        return [loaded]
    if isinstance(loaded, ModuleType):
        return assertions_of(loaded)
    raise ConfigError(f"{point.value} is no assertion but {type(loaded).__name__}")
