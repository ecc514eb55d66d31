"""The exit codes of every command."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended."""

    OK = 0
    """It did what it was asked."""
    FAILURE = 1
    """A run-time failure, a run that stopped, a gate or a check that failed."""
    USAGE = 2
    """Input, usage or configuration is wrong, missing or unreadable."""
    CANCELLED = 130
    """It was cancelled."""
