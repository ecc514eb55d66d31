"""The contenders of `bench_report.py`: each does one job in a process of its own.

    python report_contenders.py JOB CONTENDER FILE [FILE]

It prints what it found as JSON, so that nobody is faster by doing less. `load` reads a results file
into columns; `figures` works out the calibration error over ten bins of equal mass and the sweep
of 101 thresholds from two arrays; `write` writes a results file from what is in memory. The last
two time themselves, since reading their input is not the job.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Figures = dict[str, Any]

BINS = 10
THRESHOLDS = 101
_NUMBERS = {"noul": "probability", "choice": "confidence", "score": "confidence"}
"""The member of an answer that is added up."""


def load_minos(path: str, _dataset: str) -> Figures:
    from minos import EvaluationResults

    return {"items": len(EvaluationResults.load(path).unwrap())}


def load_minos_to_polars(path: str, _dataset: str) -> Figures:
    import polars as pl

    from minos import EvaluationResults

    rows = pl.DataFrame(EvaluationResults.load(path).unwrap().to_table())
    number = pl.coalesce("probability", "confidence").sum()
    counts = (pl.col("place") == 0).sum(), pl.col("answer").count(), number
    items, answers, total = rows.select(*(each.alias(str(n)) for n, each in enumerate(counts))).row(
        0
    )
    return {"items": items, "answers": answers, "sum": total}


def load_orjson(path: str, _dataset: str) -> Figures:
    import numpy as np
    import orjson

    with Path(path).open("rb") as file:
        next(file)
        return _columns(map(orjson.loads, file), np)


def _columns(records: Any, np: Any) -> Figures:
    ids, keys, latencies, numbers, given = [], [], [], [], []
    distributions: list[float] = []
    for record in records:
        ids.append(record["id"])
        latencies.append(record["latencyMs"])
        for key, answer in record["answers"].items():
            keys.append(key)
            kind = answer["type"]
            numbers.append(answer[_NUMBERS[kind]])
            given.append(answer.get("choice"))
            if kind == "choice":
                distributions.extend(answer["probabilities"].values())
            elif kind == "score":
                distributions.extend(answer["probabilities"])
    columns = np.array(latencies), np.array(numbers), np.array(distributions)
    return {"items": len(ids), "answers": len(keys), "sum": float(columns[1].sum())}


def load_msgspec(path: str, _dataset: str) -> Figures:
    import numpy as np

    from typed_results import decoder

    ids, keys, latencies, numbers = [], [], [], []
    distributions: list[float] = []
    decode = decoder()
    with Path(path).open("rb") as file:
        next(file)
        for record in map(decode, file):
            ids.append(record.id)
            latencies.append(record.latency_ms)
            for key, answer in record.answers.items():
                keys.append(key)
                numbers.append(answer.number)
                distributions.extend(answer.distribution)
    columns = np.array(latencies), np.array(numbers), np.array(distributions)
    return {"items": len(ids), "answers": len(keys), "sum": float(columns[1].sum())}


def _questions(dataset: str) -> dict[str, Any]:
    with Path(dataset).open("rb") as file:
        questions: dict[str, Any] = json.loads(next(file))["questions"]
    return questions


def load_polars(path: str, dataset: str) -> Figures:
    import polars as pl

    answers = {}
    for key, question in _questions(dataset).items():
        members: dict[str, Any] = {_NUMBERS[question["type"]]: pl.Float64}
        if question["type"] == "choice":
            spread = pl.Struct(dict.fromkeys(question["criteria"], pl.Float64))
            members |= {"choice": pl.String, "probabilities": spread}
        elif question["type"] == "score":
            spread = pl.List(pl.Float64)
            members |= {"level": pl.Int64, "expectedLevel": pl.Float64, "probabilities": spread}
        answers[key] = pl.Struct(members)
    schema = {"id": pl.String, "answers": pl.Struct(answers), "latencyMs": pl.Float64}
    rows = pl.scan_ndjson(path, schema=schema).collect().filter(pl.col("id").is_not_null())
    numbers = [
        rows["answers"].struct.field(key).struct.field(_NUMBERS[question["type"]])
        for key, question in _questions(dataset).items()
    ]
    count = sum(len(each) - each.null_count() for each in numbers)
    return {"items": len(rows), "answers": count, "sum": sum(each.sum() for each in numbers)}


def load_duckdb(path: str, dataset: str) -> Figures:
    db = _duckdb()
    answers = []
    questions = _questions(dataset)
    for key, question in questions.items():
        members = [f"{_NUMBERS[question['type']]} double"]
        if question["type"] == "choice":
            spread = ", ".join(f'"{option}" double' for option in question["criteria"])
            members += ["choice varchar", f"probabilities struct({spread})"]
        elif question["type"] == "score":
            members += ["level bigint", "expectedLevel double", "probabilities double[]"]
        answers.append(f'"{key}" struct({", ".join(members)})')
    columns = {"id": "varchar", "answers": f"struct({', '.join(answers)})", "latencyMs": "double"}
    db.execute(
        f"create table results as from read_json('{path}', format='newline_delimited', "
        f"columns={columns}) where id is not null"
    )
    numbers = [f'answers."{key}".{_NUMBERS[q["type"]]}' for key, q in questions.items()]
    counts = " + ".join(f"count({number})" for number in numbers)
    sums = " + ".join(f"sum({number})" for number in numbers)
    found = db.execute(f"select count(*), {counts}, {sums} from results").fetchall()[0]  # noqa: S608
    return dict(zip(("items", "answers", "sum"), found, strict=True))


def _duckdb() -> Any:
    import duckdb

    return duckdb.connect(config={"threads": len(os.sched_getaffinity(0))})


def figures_minos(confidence: Any, correct: Any) -> Figures:
    from minos.stats import calibration

    found = calibration(confidence, correct, bins=BINS)
    covered = [point.covered for point in found.sweep]
    return _figures(found.ece, covered, [point.correct for point in found.sweep])


def figures_numpy_argsort(confidence: Any, correct: Any) -> Figures:
    import numpy as np

    order = np.argsort(confidence, kind="stable")
    ordered, right = confidence[order], correct[order]
    starts = np.arange(BINS) * len(order) // BINS
    sums, hits = np.add.reduceat(ordered, starts), np.add.reduceat(right, starts, dtype=np.int64)
    ece = np.abs(sums - hits).sum() / len(order)
    from_ = np.searchsorted(ordered, np.arange(THRESHOLDS) / 100)
    behind = np.concatenate([np.cumsum(right[::-1], dtype=np.int64)[::-1], [0]])
    return _figures(ece, len(order) - from_, behind[from_])


def figures_numpy_partition(confidence: Any, correct: Any) -> Figures:
    import numpy as np

    ranks = np.arange(1, BINS) * len(confidence) // BINS
    edges = np.partition(confidence, ranks)[ranks]
    bins = np.searchsorted(edges, confidence, side="right")
    sums = np.bincount(bins, confidence, BINS)
    ece = np.abs(sums - np.bincount(bins, correct, BINS)).sum() / len(confidence)
    steps = np.floor(confidence * 100).astype(np.int64)
    covered = np.bincount(steps, minlength=THRESHOLDS)[::-1].cumsum()[::-1]
    hits = np.bincount(steps, correct, THRESHOLDS)[::-1].cumsum()[::-1]
    return _figures(ece, covered, hits)


def figures_polars(confidence: Any, correct: Any) -> Figures:
    import polars as pl

    frame = pl.DataFrame({"c": confidence, "y": correct}).lazy()
    place = pl.int_range(pl.len(), dtype=pl.Int64) * BINS // pl.len().cast(pl.Int64)
    gaps = (
        frame.sort("c")
        .group_by(place.alias("bin"))
        .agg((pl.col("c").sum() - pl.col("y").cast(pl.Int64).sum()).abs().alias("gap"))
    )
    steps = frame.group_by((pl.col("c") * 100).floor().cast(pl.Int64).alias("step")).agg(
        pl.len().alias("n"), pl.col("y").cast(pl.Int64).sum().alias("hits")
    )
    gaps, steps = pl.collect_all([gaps, steps])
    return _figures(gaps["gap"].sum() / len(confidence), *_swept(steps.rows()))


def figures_duckdb(confidence: Any, correct: Any) -> Figures:
    db = _duckdb()
    db.register("given", {"c": confidence, "y": correct})
    binned = f"select c, y, ntile({BINS}) over (order by c) bin from given"  # noqa: S608
    gaps = f"select sum(c) - sum(y::bigint) gap from ({binned}) group by bin"  # noqa: S608
    total = db.execute(f"select sum(abs(gap)) from ({gaps})").fetchall()[0][0]  # noqa: S608
    steps = db.execute(
        "select floor(c * 100)::bigint step, count(*), sum(y::bigint) from given group by step"
    ).fetchall()
    return _figures(total / len(confidence), *_swept(steps))


def _swept(steps: list[tuple[int, int, int]]) -> tuple[list[int], list[int]]:
    covered, hits = [0] * THRESHOLDS, [0] * THRESHOLDS
    for step, count, right in steps:
        for threshold in range(step + 1):
            covered[threshold] += count
            hits[threshold] += right
    return covered, hits


def _figures(ece: float, covered: Any, correct: Any) -> Figures:
    return {"ece": float(ece), "covered": [*map(int, covered)], "correct": [*map(int, correct)]}


def write_minos(path: str) -> Callable[[str], None]:
    from minos import EvaluationResults

    results = EvaluationResults.load(path).unwrap()
    return lambda out: results.save(out).unwrap()


def write_orjson(path: str) -> Callable[[str], None]:
    import orjson

    with Path(path).open("rb") as file:
        records = [orjson.loads(line) for line in file]

    def write(out: str) -> None:
        with Path(out).open("wb", buffering=1 << 20) as file:
            for record in records:
                file.write(orjson.dumps(record))
                file.write(b"\n")

    return write


def main() -> None:
    """Do a job and print what was found, and the seconds where the job times itself."""
    job, contender, *files = sys.argv[1:]
    work = globals()[f"{job}_{contender}"]
    if job == "load":
        print(json.dumps(work(*files)))
        return
    if job == "figures":
        import numpy as np

        arguments = [np.load(file) for file in files]
    else:
        work, arguments = work(files[0]), [files[1]]
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    found = work(*arguments)
    wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
    if job == "write":
        found = {"lines": Path(files[1]).read_bytes().count(b"\n")}
    print(json.dumps(found | {"wall_s": wall_s, "cpu_s": cpu_s}))


if __name__ == "__main__":
    main()
