"""Time and memory of `minos eval` over cases with deterministic assertions.

    python benches/python/bench_cases.py [--cases 10000]

Each format is run as a process of its own over recorded answers. CPU is user and system time of
the process, memory its peak above that of a process which only loads the command.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = [
    "you",
    "can",
    "return",
    "an",
    "item",
    "within",
    "30",
    "days",
    "with",
    "a",
    "receipt",
    "to",
    "any",
    "of",
    "our",
    "shops",
    "near",
    "you",
]


def cases(count: int) -> Iterator[dict[str, Any]]:
    """Yield cases of about 700 bytes, five assertions each."""
    for number in range(count):
        output = " ".join(WORDS[(number + at) % len(WORDS)] for at in range(60)) + f" {number}."
        yield {
            "input": {"question": f"What about order {number}?", "tier": number % 3},
            "actual_output": output,
            "metadata": {"category": f"c{number % 7}", "critical": number % 2 == 0},
            "expected": {
                "contains_all": ["30 days", str(number)],
                "not_contains": ["no returns", "never"],
                "regex": r"\d+ days",
                "max_length": 2000,
                "word_count": {"min": 10, "max": 100},
            },
        }


def write(folder: Path, count: int) -> list[Path]:
    """Write the same cases in every format."""
    paths = [folder / f"cases.{suffix}" for suffix in ("json", "jsonl", "yaml")]
    with paths[0].open("w") as file:
        json.dump(list(cases(count)), file, indent=1)
    with paths[1].open("w") as file:
        file.writelines(json.dumps(case) + "\n" for case in cases(count))
    with paths[2].open("w") as file:
        for case in cases(count):
            lines = json.dumps(case, indent=1).splitlines()
            file.write("- " + "\n  ".join(lines) + "\n")
    return paths


def measure(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Run a command line; return its CPU in seconds and its peak memory in MiB."""
    process = subprocess.Popen(
        [sys.executable, "-m", "minos", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{arguments} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure every format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    count = parser.parse_args().cases
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.jsonl").write_text(json.dumps(next(cases(1))) + "\n")
        _, bare = measure(["eval", "one.jsonl"], folder)
        print(f"{count} cases, 5 assertions each; a bare process takes {bare:.0f} MiB")
        print(f"{'format':8}{'file MiB':>10}{'CPU s':>8}{'MiB above':>11}{'x file':>8}")
        for path in write(folder, count):
            size = path.stat().st_size / 2**20
            cpu, peak = measure(["eval", path.name, "--threshold", "1"], folder)
            above = peak - bare
            print(f"{path.suffix[1:]:8}{size:10.1f}{cpu:8.2f}{above:11.1f}{above / size:8.1f}")


if __name__ == "__main__":
    main()
