"""What went wrong, as one line, a hint and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, fspath

import click

from minos.cli.exit_codes import ExitCode
from minos.errors import ConfigError, DecisionError, MinosError, ProblemsError, RunError
from minos.problems import DatasetProblem


class InputError(MinosError):
    """An input that is missing or cannot be read, which is a fault of the call: exit code 2.

    Attributes:
        hint: What to do about it; may be empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@contextmanager
def reading(path: str | PathLike[str] | None = None) -> Iterator[None]:
    """Take an operating system error for an input that cannot be read.

    Args:
        path: The input; None where several are read at once and the error names the one.

    Raises:
        InputError: The body raised an OSError.
    """
    try:
        yield
    except OSError as error:
        named = error.filename if path is None else fspath(path)
        place = f"{named}: " if named is not None else ""
        raise InputError(f"cannot read {place}{_reason(error)}") from error


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a command ends without having done what it was asked.

    Attributes:
        exit_code: What the process ends with.
        code: A stable name for programs: `usage`, `config`, `input`, `problems`, `run`,
            `provider`, `io`, `cancelled`, `failed` or `internal`.
        message: What is wrong, raw.
        hint: What to do about it, where there is a next step; else empty.
        problems: Every problem of an input, in order.
    """

    exit_code: ExitCode
    code: str
    message: str
    hint: str = ""
    problems: tuple[DatasetProblem, ...] = ()


_ENDS: tuple[tuple[type[BaseException], ExitCode, str], ...] = (
    (KeyboardInterrupt, ExitCode.CANCELLED, "cancelled"),
    (click.Abort, ExitCode.CANCELLED, "cancelled"),
    (click.ClickException, ExitCode.USAGE, "usage"),
    (ProblemsError, ExitCode.USAGE, "problems"),
    (ConfigError, ExitCode.USAGE, "config"),
    (InputError, ExitCode.USAGE, "input"),
    (RunError, ExitCode.FAILURE, "run"),
    (DecisionError, ExitCode.FAILURE, "provider"),
    (MinosError, ExitCode.FAILURE, "failed"),
    (OSError, ExitCode.FAILURE, "io"),
    (BaseException, ExitCode.FAILURE, "internal"),
)
"""How each exception ends a command: the first row that fits."""


def describe(error: BaseException) -> Failure:
    """Say what an exception means to the person who called the command."""
    exit_code, code = next(end[1:] for end in _ENDS if isinstance(error, end[0]))
    hint = str(getattr(error, "hint", ""))
    problems: tuple[DatasetProblem, ...] = ()
    match error:
        case KeyboardInterrupt() | click.Abort():
            message = "cancelled"
        case click.ClickException():
            message = error.format_message()
            if not hint and isinstance(error, click.UsageError) and error.ctx is not None:
                hint = f"see `{error.ctx.command_path} --help`"
        case ProblemsError():
            problems = tuple(error.problems)
            count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
            message = f"{error.title}: {count}" if error.title else count
        case OSError():
            place = f"{error.filename}: " if error.filename is not None else ""
            message = place + _reason(error)
        case MinosError():
            message = str(error)
        case _:
            message = f"unexpected {type(error).__name__}: {error}"
            hint = "this is a fault of minos; MINOS_DEBUG=1 shows where it happened"
    return Failure(exit_code, code, message, hint, problems)


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__
