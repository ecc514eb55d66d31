"""A server on this machine that does what a test tells it, request by request."""

import json
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import anyio


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Reply:
    """What the server answers. `body` is bytes, or a JSON value.

    `before` is awaited before the reply goes out; `chunks` sends it chunked, `cut` closes the
    connection after so many bytes of it.
    """

    status: int = 200
    body: object = b""
    headers: dict[str, str] | list[tuple[str, str]] = field(default_factory=dict)
    before: Callable[[], object] | None = None
    chunks: int | None = None
    cut: int | None = None
    content_type: str | None = "application/json"

    def encoded(self):
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        pairs = self.headers.items() if isinstance(self.headers, dict) else self.headers
        lines = [f"HTTP/1.1 {self.status} Told", *(f"{name}: {value}" for name, value in pairs)]
        if self.content_type is not None:
            lines.append(f"Content-Type: {self.content_type}")
        if self.chunks is None:
            lines.append(f"Content-Length: {len(body)}")
        else:
            lines.append("Transfer-Encoding: chunked")
            size = -(-len(body) // self.chunks)
            pieces = [body[start : start + size] for start in range(0, len(body), size)]
            body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
            body += b"0\r\n\r\n"
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class Drop:
    """Close the connection without an answer."""


@dataclass
class Raw:
    """Send bytes that may be no HTTP at all, and close."""

    data: bytes


@dataclass
class Hang:
    """Never answer; `reached` is called once the request is there."""

    reached: Callable[[], object]


class Loopback:
    """A running server.

    Attributes:
        requests: Every request so far.
        script: What the next requests are answered with; a step may be a function of the request.
        otherwise: What a request is answered with when the script is at its end.
        connections: How many connections were opened.
    """

    def __init__(self, port):
        self.port = port
        self.requests = []
        self.script = []
        self.otherwise = Reply(500, b"the script is at its end", content_type="text/plain")
        self.connections = 0

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def will(self, *steps):
        self.script.extend(steps)

    async def serve(self, stream):
        self.connections += 1
        async with stream:
            buffer = b""
            while True:
                request, buffer = await _read_request(stream, buffer)
                if request is None:
                    return
                self.requests.append(request)
                step = self.script.pop(0) if self.script else self.otherwise
                if callable(step):
                    step = step(request)
                match step:
                    case Drop():
                        return
                    case Raw(data):
                        await stream.send(data)
                        return
                    case Hang(reached):
                        reached()
                        await anyio.sleep_forever()
                    case Reply():
                        if step.before is not None:
                            await step.before()
                        data = step.encoded()
                        await stream.send(data[: step.cut])
                        if step.cut is not None:
                            return


async def _read_request(stream, buffer):
    while b"\r\n\r\n" not in buffer:
        try:
            buffer += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return None, b""
    head, _, rest = buffer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers.get("content-length", "0"))
    while len(rest) < length:
        rest += await stream.receive()
    return Request(method, path, headers, rest[:length]), rest[length:]


@asynccontextmanager
async def loopback(port=0):
    """Run a server for as long as the body of the `async with` runs; 0 is any free port."""
    async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=port) as listener:
        attribute = anyio.abc.SocketAttribute.local_port
        server = Loopback(listener.extra_attributes[attribute]())

        async def serve(stream):
            # The client may go away in the middle; some tests want that.
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await server.serve(stream)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, serve)
            yield server
            tasks.cancel_scope.cancel()
