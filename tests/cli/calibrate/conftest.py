import os

import pytest
from tests.cli.calibrate.calls import write_items

from minos.config import Config


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of its own with a data set of six items, and no settings from outside."""
    for name in os.environ:
        if name.upper().startswith("MINOS"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    write_items(6)
    return tmp_path


@pytest.fixture
def provide_each(monkeypatch):
    """Put providers of Python in the place of the one that is named, one for each repeat."""

    def provide_each(provider_of):
        def build(*_, repeat=1, **__):
            return provider_of(repeat)

        monkeypatch.setattr(Config, "provider", build)
        monkeypatch.setattr(Config, "section_name", lambda *_: "scripted")

    return provide_each


@pytest.fixture
def provide(provide_each):
    """Put a provider of Python in the place of the one that is named."""

    def provide(provider):
        provide_each(lambda _: provider)
        return provider

    return provide
