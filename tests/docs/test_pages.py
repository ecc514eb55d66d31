"""Whatever the documentation shows is run."""

import json
import re
import subprocess
import tomllib

import pytest
import yaml
from tests.docs.command_lines import check, minos_calls
from tests.docs.pages import as_pattern, blocks, commands, name, pages

LANGUAGES = {"console", "json", "jsonl", "make", "python", "rust", "text", "toml", "yaml"}


def _parse_data(block):
    match block.language:
        case "json":
            json.loads(block.text)
        case "jsonl":
            for line in block.text.splitlines():
                json.loads(line)
        case "toml":
            tomllib.loads(block.text)
        case "yaml":
            yaml.safe_load(block.text)


def _run_console(block):
    shell = commands(block)
    for command, following in zip(shell, [*shell[1:], None], strict=True):
        if command.text == "echo $?":
            continue
        done = subprocess.run(  # noqa: S602
            command.text,
            check=False,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        asks = following is not None and following.text == "echo $?"
        code = int(following.shown) if asks else 0
        told = f"line {command.line}: $ {command.text}\n{done.stdout}"
        assert done.returncode == code, told
        if command.shown:
            fits = as_pattern(command.shown).fullmatch(done.stdout) is not None
            assert fits, f"{told}is shown as\n{command.shown}"


@pytest.mark.parametrize("page", pages(), ids=name)
@pytest.mark.usefixtures("scratch")
def test_what_a_page_shows_runs(page, scratch):
    names = {"__name__": "__main__"}
    for block in blocks(page):
        if block.file is not None:
            (scratch / block.file).parent.mkdir(parents=True, exist_ok=True)
            (scratch / block.file).write_text(block.text, encoding="utf-8")
        if not block.is_run:
            continue
        if block.language == "console":
            _run_console(block)
        elif block.language == "python":
            # The lines of a traceback are those of the page.
            source = "\n" * block.line + block.text
            exec(compile(source, str(page), "exec"), names)  # noqa: S102


@pytest.mark.parametrize("page", pages(), ids=name)
def test_every_block_can_be_parsed(page):
    for block in blocks(page):
        where = f"line {block.line}"
        assert block.language in LANGUAGES, where
        _parse_data(block)
        if block.language == "python":
            compile(block.text, f"{page}:{block.line}", "exec")
        if block.language == "console":
            for command in commands(block):
                for arguments in minos_calls(command.text):
                    check(arguments)


def _anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    words = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return set(words)


@pytest.mark.parametrize("page", pages(), ids=name)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        assert linked.exists(), target
        if anchor:
            assert anchor in _anchors(linked), target
