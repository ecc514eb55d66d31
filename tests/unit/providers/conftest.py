import traceback

import pytest
from tests.clocks import FakeClock
from tests.loopback import loopback

from minos.providers import DecisionClient, DecisionClientOptions, ProviderName, Secret

PLANTED = "sk-planted-5e1f00d5/b31a"


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
