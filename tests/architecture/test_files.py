"""Files are about one thing, and say nothing that does not belong in them."""

import re

import pytest
from tests.architecture.source import ROOT

LONGEST = {"python": 400, "src": 400, "tests": 600, "benches": 400}
LONG_FOR_A_REASON = {
    "src/core/run/batch.rs": "the columns of a batch of results, and the views of them",
    "src/core/run/parse.rs": "one parser of a results line, member by member",
}
"""Longer files, each with the reason why it is one thing."""

SUFFIXES = {".md", ".py", ".pyi", ".rs", ".sh", ".toml", ".yml", ".yaml", ""}
FOLDERS = (".ci", "benches", "docs", "examples", "python", "src", "tests")


def _files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                yield path
    yield from (path for path in sorted(ROOT.iterdir()) if path.suffix in SUFFIXES - {""})
    yield ROOT / "Makefile"


def _name(path):
    return path.relative_to(ROOT).as_posix()


def _code():
    return [path for path in _files() if path.suffix in {".py", ".rs"}]


@pytest.mark.parametrize("path", _code(), ids=_name)
def test_a_file_is_about_one_thing(path):
    if _name(path) not in LONG_FOR_A_REASON:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGEST[path.relative_to(ROOT).parts[0]]


def test_files_are_named_after_what_they_hold():
    vague = {"base_utils", "common", "helpers", "manager", "misc", "util", "utils"}
    assert [_name(path) for path in _files() if path.stem in vague] == []
    assert not [folder for folder in ROOT.glob("python/**/") if folder.name in vague]


# Written with brackets so that this file does not match itself.
UNWANTED = {
    "a path of one machine": r"(?:^|[^a-z.\w])/(?:wor[k]|roo[t])/",
    "a note to do something later": r"\b(?:TOD[O]|FIXM[E]|XX[X])\b|\b(?:tod[o]|unimplemente[d])!",
    "how the code came about": r"(?i)\bsub-?agen[t]\b|\brulin[g] \d|\bissu[e] \d",
}


@pytest.mark.parametrize("path", list(_files()), ids=_name)
def test_nothing_stands_in_a_file_that_does_not_belong_there(path):
    text = path.read_text(encoding="utf-8")
    found = {
        what: [match.group() for match in re.finditer(pattern, text, re.MULTILINE)]
        for what, pattern in UNWANTED.items()
    }
    assert {what: matches for what, matches in found.items() if matches} == {}


@pytest.mark.parametrize("path", list(_files()), ids=_name)
def test_lines_end_cleanly(path):
    text = path.read_text(encoding="utf-8")
    assert "\r" not in text
    assert not text or text.endswith("\n")
