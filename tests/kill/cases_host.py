"""Kills runs over cases at every kind of moment and goes on with them; see `tests.kill.host`."""

import json
import os
import random
import signal
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import anyio
from tests.kill.host import Fuse, burning, in_child

from minos.attempts.sync import run_in_own_loop
from minos.cases.batch import CaseBatch
from minos.cases.case import Case
from minos.cases.dataset import CaseDataset
from minos.cases.directory import RESULTS, CaseDirectoryRun
from minos.cases.options import CaseRunOptions
from minos.cases.runner import source_of

STARTED = datetime(2026, 11, 30, 12, tzinfo=UTC)
DATA = CaseDataset.build(
    [(Case(input=number), {"equals": f"a{number}", "max_length": 3}) for number in range(6)]
).unwrap()


def wire(fuse):
    write = os.write

    def torn_write(file, data):
        fuse.burn()
        if fuse.burns_next():
            write(file, data[: 1 + fuse.at * 13 % len(data)])
        fuse.burn()
        written = write(file, data)
        fuse.burn()
        return written

    os.write = torn_write
    os.fsync = burning(lambda _file: None, fuse)
    for name in ("replace", "unlink", "ftruncate"):
        setattr(os, name, burning(getattr(os, name), fuse))


def start(directory, parallel, fuse, *, go_on):
    wire(fuse)

    async def answer(case):
        fuse.burn()
        for _ in range(case.input * 7 % 4):
            await anyio.lowlevel.checkpoint()
        fuse.burn()
        if case.input == 4:
            raise ValueError("no")
        return f"a{case.input}"

    options = CaseRunOptions(repeat=2, max_parallelism=parallel, subject="s")
    run = CaseDirectoryRun(
        CaseBatch([DATA]),
        source_of(answer, options),
        range(len(DATA)),
        directory,
        options,
        go_on=go_on,
        started_at=STARTED,
    )
    if not run.is_finished:
        run_in_own_loop(run.run)


def content(directory):
    lines = [json.loads(line) for line in (directory / RESULTS).read_bytes().splitlines()]
    for line in lines:
        for member in ("duration_ms", "latency_ms"):
            line.pop(member, None)
    return lines


def outcome(root, seed, expected, events):
    chance = random.Random(seed)
    parallel = chance.choice((1, 3))
    directory = root / f"seed-{seed}"
    directory.mkdir()
    kills = 0
    at = chance.randint(1, events)
    while True:
        ended = in_child(partial(start, directory, parallel, Fuse(at), go_on=kills > 0))
        if ended == 0:
            break
        assert ended == signal.SIGKILL
        kills += 1
        at = chance.randint(1, events) if kills < 3 and chance.random() < 0.5 else 0
    return {
        "seed": seed,
        "kills": kills,
        "files": sorted(path.name for path in directory.iterdir()),
        "same": content(directory) == expected,
    }


def main(root, seeds):
    anyio.run(anyio.sleep, 0)
    reference = root / "reference"
    reference.mkdir()
    reader, writer = os.pipe()

    def counted():
        write = os.write
        fuse = Fuse(at=0)
        start(reference, 1, fuse, go_on=False)
        write(writer, str(fuse.count).encode())

    assert in_child(counted) == 0
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        events = int(stream.read())
    expected = content(reference)
    json.dump([outcome(root, seed, expected, events) for seed in range(seeds)], sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
