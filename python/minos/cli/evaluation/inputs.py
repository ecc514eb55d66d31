"""What `minos eval` reads: assertions of plug-ins, data sets, earlier results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from minos.cases.assertions.registry import Registry, assertions_of, installed
from minos.cases.batch import CaseBatch
from minos.cases.dataset import CaseDataset
from minos.cases.directory import PARTIAL, RESULTS
from minos.cases.loading import Examined, examine
from minos.cases.reduction import has_passed, share_of
from minos.cases.results import CaseResults
from minos.cli.aside import stdout_aside
from minos.cli.failures import reading
from minos.cli.output import Output
from minos.cli.problem_printer import warning_line
from minos.errors import ConfigError, ProblemsError
from minos.problems import DatasetProblem, DatasetProblems
from minos.subjects.resolve import import_module


def load_registry(plugins: Iterable[str]) -> Registry:
    """Return the assertions of minos, of installed packages and of plug-ins.

    Raises:
        ConfigError: A plug-in cannot be imported, brings none, or takes a name that is taken.
    """
    registry = installed()
    for name in plugins:
        with stdout_aside():
            module = import_module(name)
        registry = registry.with_types(assertions_of(module))
    return registry


def load_cases(files: Sequence[Path], registry: Registry, output: Output) -> CaseBatch:
    """Read data sets, and tell their warnings.

    Raises:
        InputError: A file is missing or cannot be read.
        ProblemsError: There are problems; all of all files are told.
        ConfigError: Two files have a case with the same id.
    """
    examined: list[tuple[Path, Examined]] = []
    for path in files:
        output.say(f"Loading {path}...")
        with reading(path):
            examined.append((path, examine(path, registry=registry)))
    several = len(files) > 1
    for path, each in examined:
        for warning in each.warnings:
            line = warning_line(warning)
            output.say(f"{path}: {line}" if several else line)
    wrong = [(path, problem) for path, each in examined for problem in each.problems]
    if wrong:
        title = "Failed to load datasets" if several else f"Failed to load dataset {files[0]}"
        told = (_in_file(path, problem) if several else problem for path, problem in wrong)
        raise ProblemsError(DatasetProblems(told), title)
    return CaseBatch([CaseDataset(each) for _, each in examined])


def load_results(path: Path) -> CaseResults:
    """Read the results of an earlier run, by their file or its directory.

    Raises:
        InputError: There are none, or they cannot be read.
        ProblemsError: They have problems.
    """
    if path.is_dir():
        found = [path / name for name in (RESULTS, PARTIAL) if (path / name).exists()]
        if not found:
            raise ConfigError(
                f"{path} holds no results", hint="name the directory of a run, or its results file"
            )
        path = found[0]
    with reading(path):
        return CaseResults.load(path).unwrap()


def failed_keys(results: CaseResults) -> Callable[[str], bool]:
    """Return whether a case did not pass in an earlier run, by its key."""
    rule = results.header.pass_rule
    failed = {
        key for key, attempts in results.by_case() if not has_passed(share_of(attempts), rule)
    }
    return failed.__contains__


def _in_file(path: Path, problem: DatasetProblem) -> DatasetProblem:
    return DatasetProblem(
        problem.line, problem.code, problem.path, problem.byte, f"{path}: {problem.message}"
    )
