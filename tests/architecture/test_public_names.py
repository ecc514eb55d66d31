"""What `import minos` offers."""

import ast
import inspect
import typing
from importlib import import_module

from tests.architecture.source import tree

import minos

SOURCE_NAMES = {
    "AnswerRecord",
    "CalibrationReport",
    "CostSummary",
    "DatasetItem",
    "DatasetProblem",
    "DatasetProblems",
    "DatasetRunError",
    "DatasetRunOptions",
    "DecisionDataset",
    "DecisionError",
    "DecisionProvider",
    "ErrorSummary",
    "EvaluationResults",
    "ExpectedAnswer",
    "ItemError",
    "ItemResult",
    "KindMetrics",
    "LatencySummary",
    "ModelCount",
    "ModelPrice",
    "PriceTable",
    "ReliabilityBin",
    "RunHeader",
    "SweepPoint",
}
"""Names that the description of the format and of the tool promises."""


def _typed():
    """The names that a type checker sees."""
    block = next(node for node in tree("minos").body if isinstance(node, ast.If))
    return {
        alias.asname or alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_list_of_public_names_is_sorted_and_complete():
    assert minos.__all__ == sorted(set(minos.__all__))
    assert set(minos.__all__) == set(_typed())
    assert set(minos.__all__) <= set(dir(minos))
    assert set(minos.__all__) >= SOURCE_NAMES


def test_each_public_name_is_the_one_of_its_module():
    for name, home in _typed().items():
        expected = import_module(home).VERSION if name == "__version__" else None
        assert getattr(minos, name) == (expected or getattr(import_module(home), name))


def test_each_public_class_and_function_is_described():
    for name in minos.__all__:
        value = getattr(minos, name)
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            assert name == "__version__" or typing.get_origin(value) is not None, name
            continue
        assert (inspect.getdoc(value) or "").strip(), name
        for member, attribute in vars(value).items() if inspect.isclass(value) else ():
            if inspect.isroutine(attribute) and not member.startswith("_"):
                assert inspect.getdoc(getattr(value, member)), f"{name}.{member}"


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(minos, "nothing_of_that_name")


def test_star_imports_give_the_public_names():
    names: dict[str, object] = {}
    exec("from minos import *", names)  # noqa: S102
    assert set(minos.__all__) - {"__version__"} <= set(names)
