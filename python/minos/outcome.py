"""What a load gives: a value, or every problem that stood in its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, NoReturn, TypeAlias, TypeVar

from minos.errors import ProblemsError

if TYPE_CHECKING:
    from minos.problems import DatasetProblems

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Ok(Generic[T_co]):
    """A value without problems."""

    value: T_co

    @property
    def is_ok(self) -> Literal[True]:
        """Always true."""
        return True

    def unwrap(self) -> T_co:
        """Return the value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Err:
    """Every problem that was found, in order.

    Attributes:
        problems: At least one problem.
        title: What failed, as the first words of the error that `unwrap` raises; may be empty.
    """

    problems: DatasetProblems
    title: str = ""

    @property
    def is_ok(self) -> Literal[False]:
        """Always false."""
        return False

    def unwrap(self) -> NoReturn:
        """Raise the problems.

        Raises:
            ProblemsError: Always; it carries every problem.
        """
        raise ProblemsError(self.problems, self.title)


Outcome: TypeAlias = Ok[T_co] | Err
