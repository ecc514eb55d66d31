"""What a validation owes besides its speed: an end on Ctrl-C, cheap progress, linear growth."""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

from processes import FINE, HERE, Measured, environment

INTERRUPTS = 15
COMMAND = (sys.executable, "-m", "minos", "validate", "--max-problems", "0")
CANCELLED = 130


def interrupts(path: Path) -> str:
    """Interrupt validations, each a little later than the one before, and say how soon they end."""
    taken_ms = []
    for number in range(INTERRUPTS):
        # Over the same file several times, so that there is something to interrupt.
        command = [*COMMAND, "--quiet", *[str(path)] * 5]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
        )
        time.sleep(0.5 + number * 0.013)
        sent_s = time.perf_counter()
        process.send_signal(signal.SIGINT)
        code = process.wait()
        taken_ms.append((time.perf_counter() - sent_s) * 1e3)
        if code != CANCELLED:
            raise SystemExit(f"an interrupted validation ended with {code}")
    middle, longest = statistics.median(taken_ms), max(taken_ms)
    return (
        f"From SIGINT to the end of the process, {INTERRUPTS} times: "
        f"median {middle:.0f} ms, longest {longest:.0f} ms."
    )


def progress(path: Path, rounds: int) -> str:
    """Say what showing progress costs, where it goes to a file and where to a terminal."""
    ways = {
        "quiet": (["--quiet"], os.open(os.devnull, os.O_WRONLY)),
        "lines": ([], os.open(os.devnull, os.O_WRONLY)),
        "terminal": ([], None),
    }
    results = {way: Measured() for way in ways}
    for _ in range(rounds):
        for way, (arguments, told) in ways.items():
            command = [*COMMAND, *arguments, "--threads", "1", str(path)]
            results[way].cpu_s.append(_cpu_s(command, told))
    quiet, lines, terminal = (statistics.median(results[way].cpu_s) for way in ways)
    return (
        f"Progress over {path.stat().st_size / 1e9:.1f} GB: CPU {quiet:.2f} s without, "
        f"{lines:.2f} s as lines ({(lines / quiet - 1):+.1%}), {terminal:.2f} s as a bar on a "
        f"terminal ({terminal - quiet:+.2f} s, most of it once, to import what draws it)."
    )


def growth(counts: list[int]) -> str:
    """Validate ever more lines out of a pipe, and say what each of them costs."""
    rows = ["| lines | CPU s | microseconds a line | peak MiB |", "|---|---|---|---|"]
    for count in counts:
        writer = subprocess.Popen(
            [sys.executable, str(HERE / "generate.py"), "--items", str(count), "--tails", "1000"],
            stdout=subprocess.PIPE,
        )
        process = subprocess.Popen(
            [*COMMAND, "--quiet", "-"], stdin=writer.stdout, env=environment()
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if writer.wait() or process.returncode:
            raise SystemExit("the lines out of a pipe were not validated")
        cpu_s = usage.ru_utime + usage.ru_stime
        peak_mib = usage.ru_maxrss / (1 << 10)
        rows.append(f"| {count:,} | {cpu_s:.2f} | {cpu_s / count * 1e6:.2f} | {peak_mib:.0f} |")
    return "\n".join(rows)


def _cpu_s(command: list[str], told: int | None) -> float:
    """Run a command whose stderr is a file, or a terminal of its own; return its CPU seconds."""
    ours = None
    if told is None:
        ours, told = os.openpty()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=told, env=environment() | {"TERM": "xterm"}
    )
    if ours is not None:
        os.close(told)
        # Read until the process has closed its end, which Linux tells as an error.
        with contextlib.suppress(OSError):
            while os.read(ours, 1 << 16):
                pass
        os.close(ours)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in FINE:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
