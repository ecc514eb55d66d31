"""Command lines held against the commands, without running them."""

import shlex

import click

from minos.cli.main import program

_SEPARATORS = {"|", "||", "&&", ";", "&"}
_TO_FILES = {">", ">>", "<", "2>", "2>&1"}


def minos_calls(line):
    """The arguments of each call of `minos` in a shell line."""
    words = shlex.split(line, comments=True)
    call = []
    for word in [*words, ";"]:
        if word.rstrip(";") != word or word in _SEPARATORS:
            if word not in _SEPARATORS:
                call.append(word.rstrip(";"))
            while call and "=" in call[0]:
                del call[0]
            if call[:3] == ["python", "-m", "minos"]:
                del call[:2]
            if call[:1] == ["minos"]:
                redirected = next((i for i, part in enumerate(call) if part in _TO_FILES), None)
                yield call[1:redirected]
            call = []
        else:
            call.append(word)


def check(arguments):
    """Hold the arguments of `minos` against its commands.

    Raises:
        click.UsageError: They do not fit. Whether files exist is not looked at.
    """
    command, context = program, click.Context(program, info_name="minos")
    arguments = [word for word in arguments if word not in {"--help", "--version"}]
    while True:
        values, rest, _ = command.make_parser(context).parse_args(args=list(arguments))
        for param in command.params:
            if param.name in values and not isinstance(param.type, click.Path | click.File):
                param.type_cast_value(context, values[param.name])
        if not isinstance(command, click.Group) or not rest:
            return
        name, found, arguments = command.resolve_command(context, rest)
        command, context = found, click.Context(found, info_name=name, parent=context)
