import pytest


@pytest.fixture(autouse=True)
def _nothing_leaks(planted):
    """No test of this folder leaves a key behind."""
