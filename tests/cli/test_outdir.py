"""Where a command writes."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from minos.cli.outdir import claim, refuse_unfinished
from minos.errors import ConfigError


def _noon():
    return datetime(2026, 10, 17, 14, 0, 0, tzinfo=timezone(timedelta(hours=2)))


def _names(path):
    return sorted(entry.name for entry in path.iterdir())


def test_a_default_directory_is_named_after_provider_and_utc_time(tmp_path):
    path = claim("OpenRouter", root=tmp_path, now=_noon)
    assert path == tmp_path / "minos-out" / "OpenRouter-20261017-120000"
    assert _names(path) == [".minos-run"]
    assert (path / ".minos-run").read_bytes() == b""


def test_a_taken_name_counts_on(tmp_path):
    names = [claim("local", root=tmp_path, now=_noon).name for _ in range(3)]
    assert names == [
        "local-20261017-120000",
        "local-20261017-120000-2",
        "local-20261017-120000-3",
    ]


def test_a_name_taken_by_a_file_counts_on(tmp_path):
    (tmp_path / "minos-out").mkdir()
    (tmp_path / "minos-out" / "local-20261017-120000").touch()
    assert claim("local", root=tmp_path, now=_noon).name == "local-20261017-120000-2"


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("my provider/2", "my-provider-2"),
        ("../../etc", "-..-etc"),
        ("..", "provider"),
        ("", "provider"),
        (".hidden", "hidden"),
        ("Übung", "-bung"),
        ("a.b_c-d", "a.b_c-d"),
    ],
)
def test_a_section_name_cannot_leave_its_place(tmp_path, section, name):
    path = claim(section, root=tmp_path, now=_noon)
    assert path.name == f"{name}-20261017-120000"
    assert path.parent == tmp_path / "minos-out"


def test_a_named_directory_is_made_and_not_marked(tmp_path):
    out = tmp_path / "deep" / "down"
    assert claim("local", out) == out
    assert _names(out) == []
    (out / "results.jsonl").touch()
    assert claim("local", out) == out
    assert _names(out) == ["results.jsonl"]


def test_a_directory_that_is_a_file_fails(tmp_path):
    (tmp_path / "minos-out").touch()
    with pytest.raises(FileExistsError):
        claim("local", root=tmp_path, now=_noon)
    with pytest.raises(NotADirectoryError):
        claim("local", tmp_path / "minos-out")


def test_the_clock_is_utc(tmp_path):
    before = datetime.now(UTC).replace(microsecond=0)
    name = claim("local", root=tmp_path).name
    stamp = datetime.strptime(name, "local-%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    assert before <= stamp <= datetime.now(UTC)


@pytest.mark.parametrize("left", [".minos-journal.jsonl", "results.partial.jsonl"])
def test_a_run_that_did_not_end_is_not_written_over(tmp_path, left):
    (tmp_path / left).touch()
    with pytest.raises(ConfigError, match="did not end") as refused:
        refuse_unfinished(tmp_path)
    assert "--resume" in refused.value.hint
    assert "--overwrite" in refused.value.hint


def test_finished_and_missing_directories_are_not_refused(tmp_path):
    (tmp_path / "results.jsonl").touch()
    refuse_unfinished(tmp_path)
    refuse_unfinished(tmp_path / "none")
