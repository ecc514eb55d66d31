"""What a run of `minos eval` is set to: options first, then the policy file, then defaults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from minos.cli.failures import reading
from minos.errors import ConfigError
from minos.policy.file import Policy, read_policy
from minos.policy.gates import Gates
from minos.policy.pass_rule import PassRule

_PATTERNS = ("*.json", "*.yaml", "*.yml", "*.jsonl")
_DEFAULT_FOLDER = Path("tests/evals")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options that a policy file can say too; None is not given.

    Attributes:
        files: Data sets.
        policy_path: The policy file.
        repeat: Attempts of each case.
        pass_rule: How many of them must pass.
        threshold: The least share of cases that must pass.
        strict: Whether all must.
        group_by: The field that groups are made by.
        group_threshold: The least share of each group that must pass.
    """

    files: tuple[Path, ...]
    policy_path: Path | None
    repeat: int | None
    pass_rule: str | None
    threshold: float | None
    strict: bool
    group_by: str | None
    group_threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What holds.

    Attributes:
        files: The data sets, at least one.
        repeat: Attempts of each case; None where nothing says.
        pass_rule: How many of them must pass; None where nothing says.
        gates: What has to hold.
    """

    files: tuple[Path, ...]
    repeat: int | None
    pass_rule: PassRule | None
    gates: Gates


def settle(asked: Asked) -> Settled:
    """Decide what holds.

    Raises:
        UsageError: Options contradict each other.
        ProblemsError: The policy file has problems.
        ConfigError: Options and policy contradict each other, or there are no data sets.
    """
    if asked.strict and asked.threshold is not None:
        raise click.UsageError("--strict and --threshold cannot be used together")
    if asked.policy_path is None and (asked.group_by is None) != (asked.group_threshold is None):
        raise click.UsageError("--group-by and --group-threshold must be provided together")
    policy = Policy()
    if asked.policy_path is not None:
        with reading(asked.policy_path):
            policy = read_policy(asked.policy_path).unwrap()
    return Settled(
        files=_files(asked, policy),
        repeat=policy.repeat if asked.repeat is None else asked.repeat,
        pass_rule=policy.pass_rule if asked.pass_rule is None else _rule(asked.pass_rule),
        gates=Gates(
            threshold=policy.threshold if asked.threshold is None else asked.threshold,
            is_strict=asked.strict,
            group_by=policy.group_by if asked.group_by is None else asked.group_by,
            group_threshold=policy.group_threshold
            if asked.group_threshold is None
            else asked.group_threshold,
            rules=policy.rules,
        ),
    )


def _rule(text: str) -> PassRule:
    try:
        return PassRule.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--pass-rule'") from None


def _files(asked: Asked, policy: Policy) -> tuple[Path, ...]:
    if asked.files:
        return asked.files
    if asked.policy_path is not None:
        if policy.datasets is None:
            raise ConfigError(
                "the policy names no datasets", hint="name files, or list them under `datasets`"
            )
        return tuple(Path(path) for path in policy.datasets)
    found = tuple(path for pattern in _PATTERNS for path in sorted(_DEFAULT_FOLDER.rglob(pattern)))
    if not found:
        raise ConfigError(
            "No eval files found",
            hint="name files, create data sets in tests/evals/, or run `minos init`",
        )
    return found
