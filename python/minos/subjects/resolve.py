"""Finds the Python object that a name on the command line stands for."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from minos.errors import ConfigError

_FORMS = "pkg.module:attr, file.py:attr or pkg.module.attr"


@dataclass(frozen=True, slots=True)
class Resolved:
    """A Python object and where it came from.

    Attributes:
        name: The name that was given.
        value: The object.
        place: Its kind, name and file, for people.
    """

    name: str
    value: object
    place: str


def resolve(name: str) -> Resolved:
    """Import what a name stands for: `pkg.module:attr`, `file.py:attr` or `pkg.module.attr`.

    The working directory joins the import path first.

    Raises:
        ConfigError: The name has none of these forms, or nothing can be imported by it.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    origin, colon, path = name.rpartition(":")
    if colon:
        if not origin or not path:
            raise ConfigError(f"{name!r} names no Python object", hint=f"write {_FORMS}")
        module = _file(origin) if origin.endswith(".py") else _module(origin)
        return _attribute(name, module, path.split("."))
    parts = name.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):  # noqa: PLR2004
        raise ConfigError(f"{name!r} names no Python object", hint=f"write {_FORMS}")
    for length in range(len(parts) - 1, 0, -1):
        origin = ".".join(parts[:length])
        if _is_there(origin):
            return _attribute(name, _module(origin), parts[length:])
    raise ConfigError(f"there is no module {parts[0]!r} for {name!r}", hint=f"write {_FORMS}")


def import_module(name: str) -> ModuleType:
    """Import a module by its dotted name or by its file, the working directory included.

    Raises:
        ConfigError: It cannot be imported.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return _file(name) if name.endswith(".py") else _module(name)


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, AttributeError, ValueError):
        return False


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        raise _not_imported(name, error) from error


def _file(path: str) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        raise ConfigError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(file.stem, module)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        raise _not_imported(path, error) from error
    return module


def _not_imported(name: str, error: BaseException) -> ConfigError:
    return ConfigError(f"{name} cannot be imported: {type(error).__name__}: {error}")


def _attribute(name: str, module: ModuleType, path: list[str]) -> Resolved:
    value: object = module
    for part in path:
        if not hasattr(value, part):
            known = [each for each in dir(value) if not each.startswith("_")]
            near = difflib.get_close_matches(part, known, n=1)
            raise ConfigError(
                f"{module.__name__} has no {'.'.join(path)!r}",
                hint=f"did you mean {near[0]!r}?" if near else "",
            )
        value = getattr(value, part)
    if not callable(value):
        raise ConfigError(f"{name} is no function but {type(value).__name__}")
    return Resolved(name, value, _place(value, module, path))


def _place(value: object, module: ModuleType, path: list[str]) -> str:
    kind = "class" if inspect.isclass(value) else "function"
    file = getattr(module, "__file__", None) or module.__name__
    return f"{kind} {'.'.join(path)} of {file}"
