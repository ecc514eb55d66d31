import pytest
import trio.testing
from tests.unit.attempts.scripted import JumpingLoop, Script, Shelf


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    if request.param == "asyncio":
        return "asyncio", {"loop_factory": JumpingLoop}
    return "trio", {"clock": trio.testing.MockClock(autojump_threshold=0)}


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def shelf():
    return Shelf()
