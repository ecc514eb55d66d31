"""Measure complete validation against parsers and validators of today.

    python benches/python/bench_validate.py                    # 200 MB files of every sort
    python benches/python/bench_validate.py --bytes 2G --sorts different repeated

Each contender is a process of its own, start-up included, over a generated file that lies in the
page cache and is deleted behind it. Contenders take turns; the tables show medians of CPU seconds,
wall seconds and peak memory, and CPU against minos on one thread. All but minos and the plain
validators only parse, or check less, and stop at the first broken line: the file with broken lines
is measured with minos alone. The plain validators, which are slow, check the start of a file, and
what they would take for all of it is told. Contenders whose package is not installed are left out.

Behind the tables: what one process gains from a second thread beside what two processes at once
gain, which is as much as the machine gives; Ctrl-C; what progress costs; and growth.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import validate_limits
from processes import HERE, Measured, take_turns, warm

MINOS = "minos, 1 thread"
TWO_THREADS = "minos, 2 threads"
TWO_PROCESSES = "minos, two processes at once"
PLAIN = {
    "plain Python": ("import plain_items; plain_items.main()", 20_000_000),
    "plain validator of the tests": (
        (
            "import sys; from pathlib import Path;"
            "from tests.differential.plain_validator import validate;"
            "validate(Path(sys.argv[1]).read_bytes())"
        ),
        2_000_000,
    ),
}
"""What is complete, too, and over how many bytes of a file it is run."""

LOOPS = {
    "orjson": "from orjson import loads\nfor line in open(path, 'rb'): loads(line)",
    "msgspec": (
        "import msgspec, typed_items\n"
        "decode = msgspec.json.Decoder(typed_items.msgspec_item()).decode\n"
        "for line in open(path, 'rb'): decode(line)"
    ),
    "pydantic": (
        "import typed_items\nmodel = typed_items.pydantic_item()\n"
        "validate = model.__pydantic_validator__.validate_json\n"
        "for line in open(path, 'rb'): validate(line)"
    ),
    "duckdb": (
        "import duckdb\ndb = duckdb.connect(config={'threads': 1})\n"
        "db.execute(\"select count(json) from read_json_objects(?, format='newline_delimited', "
        'maximum_object_size=16777216)", [path]).fetchall()'
    ),
}
"""What is run over `path`, by the package it needs."""

SORTS = {
    "different": [],
    "repeated": ["--questions", "repeated"],
    "short": ["--states", "short"],
    "long": ["--states", "long"],
    "ascii": ["--text", "ascii"],
    "wide": ["--text", "wide"],
    "escaped": ["--text", "escaped"],
    "broken": ["--broken", "0.01"],
}
"""How the files differ from the usual one: options of `generate.py`."""


def minos(path: Path, threads: int) -> list[str]:
    """Return the command that validates a file."""
    quiet = ("--quiet", "--max-problems", "0", "--threads", str(threads))
    return [sys.executable, "-m", "minos", "validate", *quiet, str(path)]


def contenders(path: Path) -> dict[str, list[list[str]]]:
    """Return the commands of those that take a whole file."""
    found = {
        MINOS: [minos(path, 1)],
        TWO_THREADS: [minos(path, 2)],
        TWO_PROCESSES: [minos(path, 1), minos(path, 1)],
    }
    for package, loop in LOOPS.items():
        if importlib.util.find_spec(package) is not None:
            code = f"import sys\npath = sys.argv[1]\n{loop}"
            found[package] = [[sys.executable, "-c", code, str(path)]]
    return found


def head(path: Path, size: int, into: Path) -> Path:
    """Write the first lines of a file, of about so many bytes, into another."""
    with path.open("rb") as whole, into.open("wb") as start:
        for line in whole:
            start.write(line)
            if start.tell() >= size:
                break
    return into


def plain(path: Path, folder: Path, options: argparse.Namespace) -> dict[str, Measured]:
    """Measure the plain validators over the start of a file, and tell what all of it would take."""
    nothing = head(path, 0, folder / "one-line.jsonl")
    results = {}
    for name, (code, size) in PLAIN.items():
        if options.only is not None and name not in options.only:
            continue
        start = head(path, size, folder / "start.jsonl")
        commands = {
            which: [[sys.executable, "-c", code, str(file)]]
            for which, file in (("start", start), ("nothing", nothing))
        }
        measured = take_turns(commands, options.rounds)
        share = path.stat().st_size / start.stat().st_size
        some, none = measured["start"].medians(), measured["nothing"].medians()
        cpu_s, wall_s = (none[i] + (some[i] - none[i]) * share for i in (0, 1))
        title = f"{name} (from {start.stat().st_size / 1e6:.0f} MB)"
        results[title] = Measured([cpu_s], [wall_s], [some[2]])
    return results


def table(size: int, results: dict[str, Measured]) -> str:
    """Render the medians."""
    rows = [
        "| contender | CPU s | wall s | MB/s | peak MiB | CPU of minos x |",
        "|---|---|---|---|---|---|",
    ]
    base = results[MINOS].medians()[0]
    for name, measured in results.items():
        cpu_s, wall_s, peak_mib = measured.medians()
        files = 2 if name == TWO_PROCESSES else 1
        rows.append(
            f"| {name} | {cpu_s:.2f} | {wall_s:.2f} | {files * size / wall_s / 1e6:.0f} "
            f"| {peak_mib:.0f} | {cpu_s / files / base:.1f} |"
        )
    return "\n".join(rows)


def gains(results: dict[str, Measured]) -> str:
    """Say what a second thread gains, and what the machine gives two processes that share nothing.

    Of each round by itself: what else the machine does changes from round to round.
    """
    alone, threads, processes = (results[n] for n in (MINOS, TWO_THREADS, TWO_PROCESSES))
    thread = Measured(wall_s=[a / b for a, b in zip(alone.wall_s, threads.wall_s, strict=True)])
    both = Measured(wall_s=[2 * a / b for a, b in zip(alone.wall_s, processes.wall_s, strict=True)])
    middle = [sorted(measured.wall_s)[len(measured.wall_s) // 2] for measured in (thread, both)]
    return (
        f"Two threads: {middle[0]:.2f} x one, in wall time. "
        f"Two processes at once, which share nothing: {middle[1]:.2f} x."
    )


def generated(folder: Path, sort: str, size: str) -> Path:
    """Write a file of a sort, in a process of its own: what it takes is not to be ours."""
    path = folder / f"{sort}.jsonl"
    generate = [sys.executable, str(HERE / "generate.py"), "--bytes", size, "--out", str(path)]
    subprocess.run([*generate, *SORTS[sort]], check=True)
    return path


def measure(name: str, path: Path, folder: Path, options: argparse.Namespace) -> None:
    """Measure a file and print its table."""
    only = [] if name == "broken" else options.only
    commands = {
        title: command
        for title, command in contenders(path).items()
        if only is None or title in only or title.startswith("minos")
    }
    warm(path)
    results = take_turns(commands, options.rounds)
    if name != "broken":
        results |= plain(path, folder, options)
    size = path.stat().st_size
    print(
        f"\n{name}, {size / 1e6:.0f} MB\n\n{table(size, results)}\n\n{gains(results)}", flush=True
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", default="200M", help="the size of each file")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sorts", nargs="*", choices=SORTS, default=list(SORTS))
    parser.add_argument("--only", nargs="*", help="measure these contenders only, besides minos")
    parser.add_argument("--files", nargs="*", help="measure these files instead of generated ones")
    parser.add_argument(
        "--limits-bytes", default="1G", help="of the file for Ctrl-C and progress; empty for none"
    )
    parser.add_argument(
        "--growth",
        nargs="*",
        type=int,
        default=[10_000, 100_000, 1_000_000],
        help="numbers of lines that are validated through a pipe; ten million take minutes",
    )
    options = parser.parse_args()
    print(f"load before: {os.getloadavg()}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in map(Path, options.files or ()):
            measure(file.stem, file, folder, options)
        for sort in options.sorts if not options.files else ():
            path = generated(folder, sort, options.bytes)
            measure(sort, path, folder, options)
            path.unlink()
        if options.limits_bytes:
            path = generated(folder, "different", options.limits_bytes)
            warm(path)
            print(f"\n{validate_limits.interrupts(path)}")
            print(f"\n{validate_limits.progress(path, options.rounds)}")
    if options.growth:
        print(f"\n{validate_limits.growth(options.growth)}")
    print(f"\nload after: {os.getloadavg()}")


if __name__ == "__main__":
    main()
