"""Whatever answers: decision providers over the wire, and the embedded model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minos.providers.base import DecisionProvider
    from minos.providers.capabilities import Capabilities
    from minos.providers.client import DecisionClient
    from minos.providers.embedded import Embedded
    from minos.providers.exchange import RawExchange
    from minos.providers.options import DecisionClientOptions
    from minos.providers.presets import ProviderName, WireFormat
    from minos.providers.secret import Secret

_HOME_OF = {
    "Capabilities": "minos.providers.capabilities",
    "DecisionClient": "minos.providers.client",
    "DecisionClientOptions": "minos.providers.options",
    "DecisionProvider": "minos.providers.base",
    "Embedded": "minos.providers.embedded",
    "ProviderName": "minos.providers.presets",
    "RawExchange": "minos.providers.exchange",
    "Secret": "minos.providers.secret",
    "WireFormat": "minos.providers.presets",
}
"""Where each public name lives: a client's module is imported only when a client is made."""

__all__ = [
    "Capabilities",
    "DecisionClient",
    "DecisionClientOptions",
    "DecisionProvider",
    "Embedded",
    "ProviderName",
    "RawExchange",
    "Secret",
    "WireFormat",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'minos.providers' has no attribute {name!r}")
    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value
