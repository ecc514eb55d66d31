"""JSON off a wire: read as RFC 8259 has it, and refused where nobody can say what it means."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from minos.providers.shown import shown

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class UnreadableError(Exception):
    """An answer or a whole response that cannot be read; the message says why."""


class RepeatedMemberError(UnreadableError):
    """An object that has a member twice, so that nobody can say which of them holds.

    Attributes:
        path: The member, with the names of those it is in.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"'{shown(path)}' appears more than once.")


def strict_decoder(parse_float: Callable[[str], float] | None = None) -> json.JSONDecoder:
    """Return what reads JSON as RFC 8259 has it, and refuses an object that has a member twice.

    Args:
        parse_float: Reads a number with a fraction or an exponent.
    """
    return json.JSONDecoder(
        object_pairs_hook=_members, parse_constant=_refuse_constant, parse_float=parse_float
    )


def parse_json(data: bytes, decoder: json.JSONDecoder | None = None) -> Any:  # noqa: ANN401
    """Parse a body as JSON, as strictly as RFC 8259; one leading byte order mark is dropped.

    Args:
        data: The body.
        decoder: What `strict_decoder` gave.

    Raises:
        UnreadableError: It is not JSON, or one of its objects has a member twice.
    """
    try:
        text = data.removeprefix(_BYTE_ORDER_MARK).decode()
        return (decoder or _STRICT).decode(text)
    except UnreadableError as error:
        raise _placed(text, error) from None
    except json.JSONDecodeError as error:
        raise UnreadableError(f"{error.msg} at character {error.pos}.") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"It is not UTF-8 at byte {error.start}.") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableError("It cannot be read as JSON.") from error


def salvage(data: bytes) -> dict[str, Any]:
    """Return what can be told of a body that `parse_json` refuses, for what it says of itself.

    Members that are repeated are left out; NaN and infinity are read. A body that is no object,
    or no JSON even so, gives an empty object.
    """
    try:
        document = _LENIENT.decode(data.removeprefix(_BYTE_ORDER_MARK).decode())
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def unwrapped(document: dict[str, Any]) -> dict[str, Any]:
    """Return the object that holds answers and usage: in Workers AI's envelope it is `result`."""
    result = document.get("result")
    return result if isinstance(result, dict) else document


def _refuse_constant(name: str) -> float:
    raise UnreadableError(f"{name} is not JSON.")


class _Constant:
    def __init__(self, name: str) -> None:
        self.name = name


class _Repeating(dict[str, Any]):
    repeated: str


def _placed(text: str, error: UnreadableError) -> UnreadableError:
    """Return the error with the place of the first fault: it takes a second look to know it."""
    try:
        values: list[tuple[str, object]] = [("", _MARKING.decode(text))]
    except (ValueError, RecursionError):
        return error
    while values:
        path, value = values.pop()
        inner: list[tuple[str, object]] = []
        match value:
            case _Constant(name=name) if path:
                return UnreadableError(f"{name} at '{shown(path)}' is not JSON.")
            case _Repeating(repeated=name):
                return RepeatedMemberError(f"{path}.{name}".lstrip("."))
            case dict():
                inner = [(f"{path}.{name}".lstrip("."), member) for name, member in value.items()]
            case list():
                inner = [(f"{path}[{place}]", entry) for place, entry in enumerate(value)]
        values += reversed(inner)
    return error


def _marked_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    marked = _Repeating(members)
    marked.repeated = next(name for name, count in _times(pairs).items() if count > 1)
    return marked


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise RepeatedMemberError(next(n for n, count in _times(pairs).items() if count > 1))
    return members


def _members_told_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    times = _times(pairs)
    return {name: value for name, value in pairs if times[name] == 1}


def _times(pairs: list[tuple[str, Any]]) -> Counter[str]:
    return Counter(name for name, _ in pairs)


_STRICT: Final = strict_decoder()
_LENIENT: Final = json.JSONDecoder(object_pairs_hook=_members_told_once)
_MARKING: Final = json.JSONDecoder(object_pairs_hook=_marked_members, parse_constant=_Constant)
