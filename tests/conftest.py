import logging
import signal

import pytest
from hypothesis import HealthCheck, settings
from tests.planted import KEY_VARIABLES, PLANTED, LogKeeper, Planted

from minos.errors import MinosError

# How long an example takes depends on what else the machine does.
settings.register_profile("minos", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("minos")

pytest_plugins = ["pytester"]


def pytest_configure():
    """Let Ctrl-C reach the tests of it where a shell started pytest in the background.

    Such a shell has its jobs ignore the signal, and their children too.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def planted(request, monkeypatch):
    """A key in every variable that is known to hold one, which must show nowhere after the test.

    Looked through are the files below `tmp_path`, what was printed and logged, every error of
    minos that was made, with its traceback, and whatever the test appends.
    """
    for variable in KEY_VARIABLES:
        monkeypatch.setenv(variable, PLANTED)
    seen = Planted()
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    _keep_errors(monkeypatch, seen.errors)
    _keep_output(monkeypatch, seen.told)
    keeper = LogKeeper(seen.told)
    logging.getLogger().addHandler(keeper)
    monkeypatch.setattr(logging.getLogger("minos"), "level", logging.DEBUG)
    yield seen
    logging.getLogger().removeHandler(keeper)
    # What pytest captured while the test ran, and what the test did not ask it for.
    seen.told += [text for _, _, text in request.node._report_sections]
    leaks = seen.leaks(folder)
    seen.errors.clear()
    assert not leaks


def _keep_errors(monkeypatch, errors):
    def make(kind, *args, **_):
        error = Exception.__new__(kind, *args)
        errors.append(error)
        return error

    monkeypatch.setattr(MinosError, "__new__", make, raising=False)


def _keep_output(monkeypatch, told):
    read = pytest.CaptureFixture.readouterr

    def read_and_keep(capture):
        captured = read(capture)
        told.extend(text if isinstance(text, str) else text.decode() for text in captured)
        return captured

    monkeypatch.setattr(pytest.CaptureFixture, "readouterr", read_and_keep)
