"""Whole processes, measured from their start to their end.

What the package is compiled to is written before: an installed package brings its bytecode along.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
FINE = (0, 2)
"""Exit codes of a process that did its work; minos ends with 2 where a file has problems."""


@dataclass(slots=True)
class Measured:
    """The rounds of one contender."""

    cpu_s: list[float] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)
    peak_mib: list[float] = field(default_factory=list)

    def medians(self) -> tuple[float, float, float]:
        """Return the medians of CPU seconds, wall seconds and MiB."""
        columns = (self.cpu_s, self.wall_s, self.peak_mib)
        cpu_s, wall_s, peak_mib = map(statistics.median, columns)
        return cpu_s, wall_s, peak_mib


def environment() -> dict[str, str]:
    """Return the environment of a contender: it finds the packages, and their bytecode is kept."""
    found = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parents[1]), *sys.path])
    }
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def run(commands: Sequence[Sequence[str]], measured: Measured) -> None:
    """Run processes once, all of them at once; what they use is added up."""
    started_s = time.perf_counter()
    processes = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment())
        for command in commands
    ]
    cpu_s = peak_mib = 0.0
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in FINE:
            raise SystemExit(f"{process.args!r} ended with {process.returncode}")
        cpu_s += usage.ru_utime + usage.ru_stime
        peak_mib += usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)
    measured.wall_s.append(time.perf_counter() - started_s)
    measured.cpu_s.append(cpu_s)
    measured.peak_mib.append(peak_mib)


def take_turns(
    contenders: Mapping[str, Sequence[Sequence[str]]], rounds: int
) -> dict[str, Measured]:
    """Run every contender once in each round, so that what else the machine does meets all."""
    results = {name: Measured() for name in contenders}
    for _ in range(rounds):
        for name, commands in contenders.items():
            run(commands, results[name])
    return results


def warm(path: Path) -> None:
    """Read a file into the page cache, in pieces: a child counts its parent's memory as its own."""
    with path.open("rb") as opened:
        while opened.read(1 << 20):
            pass
