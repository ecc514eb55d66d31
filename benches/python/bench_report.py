"""Measure results, reports and their figures against data frames, databases and tools of today.

    python benches/python/bench_report.py --answers 1M --answers 10M --rounds 5
    python benches/python/bench_report.py --answers 100M --pipes

Each contender is a process of its own; contenders take turns, so that what else the machine does
meets all of them, and the tables show medians. What they find must agree, or the benchmark ends.
`load` and the reports are measured as whole processes, start-up included; the figures and the
writing by themselves, since reading the input is not the job. Contenders whose package is not
installed are left out. With --pipes the report of a run is made while a generator writes both of
its files into pipes: they would not fit a disk, and nothing else is measured.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import generate
import peer_files
from processes import Measured, warm

HERE = Path(__file__).parent
LARGEST_DIFFERENCE = 1e-9


@dataclass(frozen=True, slots=True)
class Contender:
    """Who takes part.

    Attributes:
        name: What it is called in the table.
        command: How it is started.
        cores: How many cores it may use.
        package: What must be installed.
        read: Reads its figures from what it prints.
    """

    name: str
    command: list[str]
    cores: int = 1
    package: str = "minos"
    read: Callable[[str], dict[str, Any]] = json.loads


def in_house(job: str, contender: str, files: Iterable[Path], **more: Any) -> Contender:
    """Return a contender of `report_contenders.py`."""
    command = [sys.executable, str(HERE / "report_contenders.py"), job, contender, *map(str, files)]
    name = more.pop("name", contender.replace("_", " "))
    cores = more.get("cores", 1)
    return Contender(f"{name}, {cores} thread{'s' if cores > 1 else ''}", command, **more)


def run(contender: Contender, measured: Measured) -> dict[str, Any]:
    """Run a contender once and return its figures."""
    cores = sorted(os.sched_getaffinity(0))[: contender.cores]
    before = os.times().elapsed
    process = subprocess.Popen(
        contender.command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"POLARS_MAX_THREADS": str(contender.cores)},
        preexec_fn=lambda: os.sched_setaffinity(0, cores),  # noqa: PLW1509
        text=True,
    )
    printed = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{contender.name} ended with {process.returncode}")
    found = contender.read(printed)
    measured.wall_s.append(found.pop("wall_s", os.times().elapsed - before))
    measured.cpu_s.append(found.pop("cpu_s", usage.ru_utime + usage.ru_stime))
    measured.peak_mib.append(usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20))
    return found


def agree(name: str, found: Any, wanted: Any) -> None:
    """Hold figures against those of the first contender, as far as both have them."""
    if isinstance(found, dict):
        for key in found.keys() & wanted.keys():
            agree(f"{name}: {key}", found[key], wanted[key])
    elif isinstance(found, list):
        for place, (ours, theirs) in enumerate(zip(found, wanted, strict=True)):
            agree(f"{name}[{place}]", ours, theirs)
    elif not math.isclose(found, wanted, rel_tol=LARGEST_DIFFERENCE, abs_tol=LARGEST_DIFFERENCE):
        raise SystemExit(f"{name} is {found}, but {wanted} for the others")


def compare(title: str, contenders: list[Contender], rounds: int) -> None:
    """Let contenders take turns, and print a table."""
    present = [each for each in contenders if importlib.util.find_spec(each.package) is not None]
    results = {each.name: Measured() for each in present}
    known: dict[str, Any] = {}
    for _ in range(rounds):
        for each in present:
            found = run(each, results[each.name])
            agree(each.name, found, known)
            known = found | known
    print(f"\n{title}\n")
    print("| contender | CPU s | wall s | peak MiB | CPU of the first x | wall of the first x |")
    print("|---|---|---|---|---|---|")
    first = results[present[0].name].medians()
    for name, measured in results.items():
        cpu_s, wall_s, peak_mib = measured.medians()
        print(
            f"| {name} | {cpu_s:.3f} | {wall_s:.3f} | {peak_mib:.0f} "
            f"| {cpu_s / first[0]:.1f} | {wall_s / first[1]:.1f} |"
        )
    for each in contenders:
        if each not in present:
            print(f"\n{each.name} is not installed")
    sys.stdout.flush()


def generated(folder: Path, answers: int) -> tuple[Path, Path]:
    """Write a data set and results with about so many answers."""
    dataset, results = folder / "dataset.jsonl", folder / "results.jsonl"
    asked = generate.parsed(["--items", str(items_of(answers)), *SHAPE])
    with dataset.open("wb") as items, results.open("wb") as out:
        generate.write(asked, items, out)
    warm(results)
    warm(dataset)
    return dataset, results


SHAPE = ["--questions", "repeated", "--states", "short", "--text", "ascii", "--results", "-"]


def items_of(answers: int) -> int:
    """Return how many items have so many answers: they all ask the same questions."""
    line, _ = next(generate.items(generate.parsed(["--items", "1", *SHAPE])))
    return answers // len(json.loads(line)["questions"])


def measure_results(folder: Path, answers: int, rounds: int) -> None:
    """Measure loading to columns, and the whole report."""
    dataset, results = generated(folder, answers)
    size = results.stat().st_size / 1e6
    files = (results, dataset)
    loads = [
        in_house("load", "minos", files),
        in_house("load", "minos", files, cores=2),
        in_house("load", "minos_to_polars", files, package="polars"),
        in_house("load", "orjson", files, package="orjson", name="orjson loop to numpy"),
        in_house("load", "msgspec", files, package="msgspec", name="msgspec typed to numpy"),
        in_house("load", "duckdb", files, package="duckdb"),
        in_house("load", "duckdb", files, package="duckdb", cores=2),
        in_house("load", "polars", files, package="polars"),
        in_house("load", "polars", files, package="polars", cores=2),
    ]
    compare(f"load {answers:,} answers to columns ({size:.0f} MB)", loads, rounds)
    compare(
        f"`minos report` over {answers:,} answers (data set {dataset.stat().st_size / 1e6:.0f} MB)",
        [report(results, dataset, folder, cores) for cores in (1, 2)],
        rounds,
    )
    for path in (dataset, results):
        path.unlink()


def report(results: Path, dataset: Path, folder: Path, cores: int = 1) -> Contender:
    """Return the command of a report, which prints what it found."""
    out = folder / f"report-{cores}"
    command = [sys.executable, "-m", "minos", "report", "--json", "--results", str(results)]
    command += ["--dataset", str(dataset), "--out", str(out)]

    def read(_printed: str) -> dict[str, Any]:
        overall = json.loads((out / "report.json").read_bytes())["overall"]
        return {
            "count": overall["answered"],
            "accuracy": overall["accuracy"],
            "ece": overall["ece"],
            "ece_equal_width": overall["eceEqualWidth"],
        }

    return Contender(f"minos report, {cores} thread{'s'[: cores - 1]}", command, cores, read=read)


def measure_figures(folder: Path, answers: int, rounds: int) -> None:
    """Measure the calibration error and the sweep over arrays."""
    import numpy as np

    rng = np.random.default_rng(7)
    confidence = rng.random(answers) / 2 + 0.5
    files = [folder / "confidence.npy", folder / "correct.npy"]
    np.save(files[0], confidence)
    np.save(files[1], (rng.random(answers) < confidence**1.2).astype(np.uint8))
    contenders = [
        in_house("figures", "minos", files),
        in_house("figures", "numpy_argsort", files, package="numpy"),
        in_house("figures", "numpy_partition", files, package="numpy", name="numpy, O(n)"),
        in_house("figures", "polars", files, package="polars"),
        in_house("figures", "polars", files, package="polars", cores=2),
        in_house("figures", "duckdb", files, package="duckdb"),
        in_house("figures", "duckdb", files, package="duckdb", cores=2),
    ]
    title = f"equal-mass ECE and 101 thresholds, {answers:,} answers in memory"
    compare(title, contenders, rounds)
    for path in files:
        path.unlink()


def measure_writing(folder: Path, answers: int, rounds: int) -> None:
    """Measure writing a results file."""
    dataset, results = generated(folder, answers)
    files = (results, folder / "written.jsonl")
    contenders = [
        in_house("write", "minos", files),
        in_house("write", "orjson", files, package="orjson", name="orjson.dumps a record"),
    ]
    size = results.stat().st_size / 1e6
    compare(f"write {answers:,} answers ({size:.0f} MB)", contenders, rounds)
    for path in (dataset, *files):
        path.unlink()


def measure_peers(folder: Path, count: int, rounds: int) -> None:
    """Measure the report against those of other tools, each over its own format."""
    files = peer_files.write(folder, count)
    script = Path(sys.executable).parent
    asserted = [str(files["pack"]), "-p", str(files["jevassert predictions"]), "--bootstrap", "0"]
    contenders = [
        report(files["minos"], files["dataset"], folder),
        Contender(
            "jev-eval report",
            [str(script / "jev-eval"), "report", "--cache", str(files["jev-eval"])],
            package="jev_eval",
            read=_read_jev_eval,
        ),
        Contender(
            "jevkit-calibrate",
            [str(script / "jevkit-calibrate"), str(files["jevkit-calibrate"]), "--format", "json"],
            package="jevkit_calibrate",
            read=_read_jevkit,
        ),
        Contender(
            "jevassert check",
            [str(script / "jevassert"), "check", *asserted, "--json"],
            package="jevassert",
            read=_read_jevassert,
        ),
        Contender(
            "decision-metrics summary",
            [str(script / "decision-metrics"), "summary", str(files["decision-metrics"])],
            package="decision_metrics",
            read=lambda _printed: {},
        ),
    ]
    compare(f"report on {count:,} items, {3 * count:,} answers", contenders, rounds)


def _read_jevkit(printed: str) -> dict[str, Any]:
    found = json.loads(printed)
    figures = {"ece_equal_width": found["ece"], "accuracy": found["accuracy"]}
    return figures | {"count": found["count"]}


def _read_jevassert(printed: str) -> dict[str, Any]:
    found = json.loads(printed)
    return {"count": found["n_items"], "accuracy": found["accuracy"], "ece": found["ece"]}


def _read_jev_eval(printed: str) -> dict[str, Any]:
    """Read how many answers it scored, kind by kind; it prints no figure over all of them."""
    heads = [line for line in printed.splitlines() if line.startswith("== ") and " n=" in line]
    return {"count": sum(int(head.split(" n=")[1].split(",")[0]) for head in heads[:3])}


def measure_pipes(folder: Path, answers: int) -> None:
    """Make a report while its files are written into pipes."""
    dataset, results = folder / "dataset.jsonl", folder / "results.jsonl"
    for path in (dataset, results):
        os.mkfifo(path)
    count = str(items_of(answers))
    command = [sys.executable, str(HERE / "generate.py"), "--items", count, *SHAPE[:-1]]
    writer = subprocess.Popen([*command, str(results), "--out", str(dataset)])
    contender = report(results, dataset, folder, cores=2)
    measured = Measured()
    found = run(contender, measured)
    if writer.wait() != 0:
        raise SystemExit("the generator failed")
    cpu_s, wall_s, peak_mib = measured.medians()
    print(f"\nthe report of {found['count']:,} scored answers through two pipes: ", end="")
    print(f"{cpu_s:.1f} s CPU, {wall_s:.1f} s in all, {peak_mib:.0f} MiB at most", flush=True)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", action="append", help="such as 1M, 10M (both by default)")
    parser.add_argument("--items", default="100k", help="of the files for other tools")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", help="where the files lie while they are needed")
    parser.add_argument("--pipes", action="store_true", help="only a report through pipes")
    parser.add_argument(
        "--only", nargs="*", default=["load", "figures", "write", "peers"], help="these parts"
    )
    options = parser.parse_args()
    sizes = [generate.size(answers) for answers in options.answers or ["1M", "10M"]]
    print(f"load before: {os.getloadavg()}")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        for answers in sizes:
            if options.pipes:
                measure_pipes(folder, answers)
                continue
            if "load" in options.only:
                measure_results(folder, answers, options.rounds)
            if "figures" in options.only:
                measure_figures(folder, answers, options.rounds)
        if not options.pipes and "write" in options.only:
            measure_writing(folder, min(sizes), options.rounds)
        if not options.pipes and "peers" in options.only:
            shutil.rmtree(folder / "bench", ignore_errors=True)
            measure_peers(folder, generate.size(options.items), options.rounds)
    print(f"\nload after: {os.getloadavg()}")


if __name__ == "__main__":
    main()
