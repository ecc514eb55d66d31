"""The providers that are known by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from minos.providers.capabilities import Capabilities


class ProviderName(StrEnum):
    """What the option `Provider` may be."""

    TYPESAFE = "TypeSafe"
    OPENROUTER = "OpenRouter"
    OPENAI = "OpenAI"
    CLOUDFLARE = "Cloudflare"
    CUSTOM = "Custom"
    EMBEDDED = "Embedded"


class WireFormat(StrEnum):
    """The language of a wire. It belongs to the provider and is never inferred from a path."""

    SYSTEM_ONE = "SystemOne"
    OPENROUTER = "OpenRouter"
    OPENAI = "OpenAI"
    CLOUDFLARE = "Cloudflare"


DEFAULT_PATHS: Mapping[WireFormat, str] = MappingProxyType(
    {WireFormat.SYSTEM_ONE: "v1/systemone", WireFormat.OPENAI: "v1/decisions"}
)


@dataclass(frozen=True, slots=True)
class Preset:
    """What is known about a provider on the network.

    Attributes:
        format: The language of its wire.
        base_address: Where it is; None where the user must say.
        path: The path under the base address; `{account}` and `{model}` stand for those.
        model: The model asked for by default; None where the user must say.
        needs_key: Whether nothing is answered without a key.
        capabilities: What it takes.
        reports_cost: Whether its answers say what they cost; None where that is not known.
    """

    format: WireFormat
    base_address: str | None
    path: str
    model: str | None
    needs_key: bool
    capabilities: Capabilities
    reports_cost: bool | None = None


_GUIDED = Capabilities(max_options=255, max_levels=10)

PRESETS: Mapping[ProviderName, Preset] = MappingProxyType(
    {
        ProviderName.TYPESAFE: Preset(
            WireFormat.SYSTEM_ONE,
            "https://api.typesafe.ai/",
            "v1/systemone",
            "jev-latest",
            needs_key=True,
            capabilities=_GUIDED,
            reports_cost=False,
        ),
        ProviderName.OPENROUTER: Preset(
            WireFormat.OPENROUTER,
            "https://openrouter.ai/api/",
            "v1/systemone",
            "jev-latest",
            needs_key=True,
            capabilities=_GUIDED,
            reports_cost=True,
        ),
        ProviderName.OPENAI: Preset(
            WireFormat.OPENAI,
            "https://api.openai.com/v1/",
            "decisions",
            "gpt-6-luna",
            needs_key=True,
            capabilities=Capabilities(
                max_questions=400, min_options=2, max_options=255, max_levels=10
            ),
            reports_cost=False,
        ),
        ProviderName.CLOUDFLARE: Preset(
            WireFormat.CLOUDFLARE,
            "https://api.cloudflare.com/client/v4/",
            "accounts/{account}/ai/run/@cf/cloudflare/{model}",
            "clef-flash",
            needs_key=True,
            capabilities=Capabilities(
                max_questions=64,
                min_options=2,
                max_options=255,
                min_levels=2,
                max_levels=10,
                question_key=r"[A-Za-z0-9_.\-]{1,100}",
            ),
        ),
        ProviderName.CUSTOM: Preset(
            WireFormat.SYSTEM_ONE,
            None,
            DEFAULT_PATHS[WireFormat.SYSTEM_ONE],
            None,
            needs_key=False,
            capabilities=Capabilities(),
        ),
    }
)
"""The presets of the wire by name; `Embedded` needs none."""
