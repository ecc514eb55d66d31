"""A command as a subject: the question on its standard input, the answer on its output."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from minos.errors import ConfigError
from minos.subjects.base import Question, Reply, SubjectError
from minos.subjects.wire import LARGEST_REPLY, question_json, reply_of

_TERM_TO_KILL_S = 2.0
_LAST_STDERR = 4096


class CommandSubject:
    """A command that is started once for each attempt, without a shell.

    It gets the question as one JSON document on its standard input and answers on its standard
    output (up to 16 MiB). A status other than 0 is a failure. It leads a process group of its own,
    which an attempt that ends early takes with it: TERM, and KILL two seconds later.

    Attributes:
        name: What the results file calls it.
    """

    def __init__(self, command: str) -> None:
        """Split a command as a shell would, quotes included.

        Raises:
            ConfigError: There is nothing in it, or a quote that does not end.
        """
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"the command cannot be split: {error}") from None
        if not self._words:
            raise ConfigError("the command is empty")
        self.name = os.path.basename(self._words[0])  # noqa: PTH119 (text, not a path)

    async def ask(self, question: Question) -> Reply:
        """Start the command and wait for its end.

        Raises:
            SubjectError: It cannot be started, fails, or says too much.
        """
        try:
            process = await anyio.open_process(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise SubjectError(f"{self._words[0]} cannot be started: {reason}") from error
        try:
            output, last = await _exchange(process, question_json(question))
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
        if len(output) > LARGEST_REPLY:
            raise SubjectError("the command printed more than 16 MiB")
        if process.returncode:
            raise SubjectError(_failed(process.returncode, last))
        return reply_of(output, "the command's output")

    async def aclose(self) -> None:
        """Do nothing: no process outlives its attempt."""


async def _exchange(process: Process, question: bytes) -> tuple[bytes, bytes]:
    """Hand over the question; return what is printed and the last of what is complained."""
    output, last = bytearray(), bytearray()
    assert process.stdin is not None  # noqa: S101 (all three are pipes)
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    async with anyio.create_task_group() as streams:
        streams.start_soon(_feed, process.stdin, question)
        streams.start_soon(_drain, process.stderr, last)
        async for chunk in process.stdout:
            output += chunk
            if len(output) > LARGEST_REPLY:
                streams.cancel_scope.cancel()
                return bytes(output), bytes(last)
        await process.wait()
    return bytes(output), bytes(last)


async def _feed(stream: ByteSendStream, question: bytes) -> None:
    try:
        await stream.send(question)
        await stream.aclose()
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        pass  # the command does not want to know


async def _drain(stream: ByteReceiveStream, last: bytearray) -> None:
    async for chunk in stream:
        last += chunk
        del last[:-_LAST_STDERR]


async def _end(process: Process) -> None:
    """End the process and all that it started."""
    if process.returncode is None:
        _signal(process, signal.SIGTERM)
        with anyio.move_on_after(_TERM_TO_KILL_S):
            await process.wait()
    _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    await process.wait()
    await process.aclose()


def _signal(process: Process, number: int) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        elif process.returncode is None:
            process.send_signal(number)  # type: ignore[arg-type]
    except (ProcessLookupError, PermissionError):
        pass  # it ended by itself


def _failed(code: int, last: bytes) -> str:
    how = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
    lines = last.decode("utf-8", "replace").split("\n")
    told = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"the command {how}: {told}" if told else f"the command {how}"
