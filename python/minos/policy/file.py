"""Reads a policy file: which data sets, how they are sampled, what has to hold."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from minos._native import CaseFile
from minos.outcome import Err, Ok, Outcome
from minos.policy.pass_rule import PassRule
from minos.policy.rules import Rule
from minos.problems import DatasetProblem, DatasetProblems

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a policy file says; None is not said.

    Attributes:
        datasets: Paths, relative to the working directory.
        repeat: Attempts of each case.
        pass_rule: How many of them must pass.
        threshold: The least share of cases that must pass.
        group_by: The field of the metadata that groups are made by.
        group_threshold: The least share of cases of each group that must pass.
        rules: Rules over any figure of a report.
    """

    datasets: tuple[str, ...] | None = None
    repeat: int | None = None
    pass_rule: PassRule | None = None
    threshold: float | None = None
    group_by: str | None = None
    group_threshold: float | None = None
    rules: tuple[Rule, ...] = ()


def read_policy(path: str | PathLike[str]) -> Outcome[Policy]:
    """Read a policy file, YAML or JSON.

    Returns:
        The policy, or every problem with its line.

    Raises:
        OSError: The file is missing or cannot be read.
    """
    return parse_policy(Path(path).read_bytes(), title=f"Invalid evaluation policy {path}")


def parse_policy(data: bytes, title: str = "Invalid evaluation policy") -> Outcome[Policy]:
    """Read the bytes of a policy file; see `read_policy`."""
    file, told = CaseFile.parse(data, "yaml-document")
    problems = [DatasetProblem(*problem) for _, problem in told]
    if problems:
        return Err(DatasetProblems(problems), title)
    value = json.loads(file.json(0)) if len(file) else None
    reader = _Reader(file)
    policy = reader.policy(value)
    if reader.problems:
        return Err(DatasetProblems(reader.problems), title)
    return Ok(policy)


class _Reader:
    """Takes a document apart and keeps what is wrong with it."""

    def __init__(self, file: CaseFile) -> None:
        self.problems: list[DatasetProblem] = []
        self._file = file

    def policy(self, value: object) -> Policy:
        if not isinstance(value, dict):
            self.tell((), "policy must be a YAML map")
            return Policy()
        self._known(value, (), ("version", "datasets", "sampling", "gates"), "policy")
        self._version(value)
        sampling = self._map(value, "sampling", ("repeat", "pass_rule"))
        gates = self._map(value, "gates", ("overall", "groups", "rules"))
        groups = self._map(gates, "groups", ("by", "threshold", "pass_rate"), "gates")
        overall = self._map(gates, "overall", ("threshold", "pass_rate"), "gates")
        return Policy(
            datasets=self._datasets(value),
            repeat=self._repeat(sampling),
            pass_rule=self._pass_rule(sampling),
            threshold=self._threshold(overall, ("gates", "overall"), is_there="overall" in gates),
            group_by=self._group_by(groups, is_there="groups" in gates),
            group_threshold=self._threshold(
                groups, ("gates", "groups"), is_there="groups" in gates
            ),
            rules=self._rules(gates),
        )

    def tell(
        self, path: tuple[str | int, ...], message: str, *, is_of_member: bool = False
    ) -> None:
        lines = self._file.lines(0, path) if len(self._file) else (1, 1)
        text = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path).lstrip(".")
        line = lines[0] if is_of_member else lines[1]
        self.problems.append(DatasetProblem(line, "invalid-policy", text, None, message))

    def _known(
        self, value: Mapping[str, Any], path: tuple[str, ...], known: tuple[str, ...], what: str
    ) -> None:
        for name in value:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                self.tell((*path, name), f"unknown {what} keys: {name}{hint}", is_of_member=True)

    def _map(
        self, value: Mapping[str, Any], name: str, known: tuple[str, ...], parent: str = ""
    ) -> Mapping[str, Any]:
        path = (parent, name) if parent else (name,)
        what = ".".join(path)
        if name not in value:
            return {}
        if not isinstance(value[name], dict):
            self.tell(path, f"{what} must be a map")
            return {}
        self._known(value[name], path, known, what)
        return dict(value[name])

    def _version(self, value: Mapping[str, Any]) -> None:
        version = value.get("version")
        if version is None:
            self.tell((), "policy version is required")
        elif version != VERSION or isinstance(version, bool):
            self.tell(("version",), f"unsupported policy version {version}; expected {VERSION}")

    def _datasets(self, value: Mapping[str, Any]) -> tuple[str, ...] | None:
        if "datasets" not in value:
            return None
        paths = value["datasets"]
        if not isinstance(paths, list) or not paths:
            self.tell(("datasets",), "datasets must be a nonempty list of paths")
            return None
        for index, path in enumerate(paths):
            if not isinstance(path, str) or not path:
                message = "datasets must be a nonempty list of nonempty string paths"
                self.tell(("datasets", index), message)
                return None
        return tuple(paths)

    def _repeat(self, sampling: Mapping[str, Any]) -> int | None:
        repeat = sampling.get("repeat")
        if repeat is None:
            return None
        if isinstance(repeat, bool) or not isinstance(repeat, int) or repeat < 1:
            message = "sampling.repeat must be a positive integer"
            self.tell(("sampling", "repeat"), message)
            return None
        return repeat

    def _pass_rule(self, sampling: Mapping[str, Any]) -> PassRule | None:
        rule = sampling.get("pass_rule")
        if rule is None:
            return None
        path = ("sampling", "pass_rule")
        if isinstance(rule, dict):
            self._known(rule, path, ("rate",), "sampling.pass_rule")
            if "rate" not in rule:
                self.tell(path, "sampling.pass_rule.rate is required")
                return None
            share = self._share(rule["rate"], (*path, "rate"))
            return None if share is None else PassRule.rate(share)
        if rule not in {"all", "any", "majority"}:
            self.tell(path, "sampling.pass_rule must be all, any, majority, or a rate map")
            return None
        return PassRule.parse(rule)

    def _threshold(
        self, value: Mapping[str, Any], path: tuple[str, ...], *, is_there: bool
    ) -> float | None:
        where = ".".join(path)
        if "threshold" in value and "pass_rate" in value:
            self.tell(path, f"{where} cannot set both pass_rate and threshold")
            return None
        name = "pass_rate" if "pass_rate" in value else "threshold"
        if name not in value:
            if is_there:
                self.tell(path, f"{where}.threshold is required")
            return None
        return self._share(value[name], (*path, name))

    def _share(self, value: object, path: tuple[str, ...]) -> float | None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= 1:  # type: ignore[operator]
            self.tell(path, f"{'.'.join(path)} must be a number between 0.0 and 1.0")
            return None
        return float(value)  # type: ignore[arg-type]

    def _group_by(self, groups: Mapping[str, Any], *, is_there: bool) -> str | None:
        by = groups.get("by")
        if by is None and not is_there:
            return None
        if not isinstance(by, str) or not by:
            self.tell(("gates", "groups"), "gates.groups.by must be a nonempty string")
            return None
        return by

    def _rules(self, gates: Mapping[str, Any]) -> tuple[Rule, ...]:
        rules = gates.get("rules")
        if rules is None:
            return ()
        if not isinstance(rules, list):
            self.tell(("gates", "rules"), "gates.rules must be a list")
            return ()
        read = []
        for index, value in enumerate(rules):
            rule = Rule.read(value, partial(self.tell, ("gates", "rules", index)))
            if rule is not None:
                read.append(rule)
        return tuple(read)
