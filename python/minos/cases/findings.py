"""Collects what is wrong with one case, and what its author should know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The names and indices that lead to a value of a case."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    Attributes:
        code: A stable name.
        path: Where in the case.
        message: In words.
        is_of_member: Whether it is about a member as a whole, which starts with its name.
    """

    code: str
    path: Path
    message: str
    is_of_member: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in one case, in order.

    Attributes:
        problems: What is wrong.
        warnings: What may be meant but is worth a word.
    """

    problems: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    def missing(self, path: Path) -> None:
        """Tell of a member that is not there."""
        self.problems.append(Finding("missing-member", path, f"'{shown(path)}' is required."))

    def invalid(self, path: Path, wanted: str, value: object = None) -> None:
        """Tell of a value that is not what it must be.

        Args:
            path: Where it stands.
            wanted: What it must be.
            value: The value, where it is a number or a truth value in the place of text.
        """
        message = f"'{shown(path)}' must be {wanted}{hint_to_quote(value)}."
        self.problems.append(Finding("invalid-member", path, message))

    def unknown(self, path: Path, message: str) -> None:
        """Tell of a member that no case has."""
        self.problems.append(Finding("unknown-member", path, message, is_of_member=True))

    def problem(self, code: str, path: Path, message: str, *, is_of_member: bool = False) -> None:
        """Tell of anything else that is wrong."""
        self.problems.append(Finding(code, path, message, is_of_member))

    def warn(self, code: str, path: Path, message: str) -> None:
        """Tell of something that is not wrong."""
        self.warnings.append(Finding(code, path, message))


def shown(path: Path) -> str:
    """Return a path in a case as messages show it: `expected.contains_all[1]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def hint_to_quote(value: object) -> str:
    """Say how to write a number or a truth value as text; empty for any other value."""
    if isinstance(value, bool):
        return f': write "{"true" if value else "false"}" in quotes'
    if isinstance(value, int | float):
        return f': write "{value}" in quotes'
    return ""
