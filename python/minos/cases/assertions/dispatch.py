"""Holds an answer against assertions."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from minos._native import composed
from minos.cases.assertions.base import (
    Assertion,
    AssertionType,
    Evaluation,
    Observed,
    Options,
    OptionsError,
    Status,
    Verdict,
)
from minos.cases.assertions.names import advice

_NORMALISED = "after Unicode normalisation (NFC) of both texts it would be the other way round"


async def evaluate_all(
    observed: Observed,
    assertions: Iterable[Assertion],
    registry: Mapping[str, AssertionType],
    defaults: Options,
) -> tuple[Evaluation, ...]:
    """Hold an answer against assertions, one after the other. None stops those behind it.

    Args:
        observed: The answer, and what is known of it.
        assertions: What it is held against.
        registry: The assertions there are.
        defaults: Options for all of them; each gets those that it takes, its own go before.
    """
    return tuple(
        [
            Evaluation(type=each.type, verdict=await _evaluate(observed, each, registry, defaults))
            for each in assertions
        ]
    )


async def _evaluate(
    observed: Observed,
    assertion: Assertion,
    registry: Mapping[str, AssertionType],
    defaults: Options,
) -> Verdict:
    kind = registry.get(assertion.type)
    if kind is None:
        told = advice(assertion.type, registry).removesuffix(".")
        return Verdict.error(f"Unknown assertion type: {assertion.type}{told}")
    unknown = unknown_options(kind, assertion.options)
    if unknown:
        return Verdict.error(f"Unknown options for {kind.name}: [{', '.join(unknown)}]")
    options = {**_fitting(kind, defaults), **assertion.options}
    try:
        verdict = await _decide(kind, options, observed)
        if kind.is_of_text and verdict.status is not Status.ERROR:
            verdict = await _compared_with_normalised(kind, options, observed, verdict)
    except OptionsError as error:
        return Verdict.error(str(error))
    except Exception as error:  # noqa: BLE001 (whatever an assertion raises)
        return Verdict.error(f"{type(error).__name__}: {error}")
    return verdict


def unknown_options(kind: AssertionType, options: Options) -> list[str]:
    """Return the names of options that an assertion does not take."""
    if kind.takes_any_option:
        return []
    return [name for name in options if name not in kind.options]


def _fitting(kind: AssertionType, defaults: Options) -> dict[str, Any]:
    if kind.takes_any_option:
        return dict(defaults)
    return {name: value for name, value in defaults.items() if name in kind.options}


async def _decide(kind: AssertionType, options: Options, observed: Observed) -> Verdict:
    came = kind.read(options)(observed)
    return await came if inspect.isawaitable(came) else came


async def _compared_with_normalised(
    kind: AssertionType, options: Options, observed: Observed, verdict: Verdict
) -> Verdict:
    """Say so where the verdict hangs on how the same characters are encoded."""
    output = composed(observed.output)
    wanted = {name: _composed(value) for name, value in options.items()}
    if output == observed.output and wanted == options:
        return verdict
    other = await _decide(kind, wanted, replace(observed, output=output))
    if other.status is verdict.status:
        return verdict
    reason = f"{verdict.reason}; {_NORMALISED}" if verdict.reason else _NORMALISED
    return replace(verdict, reason=reason)


def _composed(value: Any) -> Any:  # noqa: ANN401 (a JSON value)
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, list | tuple):
        return [_composed(each) for each in value]
    return value
