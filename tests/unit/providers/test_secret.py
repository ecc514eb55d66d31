import copy
import dataclasses
import json
import pickle

import pytest

from minos.providers.secret import Redactor, Secret

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


def test_it_masks_itself_in_what_others_say():
    redactor = Redactor([Secret(KEY), Secret("header-value")])
    assert redactor.text(f"a {KEY} b header-value") == "a *** b ***"
    assert redactor.data(f"<{KEY}>".encode()) == b"<***>"
    assert redactor.json({KEY: [KEY, 1, None, {"a": KEY}]}) == {
        "***": ["***", 1, None, {"a": "***"}]
    }


def escaped(text):
    return "".join(f"\\u{ord(character):04X}" for character in text)


@pytest.mark.parametrize(
    "spelling",
    [escaped(KEY), escaped(KEY).lower(), f"{escaped(KEY[:3])}{KEY[3:]}", KEY],
)
def test_it_masks_itself_however_json_spells_it(spelling):
    body = f'{{"model":"{spelling}"}}'
    assert json.loads(body) == {"model": KEY}
    assert Secret(KEY).redact_bytes(body.encode()) == b'{"model":"***"}'
    nested = json.dumps({"text": body})
    masked = json.loads(Secret(KEY).redact_bytes(nested.encode()))
    assert json.loads(masked["text"]) == {"model": "***"}


def test_it_masks_itself_where_a_slash_is_escaped():
    assert Secret('ab/cd+ef"').redact_bytes(b'["ab\\/cd+ef\\""]') == b'["***"]'


def test_backslashes_without_end_are_searched_in_passing():
    data = b"\\" * (1 << 20)
    assert Secret(KEY).redact_bytes(data) == data


def test_a_short_one_is_left_since_it_would_garble_words():
    assert Redactor([Secret("test")]).text("the test of it") == "the test of it"
