"""The options of a client, checked in a fixed order before anything is sent."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from minos.errors import ConfigError
from minos.providers.capabilities import Capabilities
from minos.providers.presets import DEFAULT_PATHS, PRESETS, Preset, ProviderName, WireFormat
from minos.providers.redactor import Redactor
from minos.providers.retry import LONGEST_WAIT_S, RetryPolicy
from minos.providers.secret import Secret

MOST_RETRIES = 10
MOST_PER_MINUTE = 10**9

_RESERVED_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "host",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_KEY_HEADER = re.compile(r"auth|cookie|key|secret|token")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PATH_PART = re.compile(r"[A-Za-z0-9_.-]+")
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionClientOptions:
    """How to reach a provider, as plain values.

    Attributes:
        provider: Whose conventions hold.
        api_key: The key; blank is none.
        base_address: Where the provider is: an absolute http or https URL; None is the preset's.
        model: The model to ask for; None is the preset's.
        path: The path under the base address; None is the preset's, or the format's.
        timeout_s: Seconds for each try; None is no limit.
        max_retries: How often a request that failed in passing is sent again, 0 to 10.
        initial_backoff_s: Seconds before the first retry; doubled for each further one.
        max_retry_delay_s: The longest wait before a retry, in seconds.
        jitter: Whether up to half of a backoff is added by chance.
        format: The language of the wire, for `Custom`; None is `SystemOne`.
        headers: Further request headers; their values are kept as secret as a key.
        allow_insecure_key: Whether a key may be sent over plain http to another machine.
        account_id: The account, for `Cloudflare`.
        requests_per_minute: The most requests sent in a minute; None is no limit.
        tokens_per_minute: The most tokens used in a minute, both ways; None is no limit.
    """

    provider: ProviderName = ProviderName.TYPESAFE
    api_key: Secret | None = None
    base_address: str | None = None
    model: str | None = None
    path: str | None = None
    timeout_s: float | None = 60.0
    max_retries: int = 2
    initial_backoff_s: float = 0.5
    max_retry_delay_s: float = 30.0
    jitter: bool = True
    format: WireFormat | None = None
    headers: Mapping[str, Secret] = field(default_factory=dict)
    allow_insecure_key: bool = False
    account_id: str | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    def endpoint(self, *, key_variable: str = "", account_variable: str = "") -> Endpoint:
        """Check the options and fill in what the preset knows.

        Args:
            key_variable: The environment variable that a key could be given in, for the message
                that asks for one.
            account_variable: The same for an account.

        Raises:
            ConfigError: The first option that is missing or wrong, in the order provider,
                time-out, retries, backoff, longest delay, model, key, account, address.
        """
        preset = _preset(self.provider)
        self._check_times()
        model = self._model(preset)
        key = self._key(preset, key_variable)
        account = self._account(account_variable)
        wire = self._format(preset)
        url = self._base(preset) + self._path(preset, wire).format(account=account, model=model)
        self._check_headers(is_key_sent=key is not None)
        self._check_key_is_safe(key, urlsplit(url))
        self._check_rates()
        return Endpoint(
            provider=self.provider,
            format=wire,
            url=url,
            model=model,
            key=key,
            headers=dict(self.headers),
            timeout_s=self.timeout_s,
            retries=RetryPolicy(
                self.max_retries, self.initial_backoff_s, self.max_retry_delay_s, self.jitter
            ),
            capabilities=preset.capabilities,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
        )

    def _check_times(self) -> None:
        if self.timeout_s is not None:
            if not self.timeout_s > 0:
                raise ConfigError("The time-out must be positive.")
            if self.timeout_s > LONGEST_WAIT_S:
                raise ConfigError("The time-out must be at most int.MaxValue milliseconds.")
        if not 0 <= self.max_retries <= MOST_RETRIES:
            raise ConfigError("MaxRetries must be between 0 and 10.")
        if not 0 < self.initial_backoff_s <= LONGEST_WAIT_S:
            raise ConfigError(
                "InitialBackoff must be positive and at most int.MaxValue milliseconds."
            )
        if not self.initial_backoff_s <= self.max_retry_delay_s <= LONGEST_WAIT_S:
            raise ConfigError(
                "MaxRetryDelay must be at least InitialBackoff and at most int.MaxValue "
                "milliseconds."
            )

    def _check_rates(self) -> None:
        for name, rate in (
            ("RequestsPerMinute", self.requests_per_minute),
            ("TokensPerMinute", self.tokens_per_minute),
        ):
            if rate is not None and not 0 < rate <= MOST_PER_MINUTE:
                raise ConfigError(f"{name} must be positive and at most 1,000,000,000.")

    def _model(self, preset: Preset) -> str:
        model = preset.model if self.model is None else self.model.strip()
        if not model:
            raise ConfigError(
                "The model must not be blank.", hint=f"a {self.provider} provider needs a Model"
            )
        if "{model}" in preset.path and not _PATH_PART.fullmatch(model):
            raise ConfigError(f"The model of {self.provider} is part of its path: no {model!r}.")
        return model

    def _key(self, preset: Preset, variable: str) -> Secret | None:
        key = self.api_key.reveal().strip() if self.api_key else ""
        if not key:
            if not preset.needs_key:
                return None
            raise _missing("API key", "api_key", "ApiKey", variable)
        if any(ord(character) < 0x20 or 0x7F <= ord(character) <= 0x9F for character in key):  # noqa: PLR2004
            raise ConfigError("The API key contains a control character.")
        if not key.isascii():
            raise ConfigError("The API key contains a character outside ASCII.")
        return Secret(key)

    def _format(self, preset: Preset) -> WireFormat:
        if self.format is None or self.format is preset.format:
            return preset.format
        if self.provider is not ProviderName.CUSTOM:
            raise ConfigError(f"Format is an option of Custom, not of {self.provider}.")
        return self.format

    def _account(self, variable: str) -> str:
        account = (self.account_id or "").strip()
        if self.provider is not ProviderName.CLOUDFLARE:
            if account:
                raise ConfigError(f"AccountId is an option of Cloudflare, not of {self.provider}.")
            return ""
        if not account:
            raise _missing("account", "account_id", "AccountId", variable)
        if not _PATH_PART.fullmatch(account):
            raise ConfigError("The account must be letters, digits, '.', '_' and '-'.")
        return account

    def _base(self, preset: Preset) -> str:
        base = preset.base_address if self.base_address is None else self.base_address.strip()
        if not base:
            raise ConfigError(
                "The base address must be an absolute URI.",
                hint=f"a {self.provider} provider needs a BaseAddress",
            )
        _check_base(base)
        return f"{base.removesuffix('/')}/"

    def _path(self, preset: Preset, wire: WireFormat) -> str:
        if self.path is None:
            return preset.path if wire is preset.format else DEFAULT_PATHS[wire]
        path = self.path.lstrip("/")
        if not _PATH.fullmatch(path) or ".." in path.split("/"):
            raise ConfigError("The path must be a relative path without a query or fragment.")
        return path

    def _check_headers(self, *, is_key_sent: bool) -> None:
        for name, value in self.headers.items():
            lower = name.lower()
            if not _HEADER_NAME.fullmatch(name):
                raise ConfigError(f"The header name {name!r} is not a token.")
            if lower in _RESERVED_HEADERS or (is_key_sent and lower == "authorization"):
                raise ConfigError(f"The header {name} is set by the client.")
            text = value.reveal()
            if not text.isascii() or not text.isprintable() or text != text.strip():
                raise ConfigError(f"The value of the header {name} is not printable ASCII.")

    def _check_key_is_safe(self, key: Secret | None, url: SplitResult) -> None:
        is_sent = key is not None or any(_KEY_HEADER.search(name.lower()) for name in self.headers)
        if is_sent and not self.allow_insecure_key and not is_private(url):
            raise ConfigError(
                f"The API key would be sent over plain http to {url.hostname}.",
                hint="use https, or set AllowInsecureKey",
            )


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how requests are sent: options that were found right.

    Attributes:
        provider: Whose conventions hold.
        format: The language of the wire.
        url: The address that questions are posted to.
        model: The model asked for.
        key: The key; None where there is none.
        headers: Further request headers.
        timeout_s: Seconds for each try; None is no limit.
        retries: How often and after what waits a request is sent again.
        capabilities: What the provider takes.
        requests_per_minute: The most requests sent in a minute; None is no limit.
        tokens_per_minute: The most tokens used in a minute; None is no limit.
    """

    provider: ProviderName
    format: WireFormat
    url: str
    model: str
    key: Secret | None
    headers: Mapping[str, Secret]
    timeout_s: float | None
    retries: RetryPolicy
    capabilities: Capabilities
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    def redactor(self) -> Redactor:
        """Return what masks the key and the values of the further headers."""
        secrets = [*self.headers.values(), *([self.key] if self.key else [])]
        return Redactor(secrets)


def is_private(url: SplitResult) -> bool:
    """Return whether nobody but the two ends can read what is sent: https, or this machine."""
    return url.scheme == "https" or is_loopback(url)


def is_loopback(url: SplitResult) -> bool:
    """Return whether a URL is sure to stay on this machine."""
    host = url.hostname or ""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _preset(name: ProviderName) -> Preset:
    preset = PRESETS.get(name)
    if preset is None:
        raise ConfigError(f"The provider {name} is not reached over a wire.")
    return preset


def _missing(what: str, attribute: str, option: str, variable: str) -> ConfigError:
    """Say where something is to be set: in Python, or where a config file is read too."""
    place = f"DecisionClientOptions.{attribute}"
    if variable:
        place = f"the {variable} environment variable, or {option} in the config file"
    return ConfigError(f"No {what} is configured. Set {place}.")


def _check_base(base: str) -> None:
    try:
        url = urlsplit(base)
        is_absolute = bool(url.scheme and url.hostname) and url.port != 0
    except ValueError:
        is_absolute = False
    if not is_absolute or any(not "!" <= character <= "~" for character in base):
        raise ConfigError("The base address must be an absolute URI.")
    if "?" in base or "#" in base:
        raise ConfigError("The base address must not contain a query or fragment.")
    if url.scheme not in {"http", "https"}:
        raise ConfigError("The base address must use the http or https scheme.")
    if "@" in url.netloc:
        raise ConfigError("The base address must not contain a user name or password.")
