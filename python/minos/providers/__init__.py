"""Whatever answers: decision providers over the wire, and the embedded model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.lazy import hand_on

if TYPE_CHECKING:
    from minos.providers.base import DecisionProvider
    from minos.providers.capabilities import Capabilities
    from minos.providers.client import DecisionClient
    from minos.providers.embedded import Embedded
    from minos.providers.exchange import RawExchange
    from minos.providers.options import DecisionClientOptions
    from minos.providers.presets import ProviderName, WireFormat
    from minos.providers.secret import Secret

_HOMES = {
    "minos.providers.base": ("DecisionProvider",),
    "minos.providers.capabilities": ("Capabilities",),
    "minos.providers.client": ("DecisionClient",),
    "minos.providers.embedded": ("Embedded",),
    "minos.providers.exchange": ("RawExchange",),
    "minos.providers.options": ("DecisionClientOptions",),
    "minos.providers.presets": ("ProviderName", "WireFormat"),
    "minos.providers.secret": ("Secret",),
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

__getattr__, __dir__ = hand_on(__name__, _HOMES)
