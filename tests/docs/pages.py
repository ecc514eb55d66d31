"""The pages of the documentation, and the fenced blocks in them.

A block's first word is its language; further words say how it is taken:

- `python`: run in a scratch folder that holds the examples; the blocks of a page share their
  names, as if they were one program.
- `console`: lines after `$ ` are commands, which run in the same folder; the lines below are what
  they print, on stdout and stderr together. `...` stands for anything, and for any number of lines
  where it stands alone. Without lines below, only the exit code is checked; it is 0, unless the
  next command is `echo $?`.
- `json`, `jsonl`, `yaml`, `toml`: parsed. With `file=NAME` the block is written into the folder.
- `network` or `install` as a further word: needs a provider or an installation; parsed only.
"""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "benches" / "README.md",
]

_FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    words: frozenset[str]
    file: str | None
    text: str

    @property
    def is_run(self) -> bool:
        return not self.words & {"network", "install"}


class Command(NamedTuple):
    """A command of a console block, and what is shown below it."""

    line: int
    text: str
    shown: str


def pages() -> list[Path]:
    return [page for page in PAGES if page.is_file()]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        indent, info, body = match.groups()
        language, *words = info.split() or [""]
        file = next((word[5:] for word in words if word.startswith("file=")), None)
        body = re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)
        line = text.count("\n", 0, match.start()) + 1
        words = frozenset(word for word in words if not word.startswith("file="))
        found.append(Block(line, language, words, file, body))
    return found


def commands(block: Block) -> list[Command]:
    found: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if line.startswith("$ "):
            found.append(Command(number, line[2:], ""))
        elif found and found[-1].text.endswith("\\"):
            found[-1] = found[-1]._replace(text=f"{found[-1].text[:-1]}{line.removeprefix('> ')}")
        else:
            assert found, f"line {number}: a console block begins with `$ `"
            found[-1] = found[-1]._replace(shown=f"{found[-1].shown}{line}\n")
    return found


def as_pattern(shown: str) -> re.Pattern[str]:
    """What a command must print, as a pattern."""
    lines = []
    for line in shown.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:[^\n]*\n)*?")
        else:
            lines.append(r"[^\n]*?".join(map(re.escape, line.split("..."))) + r"\n")
    return re.compile("".join(lines))
