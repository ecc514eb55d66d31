"""Validation from Python: paths, streams, callbacks, limits."""

import io
import json

import pytest

from minos.decisions import DecisionDataset, validate

QUESTIONS = {"urgent": {"type": "noul", "instructions": "Urgent?"}}


def line(name):
    return json.dumps({"id": name, "state": "s", "questions": QUESTIONS, "expected": {}}) + "\n"


def test_a_file_without_problems_is_ok(tmp_path):
    path = tmp_path / "good.jsonl"
    path.write_text(line("a") + "\n" + line("b"))
    found = validate(path)
    assert found.is_ok
    assert (found.lines, found.items, found.problem_count) == (3, 2, 0)
    assert found.size_bytes == path.stat().st_size


def test_the_problems_are_those_of_a_load(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text(line("a") + "{}\nx\n" + line("a"))
    problems = DecisionDataset.load(path).problems
    assert list(validate(path).problems) == list(problems)
    with path.open("rb") as opened:
        found = validate(opened)
    assert list(found.problems) == list(problems)
    assert not found.is_ok


def test_only_so_many_problems_are_kept_and_all_are_counted():
    found = validate(io.BytesIO(b"x\n" * 1000), max_problems=3)
    assert [problem.line for problem in found.problems] == [1, 2, 3]
    assert found.problem_count == 1000


def test_problems_can_be_taken_as_they_are_found():
    lines = []
    found = validate(
        io.BytesIO(b"x\n" * 5000),
        on_problems=lambda problems: lines.extend(problem.line for problem in problems),
    )
    assert lines == list(range(1, 5001))
    assert list(found.problems) == []


class Trickle(io.RawIOBase):
    """A stream that never ends."""

    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = b"\n" * len(buffer)
        return len(buffer)


@pytest.mark.parametrize("place", ["on_problems", "on_progress"])
def test_what_a_callback_raises_ends_it(place):
    def fail(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        validate(
            io.BufferedReader(Trickle()) if place == "on_progress" else io.BytesIO(b"x\n" * 9),
            **{place: fail},
        )


def test_progress_tells_bytes_and_lines():
    seen = []

    def enough(size_bytes, lines):
        seen.append((size_bytes, lines))
        if size_bytes:
            raise StopIteration

    with pytest.raises(StopIteration):
        validate(io.BufferedReader(Trickle()), on_progress=enough)
    assert seen == sorted(seen)
    assert seen[-1][1] == seen[-1][0] > 0


def test_a_file_that_is_not_there_raises(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        validate(tmp_path / "missing")
    assert raised.value.filename == str(tmp_path / "missing")


@pytest.mark.parametrize("limit", ["threads", "memory", "max_problems"])
def test_limits_are_not_negative(limit):
    with pytest.raises(ValueError, match="must not be negative"):
        validate(io.BytesIO(), **{limit: -1})


def test_a_stream_of_text_is_refused():
    with pytest.raises(TypeError, match="must be binary"):
        validate(io.StringIO("x"))
