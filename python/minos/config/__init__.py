"""Settings of providers: minos.json, and over it the environment, which only this package reads."""

from __future__ import annotations

from minos.config.build import Config, Overrides, load, provider

__all__ = ["Config", "Overrides", "load", "provider"]
