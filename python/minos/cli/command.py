"""How a command describes itself: its help ends in examples and names its environment variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click


@dataclass(slots=True)
class Settings:
    """What holds for the whole call, whatever the command; the `obj` of the click context.

    Attributes:
        debug: Whether a failure shows where it happened.
        as_json: Whether stdout carries one JSON document, errors included.
    """

    debug: bool = False
    as_json: bool = False


class _Described(click.Command):
    """A command with examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # By itself click names a variable after the parameter (AS_JSON), not the option (JSON).
        for option in _from_environment(self, ctx):
            option.envvar = _variable(option, ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise click.Abort from error  # by itself click prints an empty line

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        super().format_epilog(ctx, formatter)
        for option in _from_environment(self, ctx)[:1]:
            formatter.write_paragraph()
            formatter.write_text(
                "Every option can be set in the environment: "
                f"{_variable(option, ctx)} is {_flag(option)}."
            )


class Command(_Described):
    """A command. `click.command(cls=Command, examples=["minos validate support.jsonl"])`."""


class Group(_Described, click.Group):
    """A command that has commands."""

    command_class = Command
    group_class = type

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of the group as one section."""
        self.format_section("Commands", self.list_commands(ctx), ctx, formatter)

    def format_section(
        self,
        title: str,
        names: Sequence[str],
        ctx: click.Context,
        formatter: click.HelpFormatter,
    ) -> None:
        """Write commands with their whole first sentences, which click would cut."""
        commands = [(name, self.get_command(ctx, name)) for name in names]
        width = max((len(name) for name in self.list_commands(ctx)), default=0)
        rows = [
            (name.ljust(width), command.get_short_help_str(limit=200))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _from_environment(command: click.Command, ctx: click.Context) -> list[click.Option]:
    return [
        param
        for param in command.params
        if isinstance(param, click.Option) and param.allow_from_autoenv and ctx.auto_envvar_prefix
    ]


def _flag(option: click.Option) -> str:
    return next(flag for flag in option.opts if flag.startswith("--"))


def _variable(option: click.Option, ctx: click.Context) -> str:
    return f"{ctx.auto_envvar_prefix}_{_flag(option)[2:].replace('-', '_').upper()}"
