import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minos.providers.redactor import Redactor
from minos.providers.secret import Secret

KEY = "sk-0123456789"


def test_it_masks_what_others_say():
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
def test_it_masks_a_key_however_json_spells_it(spelling):
    body = f'{{"model":"{spelling}"}}'
    assert json.loads(body) == {"model": KEY}
    assert Redactor([Secret(KEY)]).data(body.encode()) == b'{"model":"***"}'
    nested = json.dumps({"text": body})
    masked = json.loads(Redactor([Secret(KEY)]).data(nested.encode()))
    assert json.loads(masked["text"]) == {"model": "***"}


def test_it_masks_a_key_where_a_slash_is_escaped():
    assert Redactor([Secret('ab/cd+ef"')]).data(b'["ab\\/cd+ef\\""]') == b'["***"]'


def test_backslashes_without_end_are_searched_in_passing():
    data = b"\\" * (1 << 20)
    assert Redactor([Secret(KEY)]).data(data) == data


def test_a_short_one_is_left_since_it_would_garble_words():
    assert Redactor([Secret("test")]).text("the test of it") == "the test of it"


@pytest.mark.parametrize("times", [1, 2, 3])
def test_it_masks_a_key_that_is_part_of_a_url(times):
    key = spelled = "sk/01+23=45&67"
    for _ in range(times):
        spelled = quote(spelled, safe="")
    assert Redactor([Secret(key)]).text(f"https://host/?key={spelled}&x=%2F") == (
        "https://host/?key=***&x=%2F"
    )
    every = "".join(f"%{ord(letter):02X}" for letter in key)
    assert Redactor([Secret(key)]).text(every) == "***"


@given(st.text(st.characters(codec="ascii"), min_size=6, max_size=40), st.binary(), st.binary())
def test_it_masks_a_key_in_base64_wherever_it_begins(key, before, behind):
    redactor = Redactor([Secret(key)])
    for encode in (b64encode, urlsafe_b64encode):
        encoded = encode(before + key.encode() + behind)
        assert b"***" in redactor.data(b"<" + encoded + b">")


def test_headers_are_masked_by_value():
    headers = {"location": f"/?k={KEY}", "x": "y"}
    assert Redactor([Secret(KEY)]).headers(headers) == {"location": "/?k=***", "x": "y"}
    assert Redactor([Secret(KEY)]).headers({"x": "y"}) == {"x": "y"}
    assert Redactor([]).headers({"x": KEY}) == {"x": KEY}


@given(st.text(st.characters(codec=None)))
def test_what_holds_no_key_is_left_as_it_is(text):
    redactor = Redactor([Secret(KEY)])
    assert redactor.text(text) == text
