import traceback

import pytest
from hypothesis import HealthCheck, settings
from tests.planted import PLANTED

# How long an example takes depends on what else the machine does.
settings.register_profile("minos", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("minos")


@pytest.fixture
def planted(tmp_path, caplog, capfd):
    """A key that must be found nowhere once the test is over.

    What the test appends to the list is looked through too: errors with their tracebacks, and
    everything else as its repr.
    """
    caplog.set_level("DEBUG")
    seen = []
    yield seen
    told = [caplog.text, *capfd.readouterr()]
    for thing in seen:
        if isinstance(thing, BaseException):
            told += traceback.format_exception(thing)
            told += [repr(thing), repr(vars(thing))]
        else:
            told += [repr(thing), str(thing)]
    told += [path.read_bytes().decode("utf-8", "replace") for path in tmp_path.rglob("*.*")]
    assert not [text for text in told if PLANTED in text or PLANTED.encode() in text.encode()]
