"""Kills runs at every kind of moment, goes on with them, and compares them with one that lived.

A program of its own: it imports everything once and forks a process for each start of a run, so
that a kill is a real SIGKILL and costs a few milliseconds. What it found goes to stdout as JSON.
"""

import json
import os
import random
import signal
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import anyio
from tests.unit.decisions.asked import ANSWERS, dataset, number_of

from minos.attempts.journal import NAME as JOURNAL
from minos.attempts.sync import run_in_own_loop
from minos.decisions import run_files
from minos.decisions.directory import DirectoryRun
from minos.decisions.options import DatasetRunOptions
from minos.errors import DecisionError, DecisionErrorKind
from minos.request import DecisionResponse

ITEMS = 12
FIRST = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = datetime(2026, 12, 1, 12, tzinfo=UTC)


class Fuse:
    """Counts events and kills the process at one of them."""

    def __init__(self, at):
        self.at = at
        self.count = 0

    def burn(self):
        self.count += 1
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def burns_next(self):
        return self.count + 1 == self.at


class Provider:
    """Answers by the number of the item alone; some fail, some take several turns."""

    name = "deterministic"
    model = "fixed"

    def __init__(self, fuse):
        self._fuse = fuse

    async def decide(self, request):
        number = number_of(request)
        self._fuse.burn()
        for _ in range(number * 7 % 4):
            await anyio.lowlevel.checkpoint()
        self._fuse.burn()
        if number % 5 == 3:
            raise DecisionError(DecisionErrorKind.VALIDATION, f"no {number}", status_code=422)
        return DecisionResponse(
            ANSWERS, model=f"fixed-{number % 2}", input_tokens=number, cost_usd=number / 100
        )


def wire(fuse):
    """Make the ways out of this process burn the fuse: before, after, and halfway in a write."""
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
    os.fsync = burning(lambda _file: None, fuse)  # a kill takes nothing from the system's cache
    for name in ("replace", "unlink", "ftruncate"):
        setattr(os, name, burning(getattr(os, name), fuse))
    native = run_files.ResultsWriter

    class Writer:
        def __init__(self, *arguments):
            self._writer = native(*arguments)

        def __getattr__(self, name):
            return burning(getattr(self._writer, name), fuse)

    run_files.ResultsWriter = Writer


def burning(function, fuse):
    def call(*arguments, **options):
        fuse.burn()
        result = function(*arguments, **options)
        fuse.burn()
        return result

    return call


def start(directory, parallel, fuse, *, go_on, started_at):
    wire(fuse)
    options = DatasetRunOptions(dataset_name="kill", max_parallelism=parallel)
    run = DirectoryRun(
        Provider(fuse), dataset(ITEMS), directory, options, go_on=go_on, started_at=started_at
    )
    if not run.is_finished:
        run_in_own_loop(run.run)


def in_child(function):
    """Run a function in a process of its own; give the signal that ended it, or 0."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            function()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status)
    assert os.WEXITSTATUS(status) == 0
    return 0


def count_events(directory, parallel):
    """The events of a start that nothing kills."""
    reader, writer = os.pipe()

    def counted():
        write = os.write
        fuse = Fuse(at=0)
        start(directory, parallel, fuse, go_on=False, started_at=FIRST)
        write(writer, str(fuse.count).encode())

    assert in_child(counted) == 0
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        return int(stream.read())


def content(path):
    """A results file without what may differ between two runs."""
    header, *lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in lines:
        for name in ("latencyMs", "tries", "requestId"):
            line.pop(name, None)
    return header, lines


def outcome(root, seed, references):
    """Kill a run at moments that the seed draws until one start lives, and look at what is left."""
    chance = random.Random(seed)
    parallel = chance.choice((1, 2, 4))
    events, (expected_header, expected_lines) = references[parallel]
    directory = root / f"seed-{seed}"
    directory.mkdir()
    kills, is_torn, is_kept_from_first = 0, False, False
    at = chance.randint(1, events)
    while True:
        started_at = SECOND if kills else FIRST
        begin = partial(
            start, directory, parallel, Fuse(at), go_on=kills > 0, started_at=started_at
        )
        ended = in_child(begin)
        if ended == 0:
            break
        assert ended == signal.SIGKILL
        kills += 1
        journal = directory / JOURNAL
        if journal.exists():
            is_kept_from_first = is_kept_from_first or kills == 1
            is_torn = is_torn or not journal.read_bytes().endswith(b"\n")
        at = chance.randint(1, events) if kills < 3 and chance.random() < 0.5 else 0
    header, lines = content(directory / run_files.RESULTS)
    return {
        "seed": seed,
        "kills": kills,
        "torn": is_torn,
        "files": sorted(path.name for path in directory.iterdir()),
        "same_items": lines == expected_lines,
        "same_header": {**header, "startedAt": 0} == {**expected_header, "startedAt": 0},
        "first_start": header["startedAt"] == expected_header["startedAt"],
        "kept_from_first": is_kept_from_first,
    }


def main(root, seeds):
    anyio.run(anyio.sleep, 0)  # imports what every start needs
    references = {}
    for parallel in (1, 2, 4):
        directory = root / f"reference-{parallel}"
        directory.mkdir()
        events = count_events(directory, parallel)
        references[parallel] = events, content(directory / run_files.RESULTS)
    json.dump([outcome(root, seed, references) for seed in range(seeds)], sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
