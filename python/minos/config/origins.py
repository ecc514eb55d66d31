"""Each setting of a provider, and where it came from; what a provider can do."""

from __future__ import annotations

from dataclasses import dataclass, fields

from minos.config.build import Config, provider_of
from minos.config.values import OPTIONS, Option
from minos.errors import ConfigError
from minos.providers.capabilities import Capabilities
from minos.providers.options import DecisionClientOptions
from minos.providers.presets import PRESETS, ProviderName

_SECRET = "(set)"  # noqa: S105  # what is shown in its place
_DEFAULTS = {field.name: field.default for field in fields(DecisionClientOptions)}


@dataclass(frozen=True, slots=True)
class Origin:
    """The value of an option, and where it came from.

    Attributes:
        name: The option; a header is `Headers:NAME`.
        value: The value as it may be shown; `(set)` for a secret.
        source: The config file, `environment variable NAME`, `preset` or `default`.
    """

    name: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Described:
    """What there is to know about a provider before it is asked.

    Attributes:
        section: The name it is called by.
        provider: Whose conventions hold.
        address: The URL that is posted to; None where it is not known yet, or none is used.
        model: The model asked for; None where it is not known yet.
        key: The key's source; `not set`, or `none needed`.
        problem: What keeps it from being used; empty where nothing does.
        capabilities: What it takes; None for the embedded model, which tells when it is asked.
    """

    section: str
    provider: ProviderName
    address: str | None
    model: str | None
    key: str
    problem: str
    capabilities: Capabilities | None


def origins(config: Config, name: str | None = None) -> list[Origin]:
    """Return each setting of a section, those of the preset and the defaults too.

    Raises:
        ConfigError: There is no such section.
    """
    section = config.section(name)
    effective = config.effective(section)
    is_remote = provider_of(section) is not ProviderName.EMBEDDED
    told = []
    for key, option in OPTIONS.items():
        setting = effective.get(key)
        if setting is not None:
            value = _SECRET if option.is_secret else _shown(setting.value)
            told.append(Origin(option.name, value, setting.source))
        elif (known := _preset_value(provider_of(section), option)) is not None:
            told.append(Origin(option.name, known, "preset"))
        elif is_remote and _DEFAULTS[option.field] is not None:
            told.append(Origin(option.name, _shown(_DEFAULTS[option.field]), "default"))
    told += [
        Origin(f"Headers:{header}", _SECRET, setting.source)
        for header, setting in section.headers.items()
        if setting.value is not None
    ]
    return told


def describe(config: Config, name: str) -> Described:
    """Return what there is to know about a section or preset.

    Raises:
        ConfigError: There is no such section.
    """
    section = config.section(name)
    provider = provider_of(section)
    held = config.effective(section).get("apikey")
    preset = PRESETS.get(provider)
    if held is not None:
        key = held.source
    else:
        key = "not set" if preset is not None and preset.needs_key else "none needed"
    address = model = None
    problem = ""
    if preset is None:
        model = config.options(name).model
    else:
        try:
            endpoint = config.endpoint(name)
        except ConfigError as error:
            problem = str(error)
        else:
            address, model = endpoint.url, endpoint.model
    return Described(
        section.name,
        provider,
        address,
        model,
        key,
        problem,
        None if preset is None else preset.capabilities,
    )


def _preset_value(provider: ProviderName, option: Option) -> str | None:
    preset = PRESETS.get(provider)
    if option.field == "provider":
        return str(provider)
    if preset is None:
        return None
    known = {
        "base_address": preset.base_address,
        "model": preset.model,
        "path": preset.path,
        "format": str(preset.format) if provider is ProviderName.CUSTOM else None,
    }
    return known.get(option.field)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"
