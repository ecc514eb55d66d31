"""Which part may touch the world, and how."""

import ast
import re

import pytest
from tests.architecture.source import ROOT, area, modules, tree

ENVIRONMENT = {"os.environ", "os.environb", "os.getenv", "os.putenv"}
SPEECH = {"print", "exit", "quit", "sys.exit", "os._exit", "sys.stdout", "sys.stderr"}
NETWORK = {"aiohttp", "http.client", "httpx", "requests", "socket", "ssl", "urllib.request"}
PROCESSES = {"multiprocessing", "pty", "subprocess"}
DRAWING = {"click", "rich"}


def _names(module):
    """Names and attributes a module uses, as they are written."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Name | ast.Attribute):
            yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _imported(module):
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _outside(*areas):
    return [name for name in modules() if area(name) not in areas]


def _uses(module, packages):
    return sorted(
        name
        for name in set(_imported(module))
        if any(name == package or name.startswith(f"{package}.") for package in packages)
    )


@pytest.mark.parametrize("module", _outside("config"))
def test_only_config_reads_the_environment(module):
    assert ENVIRONMENT.intersection(_names(module)) == set()


@pytest.mark.parametrize("module", _outside("cli", "__main__"))
def test_only_the_command_line_prints_or_exits(module):
    assert SPEECH.intersection(_names(module)) == set()
    assert _uses(module, DRAWING) == []


@pytest.mark.parametrize("module", _outside("providers", "subjects"))
def test_only_providers_and_subjects_reach_the_network_or_start_processes(module):
    assert _uses(module, NETWORK | PROCESSES) == []


CORE = sorted((ROOT / "src" / "core").rglob("*.rs"))


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_core_is_pure(path):
    text = path.read_text(encoding="utf-8")
    impure = r"\bpyo3\b|std::(?:env|net)\b|process::(?!id\b)|SystemTime|Instant::|\be?println!"
    assert re.findall(impure, text) == []
