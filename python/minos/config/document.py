"""minos.json: strict JSON, flattened into settings that know where they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from minos.errors import ConfigError

Place: TypeAlias = tuple[str, ...]
"""The names that lead to a setting, as they are written: `("Minos", "Active")`."""

Value: TypeAlias = str | int | float | bool | None


def read_document(path: Path) -> dict[Place, Value]:
    """Return every value of a config file by its place.

    Names are matched without regard to case later on, so one that differs from another only in
    case is refused here, as one that stands twice is. A name may join several with colons, as in
    `"Minos:Active"`.

    Raises:
        ConfigError: The file is missing, cannot be read, or is not such JSON.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise ConfigError(f"there is no config file {path}") from error
    except OSError as error:
        raise ConfigError(f"cannot read the config file {path}: {error.strerror}") from error
    try:
        document = json.loads(
            data.removeprefix(b"\xef\xbb\xbf").decode(),
            object_pairs_hook=_Object,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        told = f"{path} is not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        raise ConfigError(told) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not valid UTF-8 at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(document, _Object):
        raise ConfigError(f"{path} must hold a JSON object")
    values: dict[Place, Value] = {}
    used: set[Place] = set()
    for place, value in _flatten(document, (), path):
        folded = tuple(name.lower() for name in place)
        if folded in used:
            raise ConfigError(f"{path}: '{':'.join(place)}' appears more than once")
        used.add(folded)
        values[place] = value
    return values


class _Object(list[tuple[str, Any]]):
    """A JSON object as its pairs, so that a name that stands twice is seen."""


def _flatten(node: _Object, above: Place, path: Path) -> Iterator[tuple[Place, Value]]:
    for name, value in node:
        place = (*above, *name.split(":"))
        match value:
            case _Object():
                if not value:
                    yield place, None
                yield from _flatten(value, place, path)
            case list():
                raise ConfigError(f"{path}: '{':'.join(place)}' must not be a list")
            case _:
                yield place, value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")
