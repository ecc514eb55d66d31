"""What a case may hold, and what it becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from minos.cases.assertions.base import Assertion, AssertionType
from minos.cases.assertions.names import meant
from minos.cases.case import Case
from minos.cases.expected import read_expected
from minos.cases.findings import Findings, Path

MEMBERS = (
    "id",
    "input",
    "evaluation_input",
    "actual_output",
    "expected_output",
    "context",
    "retrieval_context",
    "metadata",
    "expected",
)
_OF_THE_BATCH = {
    "threshold": "--threshold or gates.overall.threshold of a policy file",
    "pass_rate": "--threshold or gates.overall.threshold of a policy file",
    "strict": "--strict",
    "group_by": "--group-by or gates.groups.by of a policy file",
    "group_threshold": "--group-threshold or gates.groups.threshold of a policy file",
    "gates": "a policy file",
    "repeat": "--repeat or sampling.repeat of a policy file",
    "pass_rule": "--pass-rule or sampling.pass_rule of a policy file",
    "sampling": "a policy file",
}
_NEEDED = {"faithful": "context", "correctness": "expected_output", "similar": "expected_output"}
"""What an assertion needs of its case."""


def check_case(
    value: object, registry: Mapping[str, AssertionType], findings: Findings
) -> list[Assertion]:
    """Check a value that should be a case.

    Args:
        value: A JSON value.
        registry: The assertions there are.
        findings: Gets what is found.

    Returns:
        The assertions of the case, as far as they can be read.
    """
    if not isinstance(value, dict):
        findings.problem("not-an-object", (), "A case must be an object.")
        return []
    for name in value:
        if name not in MEMBERS:
            findings.unknown((name,), _unknown(name))
    for name, check in _CHECKS:
        if name in value:
            check((name,), value[name], findings)
    if value.get("input") is None:
        findings.missing(("input",))
    assertions = read_expected(value.get("expected"), registry, findings)
    _warn(value, assertions, findings)
    return assertions


def case_of(value: Mapping[str, Any], name: str) -> Case:
    """Make a case of an object that has been found right.

    Args:
        value: The object.
        name: The id of a case that has none.
    """
    members: dict[str, Any] = {
        member: value[member] for member in MEMBERS if member in value and member != "expected"
    }
    members["id"] = members.get("id") or name
    return Case(**members)


def written(case: Case, expected: object = None) -> dict[str, Any]:
    """Return a case as a file holds it, without the members that say nothing.

    Args:
        case: The case.
        expected: What it expects, as a file says it; None for nothing.
    """
    members = {name: getattr(case, name) for name in MEMBERS if name != "expected"}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in {**members, "expected": expected}.items()
        if value is not None
    }


def _unknown(name: str) -> str:
    if name in _OF_THE_BATCH:
        return (
            f"'{name}' is no matter of a data set: it belongs to the run, as {_OF_THE_BATCH[name]};"
            " the threshold of an assertion stands beside it in 'expected'."
        )
    return f"'{name}' is not a member of a case{meant(name, MEMBERS)}"


def _text(path: Path, value: object, findings: Findings) -> None:
    if value is not None and not isinstance(value, str):
        findings.invalid(path, "text", value)


def _id(path: Path, value: object, findings: Findings) -> None:
    if value == "":
        findings.invalid(path, "text that is not empty")
    else:
        _text(path, value, findings)


def _texts(path: Path, value: object, findings: Findings) -> None:
    if value is None or isinstance(value, str):
        return
    if not isinstance(value, list):
        findings.invalid(path, "text or a list of texts", value)
        return
    for index, entry in enumerate(value):
        if not isinstance(entry, str):
            findings.invalid((*path, index), "text", entry)


def _object(path: Path, value: object, findings: Findings) -> None:
    if value is not None and not isinstance(value, dict):
        findings.invalid(path, "an object")


_CHECKS: tuple[tuple[str, Callable[[Path, object, Findings], None]], ...] = (
    ("id", _id),
    ("evaluation_input", _text),
    ("actual_output", _text),
    ("expected_output", _text),
    ("context", _texts),
    ("retrieval_context", _texts),
    ("metadata", _object),
)


def _warn(value: Mapping[str, Any], assertions: list[Assertion], findings: Findings) -> None:
    if not value.get("expected"):
        message = "The case has no assertions: running it is an error."
        findings.warn("no-assertions", ("expected",), message)
    for each in assertions:
        needed = _NEEDED.get(each.type)
        if needed is not None and value.get(needed) is None:
            findings.warn(
                "missing-member",
                ("expected", each.type),
                f"'{each.type}' needs '{needed}', which the case does not have.",
            )
