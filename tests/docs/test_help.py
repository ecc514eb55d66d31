"""The help of every command, and the page that lists them."""

import click
import pytest
from tests.docs.command_lines import check, minos_calls
from tests.docs.pages import ROOT

from minos.cli.command import Command, Group
from minos.cli.main import program

PAGE = ROOT / "docs" / "command-line.md"


def _all(command=program, path=("minos",), parent=None):
    context = click.Context(command, info_name=path[-1], parent=parent)
    yield " ".join(path), command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from _all(command.get_command(context, name), (*path, name), context)


COMMANDS = {path: (command, context) for path, command, context in _all()}
LEAVES = {path: found for path, found in COMMANDS.items() if not isinstance(found[0], click.Group)}


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_shows_examples_that_parse(path):
    command, context = COMMANDS[path]
    assert isinstance(command, Command | Group)
    assert command.examples
    help_text = command.get_help(context)
    for example in command.examples:
        assert example in help_text
        assert example.startswith(path) or "|" in example
        calls = list(minos_calls(example.replace("<command>", "")))
        assert calls
        for arguments in calls:
            check(arguments)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_help_is_a_sentence_and_fits(path):
    command, context = COMMANDS[path]
    first = command.get_short_help_str(200)
    assert first[:1].isupper()
    help_text = command.get_help(context)
    assert all(len(line) <= 100 for line in help_text.splitlines())
    for param in command.params:
        if isinstance(param, click.Option) and not param.hidden:
            assert param.help, param.name
            assert param.help[0].isupper(), param.help
            assert param.help.endswith("."), param.help


@pytest.mark.parametrize("path", LEAVES)
def test_the_page_of_the_command_line_names_every_option(path):
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")
    section = next((part for part in sections if part.startswith(f"`{path}`")), None)
    assert section is not None, f"no section `{path}`"
    command, _ = LEAVES[path]
    for param in command.params:
        if isinstance(param, click.Option) and not param.hidden:
            flag = max(param.opts, key=len)
            assert f"`{flag}" in section, flag
