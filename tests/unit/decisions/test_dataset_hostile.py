"""Files that are made to break a reader."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from tests.decision_lines import line

from minos.decisions.dataset import DecisionDataset
from minos.problems import DatasetProblems

BREAKS = ["\n", "\r\n", "\r"]
NO_BREAKS = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


def told(outcome):
    return [
        (problem.line, problem.code, problem.path, problem.byte) for problem in outcome.problems
    ]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_line_a_hundred_thousand_levels_deep(opening):
    deep = opening * 100_000
    outcome = DecisionDataset.parse(f"{deep}\n{line(state=deep)}\n{line()}")
    first = 512 * len(opening)
    assert told(outcome) == [
        (1, "too-deep", "", first),
        (2, "too-deep", "", first - len(opening) + len('{"id":"a","state":')),
    ]


def test_the_deepest_state_can_be_read():
    state = "[" * 511 + "]" * 511
    content = DecisionDataset.parse(line(state=state)).unwrap()[0].state
    levels = 0
    while content:
        [content] = content
        levels += 1
    assert levels == 510


def test_an_object_of_a_million_members():
    members = ",".join(f'"k{number}":{number}' for number in range(1_000_000))
    [item] = DecisionDataset.parse(line(state=f"{{{members}}}")).unwrap()
    assert item.state["k999999"] == 999_999
    outcome = DecisionDataset.parse(line(state=f'{{{members},"k7":0,"\\u006b8":0}}'))
    assert told(outcome) == [
        (1, "duplicate-member", "state.k7", None),
        (1, "duplicate-member", "state.k8", None),
    ]


def test_many_questions_and_answers_take_linear_time():
    count = 100_000
    question = '{"type":"noul","instructions":"x"}'
    questions = ",".join(f'"q{number}":{question}' for number in range(count))
    expected = ",".join(f'"q{number}":1' for number in range(count))
    text = line(questions=f"{{{questions}}}").replace('"expected":{}', f'"expected":{{{expected}}}')
    outcome = DecisionDataset.parse(text)
    assert len(outcome.problems) == count
    assert {problem.code for problem in outcome.problems} == {"invalid-expected"}


def test_nul_is_told_outside_and_inside_of_text():
    outcome = DecisionDataset.parse(f'\0{line()}\n{{"id":"\0"}}\n{line("a")}\0')
    at_end = len(line("a"))
    assert told(outcome) == [
        (1, "invalid-json", "", 0),
        (2, "invalid-json", "", 7),
        (3, "invalid-json", "", at_end),
    ]
    escaped = line().replace('"a"', r'"\u0000"')
    assert DecisionDataset.parse(escaped).unwrap()[0].id == "\0"


def test_a_number_of_a_million_digits():
    digits = "7" * 1_000_000
    [item] = DecisionDataset.parse(line(state=f"[-{digits}.{digits}e-{digits}]")).unwrap()
    assert len(item.state_json) == 3_000_006
    assert item.state == [0.0]
    outcome = DecisionDataset.parse(line().replace("{}", f'{{}},"version":{digits}'))
    [problem] = outcome.problems
    assert problem.message.count("7") == 1_000_000
    assert len(str(problem)) < 300


def test_breaks_of_every_kind():
    for first in BREAKS:
        for second in BREAKS:
            text = f"{line('a')}{first} {second}{line('b')}{first}{second}x"
            is_pair = first + second == "\r\n"
            outcome = DecisionDataset.parse(text)
            assert told(outcome) == [(4 if is_pair else 5, "invalid-json", "", 0)]
            for size in (1, 2, 3):
                assert DecisionDataset.load(Chunks(text.encode(), size)).problems == (
                    outcome.problems
                )


def test_other_separators_are_no_breaks():
    for separator in NO_BREAKS:
        text = line("a") + separator + line("b")
        assert told(DecisionDataset.parse(text)) == [(1, "invalid-json", "", len(line("a")))]
        if separator > " ":
            assert len(DecisionDataset.parse(line(state=f'"{separator}"')).unwrap()) == 1


def test_every_prefix_of_a_line_is_told_at_its_end():
    text = line(state=r'{"a":[1.5e-3,true,null,"\u0041\n\ud83d\ude00"]}').encode()
    for length in range(1, len(text)):
        assert told(DecisionDataset.parse(text[:length])) == [(1, "invalid-json", "", length)]


def test_every_changed_byte_is_a_value_or_a_problem():
    text = line(state='{"é":[1]}').encode()
    for place in range(len(text)):
        for byte in (0, 0x22, 0x5C, 0x7B, 0x80, 0xFF):
            changed = text[:place] + bytes([byte]) + text[place + 1 :]
            outcome = DecisionDataset.parse(changed)
            if not outcome.is_ok:
                assert all(problem.line == 1 for problem in outcome.problems)


def test_a_line_that_is_too_long_is_told_and_the_next_one_read():
    long = io.BytesIO(b" " * (1 << 20))
    parts = [*(300 * [long.getvalue()]), f"\n{line()}\nx".encode()]
    outcome = DecisionDataset.load(Parts(parts))
    assert told(outcome) == [(1, "too-long", "", None), (3, "invalid-json", "", 0)]
    assert outcome.problems[0].message == "The line is longer than 256 MiB."


def test_a_data_set_takes_little_more_memory_than_its_file(tmp_path):
    path = tmp_path / "large.jsonl"
    lines = 40_000
    state = '"' + "x" * 900 + '"'
    with path.open("w") as file:
        for number in range(lines):
            file.write(line(f"item-{number}", state=state) + "\n")
    script = (
        "import resource, sys\n"
        "from minos.decisions.dataset import DecisionDataset\n"
        "DecisionDataset.parse('')\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "dataset = DecisionDataset.load(sys.argv[1]).unwrap()\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(len(dataset), (after - before) * 1024)"
    )
    run = [sys.executable, "-c", script, str(path)]
    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    count, taken = map(int, printed.split())
    assert count == lines
    # The ids are kept twice while the file is read.
    assert taken < 1.3 * path.stat().st_size + 160 * lines


class Chunks(io.BytesIO):
    """A stream that gives few bytes at a time."""

    def __init__(self, data, size):
        super().__init__(data)
        self.size = size

    def read(self, size=-1):
        return super().read(min(size, self.size))


class Parts:
    """A stream of parts, joined as they are read."""

    def __init__(self, parts):
        self.parts = iter(parts)
        self.rest = b""

    def read(self, size):
        if not self.rest:
            self.rest = next(self.parts, b"")
        part, self.rest = self.rest[:size], self.rest[size:]
        return part


@pytest.mark.parametrize(
    "member",
    [
        '"state":{"NAME":{MEMBERS}}',
        '"questions":{"NAME":{MEMBERS}}',
        '"questions":{"NAME":{"type":"choice","instructions":"x","criteria":{BLANKS}}}',
    ],
)
def test_a_long_name_in_many_paths_takes_no_room_without_end(member):
    name = "n" * 400_000
    members = ",".join(f'"m{number}":0,"m{number}":0' for number in range(20_000))
    blanks = ",".join(f'"m{number}":""' for number in range(20_000))
    text = "{" + member.replace("NAME", name).replace("MEMBERS", members) + "}"
    outcome = DecisionDataset.parse(f"{text.replace('BLANKS', blanks)}\n{line('b')}\nx")
    size = sum(len(problem.path) + len(problem.message) for problem in outcome.problems)
    assert (64 << 20) < size < (66 << 20)
    [cut] = [problem for problem in outcome.problems if problem.code == "too-long"]
    assert cut.line == 1
    assert cut.message == "The line has more problems than are told: these take 64 MiB."
    assert outcome.problems[-2:] == DatasetProblems([cut, outcome.problems[-1]])
    assert told(outcome)[-1] == (3, "invalid-json", "", 0)
