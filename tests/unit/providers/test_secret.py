import copy
import dataclasses
import json
import pickle

import pytest

from minos.providers.secret import Secret

KEY = "sk-0123456789"


@pytest.mark.parametrize(
    "show",
    [repr, str, "{}".format, "{!r}".format, "{:>20}".format, lambda s: f"{[s]} {{{s!r}}}"],
)
def test_no_way_to_print_it_shows_it(show):
    shown = show(Secret(KEY))
    assert KEY not in shown
    assert "***" in shown


def test_it_goes_into_no_json_and_no_pickle():
    with pytest.raises(TypeError):
        json.dumps({"key": Secret(KEY)})
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(Secret(KEY), protocol)


def test_it_can_be_copied_as_part_of_something():
    secret = Secret(KEY)

    @dataclasses.dataclass
    class Holder:
        secret: Secret

    assert copy.copy(secret) is copy.deepcopy(secret) is secret
    assert KEY not in repr(dataclasses.asdict(Holder(secret)))


def test_it_compares_by_value_and_gives_it_when_asked():
    assert Secret(KEY) == Secret(KEY) != Secret("other")
    assert len({Secret(KEY), Secret(KEY)}) == 1
    assert Secret(KEY) != KEY
    assert Secret(KEY).reveal() == KEY
