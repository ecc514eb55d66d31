"""What `dev-double serve --engine mock` answers to every probe, without its web framework.

Where a probe has changed, record anew: start `dev-double serve --engine mock --port 8787` of the
version that `VERSION` names, and run
`python -m tests.unit.conformance.recording http://127.0.0.1:8787/`.
"""

import asyncio
import hashlib
import json
import sys
from pathlib import Path

import httpx
from tests.loopback import Reply, loopback

from minos import conformance
from minos.providers import DecisionClient, DecisionClientOptions, ProviderName

VERSION = "0.2.0"
RECORDED = Path(__file__).with_name("dev_double.jsonl")


def recorded():
    """Answer a request as it was recorded."""
    replies = {}
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        members = json.loads(line)
        content_type = members["contentType"]
        body = members["body"].encode()
        reply = Reply(members["status"], body, content_type=content_type)
        replies[members["request"]] = reply
    return lambda sent: replies[_name(sent)]


async def hold(step):
    """Hold what a function answers against the rules."""
    async with loopback() as server:
        server.otherwise = step
        options = DecisionClientOptions(
            provider=ProviderName.CUSTOM, base_address=server.url, model="nano"
        )
        client = DecisionClient(options)
        try:
            return await conformance.check(client, thorough=True)
        finally:
            await client.aclose()


def _name(sent):
    return hashlib.sha256(sent.body).hexdigest()


def _record(url):
    lines = {}

    def forward(sent):
        got = httpx.post(f"{url}v1/systemone", content=sent.body, headers=sent.headers)
        content_type = got.headers["content-type"]
        members = {
            "request": _name(sent),
            "status": got.status_code,
            "contentType": content_type,
            "body": got.text,
        }
        lines[members["request"]] = json.dumps(members, ensure_ascii=False) + "\n"
        return Reply(got.status_code, got.content, content_type=content_type)

    asyncio.run(hold(forward))
    RECORDED.write_text("".join(lines.values()), encoding="utf-8")


if __name__ == "__main__":
    _record(sys.argv[1])
