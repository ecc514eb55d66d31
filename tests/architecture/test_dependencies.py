"""The pinned development dependencies are those of the project."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.architecture.source import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _asked_for():
    yield from PROJECT["project"]["dependencies"]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        yield from extra
    for group in PROJECT["dependency-groups"].values():
        yield from (entry for entry in group if isinstance(entry, str))


def _pinned():
    lock = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE):
        yield canonicalize_name(name), version


@pytest.mark.parametrize("requirement", sorted(set(_asked_for())))
def test_every_dependency_is_pinned_to_a_version_that_fits(requirement):
    wanted = Requirement(requirement)
    versions = [version for name, version in _pinned() if name == canonicalize_name(wanted.name)]
    assert versions, "run `make lock`"
    assert all(wanted.specifier.contains(version) for version in versions), "run `make lock`"


def test_every_pin_carries_its_hashes():
    lock = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)
