"""The entry point: finds the command, runs it, and turns whatever went wrong into words."""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

import click

from minos.cli import commands
from minos.cli.command import Group, Settings
from minos.cli.exit_codes import ExitCode
from minos.cli.failures import describe
from minos.cli.output import tell

_SECTIONS = {
    "Check data": ("validate", "datasets"),
    "Ask a model": ("calibrate", "eval", "run", "conformance"),
    "Decide": ("report", "gate", "compare", "threshold", "power", "export"),
    "Set up": ("init", "generate", "config", "providers", "cache"),
}
"""The order of the help: the order in which the commands are met in use."""


class _Commands(Group):
    """The commands of the package `minos.cli.commands`, each imported when it is called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        found = {module.name for module in pkgutil.iter_modules(commands.__path__)}
        ordered = [name for names in _SECTIONS.values() for name in names if name in found]
        return ordered + sorted(found.difference(ordered))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(f"{commands.__name__}.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args[0] not in names and not ctx.resilient_parsing:
            from difflib import get_close_matches  # noqa: PLC0415

            close = get_close_matches(args[0], names, n=1)
            meant = f" Did you mean '{close[0]}'?" if close else ""
            ctx.fail(f"No such command '{args[0]}'.{meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        for title, members in _SECTIONS.items():
            present = [name for name in members if name in names]
            self.format_section(title, present, ctx, formatter)


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from minos._native import __version__  # noqa: PLC0415

        click.echo(f"minos {__version__}")
        ctx.exit()


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"auto_envvar_prefix": "MINOS", "max_content_width": 100},
    examples=[
        "minos validate support.jsonl",
        "minos calibrate --dataset support.jsonl --provider embedded",
        "minos <command> --help",
    ],
)
@click.option("--debug", is_flag=True, help="Show where a failure happened.")
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    allow_from_autoenv=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def program(ctx: click.Context, debug: bool) -> None:
    """Measure on your own labelled data whether a model's answers can be trusted."""
    ctx.ensure_object(Settings).debug = debug
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(argv: Sequence[str]) -> int:
    """Run a command line and return its exit code; failures are told on stderr.

    Args:
        argv: The arguments, without the name of the program.
    """
    settings = Settings()
    try:
        code = program.main(list(argv), prog_name="minos", standalone_mode=False, obj=settings)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read stdout has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILURE
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
        if settings.debug:
            import traceback  # noqa: PLC0415

            traceback.print_exception(error)
        failure = describe(error)
        tell(failure, as_json=settings.as_json or "--json" in argv)
        return failure.exit_code
    return ExitCode(code or ExitCode.OK)


def main() -> int:
    """Run the command line of the process and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Text of a data set may hold what the terminal's encoding cannot show.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return run(sys.argv[1:])
