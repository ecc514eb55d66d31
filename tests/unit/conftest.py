import pytest
import trio.testing
from tests.unit.jumping_loop import JumpingLoop


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    if request.param == "asyncio":
        return "asyncio", {"loop_factory": JumpingLoop}
    return "trio", {"clock": trio.testing.MockClock(autojump_threshold=0)}
