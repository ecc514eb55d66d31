"""The package's source, read for the tests of its structure."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "minos"


class Import(NamedTuple):
    """One import of a module of the package by another."""

    importer: str
    imported: str
    line: int
    runs: bool
    """Whether it happens when the importer is imported: not for a type checker, not in a body."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def area(module: str) -> str:
    """The file or folder right below the package that a module belongs to."""
    return module.split(".")[1] if "." in module else ""


def imports(module: str) -> Iterator[Import]:
    """Every import of the package in a module, at whatever depth it stands."""
    for node, runs in _walk(tree(module), runs=True):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "minos":
                    yield Import(module, alias.name, node.lineno, runs)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute"
            if node.module is not None and node.module.split(".")[0] == "minos":
                for alias in node.names:
                    name = f"{node.module}.{alias.name}"
                    known = name in modules() or name == "minos._native"
                    yield Import(module, name if known else node.module, node.lineno, runs)


def _walk(node: ast.AST, *, runs: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        yield child, runs
        in_body = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        yield from _walk(child, runs=runs and not in_body and not for_types)
