"""Settings of providers: minos.json, and over it the environment, which only this package reads."""

from __future__ import annotations

from minos.config.build import Config, Overrides, load, provider
from minos.config.origins import Described, Origin, describe, origins

__all__ = [
    "Config",
    "Described",
    "Origin",
    "Overrides",
    "describe",
    "load",
    "origins",
    "provider",
]
