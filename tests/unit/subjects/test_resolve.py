"""Names of Python objects on the command line."""

import sys

import pytest

from minos.errors import ConfigError
from minos.subjects.resolve import import_module, resolve


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    package = tmp_path / "shop_under_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rag.py").write_text(
        "def query(case): return 'q'\nclass Bot:\n    def ask(self, case): return 'a'\nNUMBER = 5\n"
    )
    (package / "broken.py").write_text("raise RuntimeError('no luck')\n")
    (package / "leaving.py").write_text("import sys\nsys.exit(3)\n")
    (tmp_path / "script_under_test.py").write_text("def answer(input): return input\n")
    monkeypatch.chdir(tmp_path)
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("shop_under_test.rag:query", "function query of"),
        ("shop_under_test.rag.query", "function query of"),
        ("shop_under_test.rag:Bot", "class Bot of"),
        ("shop_under_test.rag:Bot.ask", "function Bot.ask of"),
        ("shop_under_test.rag.Bot.ask", "function Bot.ask of"),
        ("script_under_test.py:answer", "function answer of"),
        ("./script_under_test.py:answer", "function answer of"),
    ],
)
def test_every_form_of_a_name_is_found(name, place):
    found = resolve(name)
    assert callable(found.value)
    assert found.place.startswith(place)
    assert found.name == name


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("query", "'query' names no Python object", "pkg.module:attr"),
        (":query", "names no Python object", "pkg.module:attr"),
        ("a b.c", "names no Python object", "pkg.module:attr"),
        ("shop_under_test.rag:", "names no Python object", "pkg.module:attr"),
        ("shop_under_test.rag:qery", "shop_under_test.rag has no 'qery'", "did you mean 'query'?"),
        ("shop_under_test.rag.Bot.aks", "has no 'Bot.aks'", "did you mean 'ask'?"),
        ("shop_under_test.rag:NUMBER", "is no function but int", ""),
        ("nowhere.at.all", "there is no module 'nowhere'", "pkg.module:attr"),
        ("nowhere:f", "nowhere cannot be imported: ModuleNotFoundError", ""),
        ("none.py:f", "there is no file none.py", ""),
        ("shop_under_test.broken:f", "cannot be imported: RuntimeError: no luck", ""),
        ("shop_under_test.leaving:f", "cannot be imported: SystemExit: 3", ""),
    ],
)
def test_what_cannot_be_found_is_told(name, message, hint):
    with pytest.raises(ConfigError) as caught:
        resolve(name)
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_the_working_directory_joins_the_path_only_then(project):
    assert str(project) not in sys.path
    resolve("shop_under_test.rag:query")
    assert sys.path[0] == str(project)


def test_modules_are_imported_by_name_or_file():
    assert import_module("shop_under_test.rag").NUMBER == 5
    assert import_module("script_under_test.py").answer("x") == "x"
