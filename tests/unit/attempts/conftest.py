import pytest
from tests.unit.attempts.scripted import Script, Shelf


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def shelf():
    return Shelf()
