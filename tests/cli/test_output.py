"""What is printed, and where."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minos.cli.output import Output, plain


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1bPquery\x1b\\text", "text"),
        ("\x9b31mred", "red"),
        ("\x1b(0text\x1bc", "text"),
        ("two\r\n\tlines", "two lines"),
        ("bell\x07", "bell\\u0007"),
        ("\u202eevil", "\\u202eevil"),
        ("line\u2028break", "line\\u2028break"),
        ("ünïcödé 🙂", "ünïcödé 🙂"),
        ("\x1b]never ended", ""),
        ("\x1b", "\\u001b"),
    ],
)
def test_control_sequences_are_not_printed(raw, shown):
    assert plain(raw) == shown


@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("\x1b\x9b[]0m;\x07\\P")))
def test_no_control_character_survives(text):
    assert all(ord(c) >= 0x20 and not 0x7F <= ord(c) < 0xA0 for c in plain(text))


def test_people_read_stderr_and_programs_stdout(capsys):
    output = Output("calibrate")
    output.say("150 items")
    output.note("a torn line was dropped")
    output.wrote("minos-out/x/report.json")
    output.finish({"items": 150})
    out, err = capsys.readouterr()
    assert out == "minos-out/x/report.json\n"
    assert err == "150 items\nnote: a torn line was dropped\n"


def test_quiet_keeps_data_and_notes(capsys):
    output = Output("calibrate", quiet=True)
    output.say("150 items")
    output.note("a torn line was dropped")
    output.wrote("report.json")
    out, err = capsys.readouterr()
    assert (out, err) == ("report.json\n", "note: a torn line was dropped\n")


def test_json_is_one_document_and_nothing_else(capsys):
    output = Output("calibrate", as_json=True)
    output.data("not shown")
    output.wrote("a/results.jsonl")
    output.wrote("a/report.json")
    output.finish({"items": 2, "accuracy": None})
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "kind": "minos-output",
        "command": "calibrate",
        "files": ["a/results.jsonl", "a/report.json"],
        "summary": {"items": 2, "accuracy": None},
    }


def test_a_number_that_json_lacks_is_never_printed():
    with pytest.raises(ValueError, match="not JSON compliant"):
        Output("calibrate", as_json=True).finish({"accuracy": float("nan")})
