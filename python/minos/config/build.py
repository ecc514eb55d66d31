"""Providers out of settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minos.config.settings import Section, Setting, Settings, read_settings, suggestion
from minos.config.values import HEADERS, OPTIONS, Option, WrongValueError
from minos.config.variables import CONFIG_FILE, VARIABLES, proxy_url
from minos.errors import ConfigError
from minos.providers.base import DecisionProvider
from minos.providers.options import DecisionClientOptions, Endpoint
from minos.providers.presets import ProviderName

if TYPE_CHECKING:
    from minos.providers.cache import ResponseCache

_DEFAULT_FILE = "minos.json"
_PRESETS = {name.lower(): name for name in ProviderName}


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a command line says, over file and environment; None is not said.

    Attributes:
        model: The model to ask for.
        timeout_s: Seconds for each try.
        requests_per_minute: The most requests sent in a minute.
        tokens_per_minute: The most tokens used in a minute.
    """

    model: str | None = None
    timeout_s: float | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


class Config:
    """The configuration as read, once.

    Attributes:
        file: The config file; it may be absent where it was not asked for.
    """

    def __init__(self, file: Path, settings: Settings, environ: Mapping[str, str]) -> None:
        """Hold what was read; use `load`."""
        self.file = file
        self._settings = settings
        self._environ = environ

    @property
    def active(self) -> str | None:
        """What `Minos:Active` names; None where it is not set.

        Raises:
            ConfigError: It is not text.
        """
        active = self._settings.active
        if active is None or active.value is None:
            return None
        if not isinstance(active.value, str):
            raise ConfigError(f"{active.source}: 'Minos:Active' must be text")
        return active.value

    @property
    def section_names(self) -> tuple[str, ...]:
        """The sections of file and environment, in the order they are first named."""
        return tuple(section.name for section in self._settings.sections.values())

    def section_name(self, name: str | None = None) -> str:
        """Return the name of the section to use, as it is written.

        Args:
            name: What was asked for; None is `Minos:Active`.

        Raises:
            ConfigError: None is named, or there is no such section.
        """
        return self.section(name).name

    def options(
        self, name: str | None = None, overrides: Overrides = Overrides()
    ) -> DecisionClientOptions:
        """Return the options of a section, not yet checked against each other.

        Raises:
            ConfigError: There is no such section, or a value is none of its option.
        """
        section = self.section(name)
        fields: dict[str, Any] = {"provider": provider_of(section)}
        for key, setting in self.effective(section).items():
            fields[OPTIONS[key].field] = _read(OPTIONS[key], setting)
        if section.headers:
            fields["headers"] = {
                name: _read(HEADERS, setting)
                for name, setting in section.headers.items()
                if setting.value is not None
            }
        fields |= {name: said for name, said in asdict(overrides).items() if said is not None}
        return DecisionClientOptions(**fields)

    def endpoint(self, name: str | None = None, overrides: Overrides = Overrides()) -> Endpoint:
        """Return where and how a section's provider is asked.

        Raises:
            ConfigError: An option is missing or wrong.
        """
        options = self.options(name, overrides)
        variables = VARIABLES.get(options.provider, {})
        return options.endpoint(
            key_variable=variables.get("apikey", ""),
            account_variable=variables.get("accountid", ""),
        )

    def provider(
        self,
        name: str | None = None,
        *,
        overrides: Overrides = Overrides(),
        http_client: Any = None,  # noqa: ANN401  # an AsyncClient of either library
        cache: ResponseCache | None = None,
        repeat: int = 1,
    ) -> DecisionProvider:
        """Build the provider of a section.

        Args:
            name: The section; None is `Minos:Active`.
            overrides: What goes before file and environment.
            http_client: An `AsyncClient` of httpx or httpx2 to send with.
            cache: Where answers are kept; the embedded model needs none.
            repeat: Which repeat of a run it is for: each has answers of its own in the cache.

        Raises:
            ConfigError: An option is missing or wrong.
        """
        section = self.section(name)
        options = self.options(name, overrides)
        if options.provider is ProviderName.EMBEDDED:
            from minos.providers.embedded import Embedded  # noqa: PLC0415  # loads the model

            return Embedded(options.model, name=section.name)
        from minos.providers.client import DecisionClient  # noqa: PLC0415  # takes httpx with it

        endpoint = self.endpoint(name, overrides)
        proxy = None if http_client is not None else proxy_url(endpoint.url, self._environ)
        client = DecisionClient(
            endpoint, name=section.name, http_client=http_client, proxy_url=proxy
        )
        if cache is None:
            return client
        from minos.providers.cache import CachedClient  # noqa: PLC0415

        return CachedClient(client, cache, repeat=repeat)

    def section(self, name: str | None = None) -> Section:
        """Return a section as it is set; a preset's, where only its name is known, is empty.

        Raises:
            ConfigError: None is named, or there is no such section.
        """
        if name is None:
            name = self.active
            if name is None:
                raise ConfigError(
                    "no provider is named: pass --provider, or set Minos:Active",
                    hint=self._known_sections(),
                )
        section = self._settings.sections.get(name.lower())
        if section is not None:
            return section
        preset = _PRESETS.get(name.lower())
        if preset is None:
            looked = "" if self.file.exists() else " (there is none)"
            raise ConfigError(
                f"there is no provider '{name}' in {self.file}{looked}",
                hint=suggestion(name, [*self.section_names, *ProviderName])
                or self._known_sections(),
            )
        return Section("embedded" if preset is ProviderName.EMBEDDED else str(preset))

    def _known_sections(self) -> str:
        return f"known here: {', '.join(dict.fromkeys([*self.section_names, *ProviderName]))}"

    def effective(self, section: Section) -> dict[str, Setting]:
        """Return what is set for each option: by `Minos__`, the provider's variable, the file."""
        settings = {key: s for key, s in section.options.items() if s.value is not None}
        for key, variable in VARIABLES.get(provider_of(section), {}).items():
            value = self._environ.get(variable, "").strip()
            held = settings.get(key)
            if value and not (held is not None and held.is_environment):
                place = f"Minos:Providers:{section.name}:{OPTIONS[key].name}"
                source = f"environment variable {variable}"
                settings[key] = Setting(value, source, place, is_environment=True)
        return settings


def load(file: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Config:
    """Read the configuration.

    Args:
        file: The config file. None is the one that MINOS_CONFIG names, else minos.json in the
            current directory, which may be missing.
        environ: The environment; that of the process by default.

    Raises:
        ConfigError: A file that was asked for is missing, or a setting is not one.
    """
    environ = os.environ if environ is None else environ
    if file is None and environ.get(CONFIG_FILE):
        file = Path(environ[CONFIG_FILE])
    default = Path(_DEFAULT_FILE)
    found = file if file is not None else (default if default.exists() else None)
    return Config(found or default, read_settings(found, environ), environ)


def provider(
    name: str | None = None,
    *,
    model: str | None = None,
    file: Path | None = None,
    http_client: Any = None,  # noqa: ANN401
) -> DecisionProvider:
    """Build a provider as the command line does: from minos.json and the environment.

    Args:
        name: A section of minos.json, a preset such as "TypeSafe", or "embedded"; None is the one
            that `Minos:Active` names.
        model: The model to ask for, over file and environment.
        file: The config file; minos.json in the current directory by default.
        http_client: An `AsyncClient` of httpx or httpx2 to send with.

    Raises:
        ConfigError: An option is missing or wrong; its `hint` says what to do.
    """
    return load(file).provider(name, overrides=Overrides(model=model), http_client=http_client)


def provider_of(section: Section) -> ProviderName:
    """Return whose conventions hold for a section: what it says, or whose name it bears.

    Raises:
        ConfigError: It says something that is no provider.
    """
    setting = section.options.get("provider")
    if setting is not None and setting.value is not None:
        told = _read(OPTIONS["provider"], setting)
        if isinstance(told, ProviderName):
            return told
    return _PRESETS.get(section.name.lower(), ProviderName.TYPESAFE)


def _read(option: Option, setting: Setting) -> object:
    try:
        return option.read(setting.value)
    except WrongValueError as error:
        raise ConfigError(f"{setting.source}: '{setting.place}' {error}") from error
