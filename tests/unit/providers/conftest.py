import pytest
from tests.clocks import FakeClock
from tests.loopback import loopback
from tests.planted import PLANTED

from minos.providers import DecisionClient, DecisionClientOptions, ProviderName, Secret


@pytest.fixture(autouse=True)
def _nothing_leaks(planted):
    """No test of this folder leaves a key behind."""


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    return request.param


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
async def server():
    async with loopback() as running:
        yield running


@pytest.fixture
async def connect(server, clock):
    """Make clients of the loopback server, and close them."""
    made = []

    def connect(*, key=PLANTED, model="jev-test", http_client=None, **options):
        client = DecisionClient(
            DecisionClientOptions(
                **{
                    "provider": ProviderName.CUSTOM,
                    "base_address": server.url,
                    "api_key": Secret(key) if key else None,
                    "model": model,
                    **options,
                }
            ),
            http_client=http_client,
            clock=clock,
            chance=lambda: 0.5,
        )
        made.append(client)
        return client

    yield connect
    for client in made:
        await client.aclose()
