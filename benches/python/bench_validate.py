"""Measure complete validation against parsers and validators of today.

    python benches/python/bench_validate.py --bytes 200M --rounds 5

Each contender is a process of its own, start-up included, over a generated file that lies in the
page cache. Contenders take turns, so that what else the machine does meets all of them; the table
shows medians of CPU seconds, wall seconds and peak memory, and CPU against minos on one thread.
All but minos and the plain validator only parse, or check less, and stop at the first broken line:
the file with broken lines is measured with minos alone. Contenders whose package is not
installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import generate

HERE = Path(__file__).parent
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


def contenders(path: Path, *, with_plain: bool) -> dict[str, list[str]]:
    """Return the command of each contender."""
    minos = [sys.executable, "-m", "minos", "validate", "--quiet", "--max-problems", "0", str(path)]
    commands = {
        "minos, 1 thread": [*minos, "--threads", "1"],
        "minos, 2 threads": [*minos, "--threads", "2"],
    }
    for package, loop in LOOPS.items():
        if importlib.util.find_spec(package) is not None:
            code = f"import sys\npath = sys.argv[1]\n{loop}"
            commands[package] = [sys.executable, "-c", code, str(path)]
    if with_plain:
        code = (
            "import sys; from pathlib import Path;"
            "from tests.differential.plain_validator import validate;"
            "validate(Path(sys.argv[1]).read_bytes())"
        )
        commands["plain validator"] = [sys.executable, "-c", code, str(path)]
    return commands


def run(command: list[str], measured: Measured) -> None:
    """Run a contender once."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parents[1]), *sys.path])
    }
    before = os.times()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    measured.cpu_s.append(usage.ru_utime + usage.ru_stime)
    measured.wall_s.append(os.times().elapsed - before.elapsed)
    measured.peak_mib.append(usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20))
    if process.returncode not in (0, 2):
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")


def warm(path: Path) -> None:
    """Read a file into the page cache, in pieces: a child counts its parent's memory as its own."""
    with path.open("rb") as opened:
        while opened.read(1 << 20):
            pass


def table(size: int, results: dict[str, Measured]) -> str:
    """Render the medians."""
    rows = [
        "| contender | CPU s | wall s | MB/s | peak MiB | CPU of minos x |",
        "|---|---|---|---|---|---|",
    ]
    base = results["minos, 1 thread"].medians()[0]
    for name, measured in results.items():
        cpu_s, wall_s, peak_mib = measured.medians()
        speed = size / wall_s / 1e6
        rows.append(
            f"| {name} | {cpu_s:.2f} | {wall_s:.2f} | {speed:.0f} "
            f"| {peak_mib:.0f} | {cpu_s / base:.1f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", default="200M")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", help="measure these contenders only, besides minos")
    parser.add_argument(
        "--plain", action="store_true", help="also the plain validator of the tests, which is slow"
    )
    parser.add_argument("--files", nargs="*", help="measure these files instead of generated ones")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(file) for file in options.files or []]
        sorts = {
            "different": [],
            "repeated": ["--questions", "repeated"],
            "escaped": ["--text", "escaped"],
            "broken": ["--broken", "0.01"],
        }
        for name, arguments in sorts.items() if not files else ():
            path = Path(folder, f"{name}.jsonl")
            asked = generate.parsed(["--bytes", options.bytes, *arguments])
            with path.open("wb") as out:
                generate.write(asked, out, None)
            files.append(path)
        print(f"load before: {os.getloadavg()}")
        for path in files:
            only = ["plain validator"] if path.stem == "broken" else options.only
            commands = {
                name: command
                for name, command in contenders(path, with_plain=options.plain).items()
                if only is None or name in only or name.startswith("minos")
            }
            results = {name: Measured() for name in commands}
            warm(path)
            for _ in range(options.rounds):
                for name, command in commands.items():
                    run(command, results[name])
            size = path.stat().st_size
            print(f"\n{path.stem}, {size / 1e6:.0f} MB\n\n{table(size, results)}", flush=True)
        print(f"\nload after: {os.getloadavg()}")


if __name__ == "__main__":
    main()
