"""What `import minos` offers."""

import ast
import inspect
import typing
from importlib import import_module

import pytest
from tests.architecture.source import modules, tree

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


PACKAGES = [name for name in modules() if "hand_on(__name__" in modules()[name].read_text("utf-8")]


def _typed(package):
    """The names that a type checker sees, with the modules they live in."""
    block = next(node for node in tree(package).body if isinstance(node, ast.If))
    return {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_package_offers_what_is_promised():
    assert set(minos.__all__) >= SOURCE_NAMES


@pytest.mark.parametrize("package", PACKAGES)
def test_the_list_of_public_names_is_sorted_and_complete(package):
    module = import_module(package)
    assert module.__all__ == sorted(set(module.__all__))
    assert set(module.__all__) == set(_typed(package))
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.parametrize("package", PACKAGES)
def test_each_public_name_is_the_one_of_its_module(package):
    module = import_module(package)
    for name, home in _typed(package).items():
        assert getattr(module, name) is getattr(import_module(home), name)


@pytest.mark.parametrize("package", PACKAGES)
def test_each_public_class_and_function_is_described(package):
    module = import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            assert name == "__version__" or typing.get_origin(value) is not None, name
            continue
        assert (inspect.getdoc(value) or "").strip(), name
        for member, attribute in vars(value).items() if inspect.isclass(value) else ():
            if inspect.isroutine(attribute) and not member.startswith("_"):
                assert inspect.getdoc(getattr(value, member)), f"{name}.{member}"


@pytest.mark.parametrize("package", PACKAGES)
def test_an_unknown_name_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        import_module(package).nothing  # noqa: B018


def test_star_imports_give_the_public_names():
    names: dict[str, object] = {}
    exec("from minos import *", names)  # noqa: S102
    assert set(minos.__all__) <= set(names)
