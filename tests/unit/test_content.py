"""Content between Python values and JSON."""

from __future__ import annotations

import json
from collections import OrderedDict
from decimal import Decimal
from enum import IntEnum, StrEnum
from types import MappingProxyType

import pytest

from minos.content import content_from_json, content_to_json


class Level(IntEnum):
    HIGH = 3


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("", '""'),
        ('a"\\\n\x00\x7f\u2028é😀', '"a\\"\\\\\\n\\u0000\x7f\u2028é😀"'),
        ({}, "{}"),
        ([], "[]"),
        (((), [{}]), "[[],[{}]]"),
        ({"a": {"b": [1, True, None]}, "c": False}, '{"a":{"b":[1,true,null]},"c":false}'),
        (MappingProxyType({"k": Level.HIGH}), '{"k":3}'),
        (OrderedDict(b=Colour.RED, a=-0.0), '{"b":"red","a":-0.0}'),
        ([0.1, 1e300, 5e-324], "[0.1,1e+300,5e-324]"),
        ([Decimal("1.50"), Decimal("1e400"), Decimal("-0")], "[1.50,1E+400,-0]"),
        ([10**4500], "[1" + "0" * 4500 + "]"),
    ],
)
def test_rendering(content, text):
    assert content_to_json(content) == text


def test_content_nests_up_to_512_levels():
    content = "x"
    for _ in range(512):
        content = [content]
    assert content_to_json(content) == "[" * 512 + '"x"' + "]" * 512
    with pytest.raises(ValueError, match="deeper than 512"):
        content_to_json([content])
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="deeper than 512"):
        content_to_json(endless)


@pytest.mark.parametrize(
    "number", [float("nan"), float("-inf"), Decimal("NaN"), Decimal("Infinity")]
)
def test_numbers_that_are_none(number):
    with pytest.raises(ValueError, match="cannot hold the number"):
        content_to_json({"a": number})


@pytest.mark.parametrize("value", [object(), b"x", {1}, 1j, {None: 1}, {("a",): 1}])
def test_values_that_are_none(value):
    with pytest.raises(TypeError):
        content_to_json([value])


def test_reading_what_was_written():
    content = {"a": [1, 2.5, "é", None, True, {"b": []}]}
    assert content_from_json(content_to_json(content).encode()) == content
    assert content_from_json(json.dumps(content).encode()) == content
