import json
import os
import subprocess
import sys

import pytest

from minos.attempts.identity import identity
from minos.attempts.journal import NAME, Journal
from minos.attempts.recovery import recover
from minos.errors import ConfigError

HEADER = b'{"kind":"minos-journal","version":1,"settings":{}}\n'
SETTINGS = {"provider": "embedded", "model": None, "näme": "ä"}


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def journal(tmp_path, clock):
    journal = Journal(tmp_path, SETTINGS, lambda index: f"id{index}", clock=clock)
    yield journal
    journal.close()


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def line(index):
    return b'{"id":"%d","n":[1,"\xc3\xa4"]}' % index


def test_nothing_is_there_before_the_first_result(journal, tmp_path):
    assert names(tmp_path) == []
    journal.keep(0, line(0))
    assert names(tmp_path) == [NAME]


def test_the_file_is_a_header_and_a_line_for_each_result(journal, tmp_path):
    journal.keep(2, line(2))
    journal.keep(0, line(0))
    first, *rest = (tmp_path / NAME).read_text(encoding="utf-8").splitlines()
    assert json.loads(first) == {"kind": "minos-journal", "version": 1, "settings": SETTINGS}
    assert [json.loads(each) for each in rest] == [
        {"index": 2, "request": "id2", "result": json.loads(line(2))},
        {"index": 0, "request": "id0", "result": json.loads(line(0))},
    ]


def test_results_come_back_in_order_and_the_last_of_an_index_counts(journal):
    for index in (5, 1, 3, 2):
        journal.keep(index, line(index))
    journal.keep(3, b'{"id":"again"}')
    assert list(journal.results(range(9))) == [line(1), line(2), b'{"id":"again"}', line(5)]
    assert [index for index in range(9) if index in journal] == [1, 2, 3, 5]


def test_results_of_a_journal_without_any(journal):
    assert list(journal.results(range(3))) == []


def test_what_a_killed_run_left_is_recovered(journal, tmp_path):
    for index in (1, 0, 1):
        journal.keep(index, line(index))
    recovered = recover(tmp_path / NAME)
    assert recovered.settings == SETTINGS
    assert list(recovered.indices()) == [0, 1]
    assert [text for _, text in recovered.results()] == [line(0), line(1)]
    assert list(recovered.entries()) == [
        (0, "id0", json.loads(line(0))),
        (1, "id1", json.loads(line(1))),
    ]
    assert recovered.torn_bytes == 0


def test_a_torn_last_line_is_dropped_at_every_byte(journal, tmp_path):
    path = tmp_path / NAME
    journal.keep(0, line(0))
    whole = path.stat().st_size
    journal.keep(1, line(1))
    data = path.read_bytes()
    for size in range(whole, len(data)):
        path.write_bytes(data[:size])
        recovered = recover(path)
        assert list(recovered.indices()) == [0]
        assert recovered.torn_bytes == size - whole


def test_a_last_line_that_is_garbage_is_torn(journal, tmp_path):
    journal.keep(0, line(0))
    with (tmp_path / NAME).open("ab") as file:
        file.write(b"\0" * 40 + b"}\n")
    assert recover(tmp_path / NAME).torn_bytes == 42


def test_going_on_cuts_off_the_torn_line(journal, tmp_path, clock):
    journal.keep(0, line(0))
    journal.close()
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"index":1,"req')
    again = Journal(tmp_path, {}, lambda index: f"id{index}", clock=clock)
    again.resume(recover(tmp_path / NAME))
    again.keep(1, line(1))
    again.close()
    recovered = recover(tmp_path / NAME)
    assert recovered.settings == SETTINGS
    assert [text for _, text in recovered.results()] == [line(0), line(1)]
    assert recovered.torn_bytes == 0


def test_beginning_with_results_is_one_stroke(journal, tmp_path):
    journal.keep(0, line(0))

    def results():
        yield 4, line(4)
        assert list(recover(tmp_path / NAME).results()) == [(0, line(0))]
        yield 2, line(2)

    journal.begin(results())
    journal.keep(3, line(3))
    assert list(journal.results(range(9))) == [line(2), line(3), line(4)]
    assert list(recover(tmp_path / NAME).results()) == [(2, line(2)), (3, line(3)), (4, line(4))]


def test_a_new_run_replaces_an_old_journal_only_with_its_first_result(journal, tmp_path, clock):
    journal.keep(0, line(0))
    journal.close()
    new = Journal(tmp_path, {"new": True}, lambda index: f"id{index}", clock=clock)
    assert list(recover(tmp_path / NAME).results()) == [(0, line(0))]
    new.keep(7, line(7))
    new.close()
    recovered = recover(tmp_path / NAME)
    assert recovered.settings == {"new": True}
    assert list(recovered.indices()) == [7]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "has no readable header"),
        (b'{"kind":"minos-journal"', "has no readable header"),
        (b"[]\n", "has no readable header"),
        (b'{"kind":"minos-journal","version":2,"settings":{}}\n', "another version"),
        (b'{"kind":"other","version":1,"settings":{}}\n', "another version"),
        (
            HEADER + b'x\n{"index":0,"request":"a","result":{}}\n',
            "is damaged at line 2",
        ),
        (b"[" * 100_000 + b"\n", "has no readable header"),
        *(
            (
                HEADER
                + b'{"index":%b,"request":"a","result":{}}\n' % index
                + b'{"index":0,"request":"a","result":{}}\n',
                "is damaged at line 2",
            )
            for index in (b"true", b"1.0", b"%d" % 2**31, b"9" * 5000, b"[" * 100_000)
        ),
        (
            HEADER
            + b'{"index":-1,"request":"a","result":{}}\n{"index":0,"request":"a","result":{}}\n',
            "is damaged at line 2",
        ),
    ],
)
def test_what_is_no_journal_is_refused(tmp_path, text, message):
    path = tmp_path / NAME
    path.write_bytes(text)
    with pytest.raises(ConfigError, match=message) as raised:
        recover(path)
    assert "--overwrite" in raised.value.hint


def test_a_sync_is_claimed_at_most_once_a_second(journal, clock):
    clock.now += 1
    assert not journal.claim_sync()
    journal.keep(0, line(0))
    assert journal.claim_sync()
    assert not journal.claim_sync()
    journal.keep(1, line(1))
    clock.now += 0.999
    assert not journal.claim_sync()
    clock.now += 0.002
    assert journal.claim_sync()
    clock.now += 5
    assert not journal.claim_sync()
    journal.sync()


def test_a_journal_that_has_just_begun_is_not_synced_at_once(journal):
    journal.keep(0, line(0))
    assert not journal.claim_sync()


def test_an_interrupted_write_leaves_the_file_whole(journal, tmp_path, monkeypatch):
    journal.keep(0, line(0))
    write = os.write

    def interrupted(file, data):
        write(file, data)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            journal.keep(1, line(1))
    journal.keep(2, line(2))
    assert list(journal.results(range(3))) == [line(0), line(2)]
    assert dict(recover(tmp_path / NAME).results()) == {0: line(0), 2: line(2)}


def test_a_write_that_is_cut_short_leaves_the_file_whole(journal, tmp_path, monkeypatch):
    journal.keep(0, line(0))
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:10]))
    with pytest.raises(OSError, match="only 10 of"):
        journal.keep(1, line(1))
    monkeypatch.undo()
    journal.keep(2, line(2))
    assert list(recover(tmp_path / NAME).results()) == [(0, line(0)), (2, line(2))]


def test_each_line_is_one_write(journal, monkeypatch):
    journal.keep(0, line(0))
    writes = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: writes.append(data) or write(file, data))
    journal.keep(1, line(1))
    journal.keep(2, line(2))
    assert len(writes) == 2


def test_two_processes_do_not_write_one_journal(journal, tmp_path):
    journal.keep(0, line(0))
    code = (
        "import sys; from pathlib import Path; from minos.attempts.journal import Journal, NAME;"
        "from minos.attempts.recovery import recover; here = Path(sys.argv[1]);"
        "Journal(here, {}, str).resume(recover(here / NAME))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False
    )
    assert other.returncode == 1
    assert "another process is writing" in other.stderr


def test_deleting_leaves_nothing(journal, tmp_path):
    journal.keep(0, line(0))
    journal.delete()
    assert names(tmp_path) == []


def test_memory_is_eight_bytes_an_attempt(journal):
    for index in range(5000):
        journal.keep(index, b"{}")
    assert journal._offsets.itemsize * len(journal._offsets) <= 16 * 5000 + 8 * 1024


def test_identity_depends_on_what_lies_in_which_part():
    assert (
        len({identity(b"ab", b"c"), identity(b"a", b"bc"), identity(b"abc"), identity(b"", b"abc")})
        == 4
    )
    assert identity(b"ab", b"c") == identity(b"ab", b"c")


def test_a_journal_that_cannot_be_read_is_refused_in_words(tmp_path):
    (tmp_path / NAME).mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        recover(tmp_path / NAME)


@pytest.mark.parametrize(
    "entry",
    [
        b'{"result":{"a":1},"index":0,"request":"r"}',
        b'{"index":0,"result":{"a":1},"request":"r"}',
        b'{"index": 0,"request":"r","result":{"a":1}}',
        b'{"index":1,"request":"r","result":{"a":1},"index":0}',
    ],
)
def test_a_line_that_is_not_as_it_was_written_is_damage(tmp_path, entry):
    whole = b'{"index":1,"request":"r","result":{"a":2}}\n'
    (tmp_path / NAME).write_bytes(HEADER + entry + b"\n" + whole)
    with pytest.raises(ConfigError, match="damaged at line 2"):
        recover(tmp_path / NAME)
