"""What providers warn of while a command runs, told as notes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from minos.cli.output import Output


class _Notes(logging.Handler):
    def __init__(self, output: Output) -> None:
        super().__init__(logging.WARNING)
        self._output = output

    def emit(self, record: logging.LogRecord) -> None:
        self._output.note(record.getMessage())


@contextmanager
def provider_warnings(output: Output) -> Iterator[None]:
    """Tell people what providers warn of, while the body runs.

    Args:
        output: The voice of the command.
    """
    logger = logging.getLogger("minos.providers")
    handler = _Notes(output)
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield
    finally:
        logger.propagate = propagates
        logger.removeHandler(handler)
