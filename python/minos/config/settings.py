"""The settings of file and environment in one table; the environment wins."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from minos.config.document import Place, Value, read_document
from minos.config.values import HEADERS, OPTIONS
from minos.errors import ConfigError

_ROOT = "minos"
_PREFIX = "minos__"


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and where it came from.

    Attributes:
        value: The value as written.
        source: The config file, or `environment variable NAME`.
        place: The setting's own name, for messages: `Minos:Providers:local:Model`.
        is_environment: Whether it comes from the environment.
    """

    value: Value = field(repr=False)  # it may be a key
    source: str
    place: str
    is_environment: bool


@dataclass(slots=True)
class Section:
    """What is set for one provider.

    Attributes:
        name: Its name, as first written.
        options: The settings by the lower-case name of their option.
        headers: The further headers by name.
    """

    name: str
    options: dict[str, Setting] = field(default_factory=dict)
    headers: dict[str, Setting] = field(default_factory=dict)


@dataclass(slots=True)
class Settings:
    """All that file and environment say about providers.

    Attributes:
        active: `Minos:Active`; None where it is not set.
        sections: The sections by lower-case name, in the order they were first named.
    """

    active: Setting | None = None
    sections: dict[str, Section] = field(default_factory=dict)


def read_settings(file: Path | None, environ: Mapping[str, str]) -> Settings:
    """Read the config file, where there is one, and the environment over it.

    Raises:
        ConfigError: The file cannot be read, or a name is none of a setting.
    """
    settings = Settings()
    if file is not None:
        for place, value in read_document(file).items():
            _put(settings, place, Setting(value, str(file), ":".join(place), is_environment=False))
    for name, value in environ.items():
        if name.lower().startswith(_PREFIX):
            place = tuple(name.split("__"))
            source = f"environment variable {name}"
            _put(settings, place, Setting(value, source, ":".join(place), is_environment=True))
    return settings


def _put(settings: Settings, place: Place, setting: Setting) -> None:
    folded = tuple(name.lower() for name in place)
    if folded[0] != _ROOT:
        raise _unknown(setting, place[0], ["Minos"])
    match folded[1:]:
        case () | ("providers",):
            _require_object(setting)
        case ("active",):
            settings.active = setting
        case ("providers", _):
            _require_object(setting)
            _section(settings, place[2])
        case ("providers", _, "headers", *rest):
            section = _section(settings, place[2])
            if len(rest) == 1:
                section.headers[place[4]] = setting
            else:
                _require_object(setting)
        case ("providers", _, option):
            if option not in OPTIONS:
                raise _unknown(setting, place[3], [o.name for o in (*OPTIONS.values(), HEADERS)])
            _section(settings, place[2]).options[option] = setting
        case ("providers", _, option, *_):
            raise ConfigError(f"{setting.source}: '{':'.join(place[:4])}' must not be an object")
        case _:
            raise _unknown(setting, place[1], ["Active", "Providers"])


def _require_object(setting: Setting) -> None:
    if setting.value is not None:  # an empty object, or null, is nothing set
        raise ConfigError(f"{setting.source}: '{setting.place}' must be an object")


def _section(settings: Settings, name: str) -> Section:
    return settings.sections.setdefault(name.lower(), Section(name))


def _unknown(setting: Setting, name: str, known: Iterable[str]) -> ConfigError:
    return ConfigError(
        f"{setting.source}: '{setting.place}' is not a setting",
        hint=suggestion(name, known) or f"known here: {', '.join(known)}",
    )


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return a question that names what was probably meant; empty where nothing is near."""
    by_folded = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_folded, n=1)
    return f"did you mean {by_folded[near[0]]}?" if near else ""
