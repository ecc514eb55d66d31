import pytest

from minos.attempts.journal import NAME, Journal
from minos.attempts.recovery import recover
from minos.attempts.resume import check_settings, resume
from minos.errors import ConfigError


@pytest.fixture
def recovered(tmp_path):
    journal = Journal(tmp_path, {}, lambda index: f"id{index}")
    journal.keep(1, b'{"id":"b","error":"Timeout"}')
    journal.keep(4, b'{"id":"e"}')
    journal.keep(3, b'{"id":"d","error":"Validation"}')
    journal.keep(1, b'{"id":"b"}')
    journal.keep(5, b'{"id":"f","error":"Timeout"}')
    journal.close()
    return recover(tmp_path / NAME)


def plan(recovered, chosen, again=()):
    return resume(
        recovered.entries(),
        chosen,
        lambda index: f"id{index}",
        is_error=lambda result: "error" in result,
        is_wanted_again=lambda result: result.get("error") in again,
    )


def test_only_what_is_not_kept_is_left(recovered):
    left = plan(recovered, range(8))
    assert list(left.indices) == list(left.indices) == [0, 2, 6, 7]
    assert (left.count, left.done, left.errors) == (4, 4, 2)


def test_failures_that_are_wanted_again_are_left_too(recovered):
    left = plan(recovered, range(8), {"Timeout"})
    assert list(left.indices) == [0, 2, 5, 6, 7]
    assert (left.count, left.done, left.errors) == (5, 3, 1)


def test_a_finished_run_has_nothing_left(recovered):
    left = plan(recovered, [1, 3, 4, 5])
    assert list(left.indices) == []
    assert (left.count, left.done) == (0, 4)


@pytest.mark.parametrize("chosen", [range(5), [1, 3, 4], [1, 3, 5], []])
def test_a_journaled_item_that_is_gone_is_refused(recovered, chosen):
    with pytest.raises(ConfigError, match=r"'.' is no longer part of it"):
        plan(recovered, chosen)


def test_a_journaled_item_that_differs_is_refused(recovered):
    with pytest.raises(ConfigError, match="'d' is not what it was"):
        resume(
            recovered.entries(),
            range(8),
            lambda index: "other" if index == 3 else f"id{index}",
            is_error=bool,
            is_wanted_again=lambda _: False,
        )


def test_other_settings_are_refused():
    check_settings({"model": "a", "x": 1}, {"model": "a", "x": 2}, ["model", "none"])
    with pytest.raises(ConfigError, match="started with model 'a', not 'b'"):
        check_settings({"model": "a"}, {"model": "b"}, ["model"])
    with pytest.raises(ConfigError, match="started with address 'a', not None"):
        check_settings({"address": "a"}, {}, ["address"])
