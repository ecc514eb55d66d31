"""`minos config`: what is set, and where it comes from."""

from __future__ import annotations

from pathlib import Path

import click

from minos.cli.command import Group
from minos.cli.options import config_option, json_option
from minos.cli.output import Output, plain


@click.group(cls=Group, examples=["minos config show", "minos config show --provider OpenRouter"])
def command() -> None:
    """Look at the settings of providers."""


@command.command(examples=["minos config show", "minos config show --provider local --json"])
@config_option
@click.option(
    "--provider",
    "section",
    metavar="NAME",
    help="Only this provider; all of the file and the environment without it.",
)
@json_option
def show(*, config_path: Path | None, section: str | None, as_json: bool) -> None:
    """Show each setting and where it came from: the file, the environment or a preset.

    Keys and the values of headers are never shown.
    """
    from minos import config  # noqa: PLC0415

    output = Output("config show", as_json=as_json)
    settings = config.load(config_path)
    names = settings.section_names if section is None else (settings.section_name(section),)
    told = {name: config.origins(settings, name) for name in names}
    active = settings.active
    if section is None:
        output.data(f"Active  {'-' if active is None else plain(active)}")
    for name, found in told.items():
        output.data(plain(name))
        for origin in found:
            value = plain(origin.value)
            output.data(f"  {plain(origin.name):<18} {value:<40} {plain(origin.source)}")
    sections = {
        name: [{"name": o.name, "value": o.value, "source": o.source} for o in found]
        for name, found in told.items()
    }
    output.finish({"active": active, "sections": sections})
