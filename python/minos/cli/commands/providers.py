"""`minos providers`: what can be asked, and whether it can be asked now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minos.cli.command import Command
from minos.cli.options import config_option, json_option
from minos.cli.output import Output, plain

if TYPE_CHECKING:
    from minos.config import Described
    from minos.providers.capabilities import Capabilities


@click.command(cls=Command, examples=["minos providers", "minos providers --json"])
@config_option
@json_option
def command(*, config_path: Path | None, as_json: bool) -> None:
    """List the providers that can be named.

    They are the sections of the config file, the presets and the embedded model. Nothing is sent.
    Keys are never shown, only where they come from.
    """
    from minos import config  # noqa: PLC0415
    from minos.providers.presets import ProviderName  # noqa: PLC0415

    output = Output("providers", as_json=as_json)
    settings = config.load(config_path)
    known = {name.lower(): name for name in settings.section_names}
    for preset in ProviderName:
        known.setdefault(preset.lower(), str(preset))
    described = [config.describe(settings, name) for name in known.values()]
    for provider in described:
        output.data(_told(provider))
    output.finish({"providers": [_summary(provider) for provider in described]})


def _told(provider: Described) -> str:
    lines = [plain(provider.section)]
    if plain(provider.section).lower() != provider.provider.lower():
        lines[0] += f" ({provider.provider})"
    if provider.capabilities is None:
        lines.append("address  in this process")
    elif provider.address is not None:
        lines.append(f"address  {plain(provider.address)}")
    if provider.model is not None:
        lines.append(f"model    {plain(provider.model)}")
    lines.append(f"key      {plain(provider.key)}")
    if provider.capabilities is not None:
        lines.append(f"takes    {_limits(provider.capabilities)}")
    if provider.problem:
        lines.append(f"not yet  {plain(provider.problem)}")
    return "\n  ".join(lines)


def _limits(capabilities: Capabilities) -> str:
    kinds = []
    for kind in sorted(capabilities.kinds, key=("noul", "choice", "score").index):
        least, most = {
            "choice": (capabilities.min_options, capabilities.max_options),
            "score": (capabilities.min_levels, capabilities.max_levels),
        }.get(kind, (1, None))
        noun = "options" if kind == "choice" else "levels"
        if most is not None:
            kinds.append(f"{kind} ({least} to {most} {noun})")
        else:
            kinds.append(f"{kind} (from {least} {noun})" if least > 1 else str(kind))
    told = ", ".join(kinds)
    if capabilities.max_questions is not None:
        told += f"; up to {capabilities.max_questions} questions"
    return told if capabilities.structured_text else f"{told}; text only"


def _summary(provider: Described) -> dict[str, Any]:
    capabilities = provider.capabilities
    return {
        "section": provider.section,
        "provider": str(provider.provider),
        "address": provider.address,
        "model": provider.model,
        "key": provider.key,
        "problem": provider.problem or None,
        "capabilities": None
        if capabilities is None
        else {
            "kinds": sorted(map(str, capabilities.kinds)),
            "structuredText": capabilities.structured_text,
            "maxQuestions": capabilities.max_questions,
            "minOptions": capabilities.min_options,
            "maxOptions": capabilities.max_options,
            "minLevels": capabilities.min_levels,
            "maxLevels": capabilities.max_levels,
        },
    }
