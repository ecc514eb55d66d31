"""What a case expects: assertions, as a map with shorthand and option forms, or as a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minos.cases.assertions.base import Assertion, AssertionType, OptionsError
from minos.cases.assertions.dispatch import unknown_options
from minos.cases.assertions.names import advice, meant
from minos.cases.findings import Findings, Path, hint_to_quote, shown


def read_expected(
    value: object, registry: Mapping[str, AssertionType], findings: Findings
) -> list[Assertion]:
    """Read the member `expected` of a case, and tell what is wrong with it.

    Args:
        value: The member; None where there is none.
        registry: The assertions there are.
        findings: Gets what is found.

    Returns:
        The assertions in file order, without those that are wrong.
    """
    match value:
        case None:
            return []
        case dict():
            entries = [(("expected", name), name, given) for name, given in value.items()]
        case list():
            entries = []
            for index, name in enumerate(value):
                if isinstance(name, str):
                    entries.append((("expected", index), name, {}))
                else:
                    findings.invalid(
                        ("expected", index),
                        "the name of an assertion (options stand in a map: `name: {option: ...}`)",
                    )
        case _:
            findings.invalid(("expected",), "a map of assertions or a list of their names")
            return []
    read = [_assertion(path, name, given, registry, findings) for path, name, given in entries]
    return [each for each in read if each is not None]


def known_right(value: object) -> tuple[Assertion, ...]:
    """Return the assertions of a member `expected` that has been found right."""
    match value:
        case dict():
            return tuple(
                Assertion(name, given if isinstance(given, dict) else {"value": given})
                for name, given in value.items()
            )
        case list():
            return tuple(Assertion(name) for name in value)
        case _:
            return ()


def _assertion(
    path: Path,
    name: str,
    given: object,
    registry: Mapping[str, AssertionType],
    findings: Findings,
) -> Assertion | None:
    kind = registry.get(name)
    if kind is None:
        message = f"There is no assertion '{name}'{advice(name, registry)}"
        findings.problem("unknown-assertion", path, message, is_of_member=True)
        return None
    is_short = not isinstance(given, dict)
    if is_short and "value" not in kind.options and not kind.takes_any_option:
        message = f"'{shown(path)}' takes no value of its own: write `{name}: {{}}`"
        hint = f" or `{name}: {{{kind.options[0]}: ...}}`" if kind.options else ""
        findings.problem("invalid-option", path, f"{message}{hint}.")
        return None
    options: dict[str, Any] = {"value": given} if not isinstance(given, dict) else given
    before = len(findings.problems)
    for option in unknown_options(kind, options):
        near = meant(option, kind.options)
        if near == ".":
            near = f" (it takes {', '.join(kind.options) or 'none'})."
        findings.problem(
            "unknown-option",
            (*path, option),
            f"'{option}' is not an option of {name}{near}",
            is_of_member=True,
        )
    for option in kind.texts:
        at = path if is_short else (*path, option)
        _numbers_for_text(at, options.get(option), findings)
    if len(findings.problems) == before:
        _read(path, kind, options, findings, is_short=is_short)
    return Assertion(name, options) if len(findings.problems) == before else None


def _numbers_for_text(path: Path, value: object, findings: Findings) -> None:
    entries = enumerate(value) if isinstance(value, list) else ()
    for at, each in ((path, value), *(((*path, index), entry) for index, entry in entries)):
        hint = hint_to_quote(each)
        if hint:
            message = f"'{shown(at)}' must be text{hint}."
            findings.problem("invalid-option", at, message)


def _read(
    path: Path,
    kind: AssertionType,
    options: Mapping[str, Any],
    findings: Findings,
    *,
    is_short: bool,
) -> None:
    try:
        kind.read(options)
        kind.read_in_file(options)
    except OptionsError as error:
        at = path
        if not is_short and error.option in options:
            at = (*at, error.option)
        if error.index is not None and (is_short or error.option in options):
            at = (*at, error.index)
        findings.problem("invalid-option", at, f"'{shown(at)}': {error}.")
