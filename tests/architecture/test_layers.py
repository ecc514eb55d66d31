"""Who may import whom, function-level imports and those for type checkers included."""

from graphlib import TopologicalSorter

import pytest
from tests.architecture.source import area, imports, modules

LAYERS = (
    {
        "_native",
        "answers",
        "content",
        "errors",
        "lazy",
        "outcome",
        "problems",
        "question_builder",
        "questions",
        "request",
        "unpickled",
    },
    {
        "attempts",
        "embeddings",
        "judges",
        "policy",
        "providers",
        "reports",
        "stats",
        "subjects",
        "text",
    },
    {"agents", "cases", "conformance", "decisions"},
    {"config"},
    {"__main__", "cli", "testing"},
)
DOWNWARD = {
    ("embeddings", "providers"),
    ("judges", "embeddings"),
    ("judges", "providers"),
    ("judges", "text"),
    ("policy", "stats"),
    ("providers", "attempts"),
}
"""What layer 1 may use of itself."""


def _layer(name):
    return next(number for number, names in enumerate(LAYERS) if name in names)


def _allowed(importer, imported):
    if importer == imported:
        return True
    if _layer(importer) == 0:
        return _layer(imported) == 0
    if _layer(importer) == 1 and _layer(imported) == 1:
        return (importer, imported) in DOWNWARD
    return _layer(imported) < _layer(importer) or importer == "__main__"


def test_every_module_has_a_layer():
    areas = {area(module) for module in modules()} - {""}
    assert areas <= set.union(*LAYERS)


@pytest.mark.parametrize("module", [name for name in modules() if area(name)])
def test_imports_follow_the_layers(module):
    wrong = [
        f"{module}:{found.line} imports {found.imported}"
        for found in imports(module)
        if not area(found.imported) or not _allowed(area(module), area(found.imported))
    ]
    assert wrong == []


def test_the_package_itself_loads_no_part_of_it():
    assert {found.imported for found in imports("minos") if found.runs} == {"minos.lazy"}


def test_modules_do_not_import_in_circles():
    graph = {
        module: {
            found.imported
            for found in imports(module)
            if found.runs and found.imported in modules() and found.imported != module
        }
        for module in modules()
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)
