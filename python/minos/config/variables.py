"""The environment variables that providers are known by, beside those named `Minos__`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import SplitResult, urlsplit

from minos.providers.options import is_loopback
from minos.providers.presets import ProviderName

VARIABLES: Mapping[ProviderName, Mapping[str, str]] = MappingProxyType(
    {
        ProviderName.TYPESAFE: {"apikey": "TYPESAFE_API_KEY", "baseaddress": "TYPESAFE_BASE_URL"},
        ProviderName.OPENROUTER: {"apikey": "OPENROUTER_API_KEY"},
        ProviderName.OPENAI: {"apikey": "OPENAI_API_KEY", "baseaddress": "OPENAI_BASE_URL"},
        ProviderName.CLOUDFLARE: {
            "apikey": "CLOUDFLARE_API_TOKEN",
            "accountid": "CLOUDFLARE_ACCOUNT_ID",
        },
    }
)
"""Which variable fills which option of a provider. None of them touches another provider."""

CONFIG_FILE = "MINOS_CONFIG"
"""The variable that names a config file other than minos.json."""


def proxy_url(address: str, environ: Mapping[str, str]) -> str | None:
    """Return the proxy that the environment names for an address; None where there is none.

    This machine is never reached through a proxy: it could read the key.
    """
    url = urlsplit(address)
    if is_loopback(url):
        return None
    if any(_covers(entry, url) for entry in _lookup("no_proxy", environ).split(",")):
        return None
    return _lookup(f"{url.scheme}_proxy", environ) or _lookup("all_proxy", environ) or None


def _covers(entry: str, url: SplitResult) -> bool:
    """Return whether an entry of `no_proxy` covers a host: `*`, a host, or a domain above it."""
    domain = entry.strip().lower().lstrip(".")
    host = url.hostname or ""
    return domain == "*" or (
        bool(domain) and (host == domain or host.endswith(f".{domain}") or url.netloc == domain)
    )


def _lookup(name: str, environ: Mapping[str, str]) -> str:
    return environ.get(name) or environ.get(name.upper()) or ""
