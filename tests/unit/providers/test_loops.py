"""A client outlives the event loop it was first used in."""

import gc

import anyio
import pytest
from tests.loopback import Reply, loopback
from tests.unit.providers.asked import request, response

from minos.providers import DecisionClient, DecisionClientOptions, ProviderName


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_client_that_nobody_closes_leaves_nothing_open(backend):
    client = None
    port = 0

    async def ask():
        nonlocal client, port
        async with loopback(port) as server:
            server.otherwise = Reply(body=response())
            if client is None:
                port = server.port
                options = DecisionClientOptions(
                    provider=ProviderName.CUSTOM, base_address=server.url, model="m"
                )
                client = DecisionClient(options)
            for _ in range(2):
                assert (await client.decide(request())).tries == 1
            assert server.connections == 1

    for _ in range(2):
        anyio.run(ask, backend=backend)
        gc.collect()  # a connection left open would be warned of now, and warnings are errors
