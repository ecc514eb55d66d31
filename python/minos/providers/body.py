"""Reading a response's body without letting the server decide how much memory it takes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

_EITHER_HEADER = 47  # zlib: gzip or zlib, told by the first bytes


@dataclass(frozen=True, slots=True)
class Body:
    """A body as read.

    Attributes:
        data: Its bytes, decompressed; at most the limit.
        fault: Why it is not whole, as the end of a sentence about it; empty where it is.
    """

    data: bytes
    fault: str = ""


async def read_body(chunks: AsyncIterator[bytes], encoding: str, limit: int) -> Body:
    """Read a body up to a limit, which holds for what is decompressed too.

    Args:
        chunks: The body as it comes.
        encoding: The `Content-Encoding`; gzip and deflate are understood.
        limit: The most bytes to keep; what follows is not read.
    """
    encoding = encoding.strip()
    match encoding.lower():
        case "" | "identity":
            return await _read_plain(chunks, limit)
        case "gzip" | "x-gzip" | "deflate":
            return await _read_compressed(chunks, limit)
        case _:
            return Body(b"", f"is encoded as {encoding!r}")


async def _read_plain(chunks: AsyncIterator[bytes], limit: int) -> Body:
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > limit:
            return _too_long(data, limit)
    return Body(bytes(data))


async def _read_compressed(chunks: AsyncIterator[bytes], limit: int) -> Body:
    data = bytearray()
    inflater = zlib.decompressobj(_EITHER_HEADER)
    try:
        async for chunk in chunks:
            data += inflater.decompress(chunk, limit + 1 - len(data))
            if len(data) > limit:
                return _too_long(data, limit)
            if inflater.unused_data:  # whatever follows the end, and be it without one
                break
    except zlib.error:
        return Body(bytes(data), "is not compressed as it says")
    if not inflater.eof:
        return Body(bytes(data), "ends in the middle of its compression")
    return Body(bytes(data))


def _too_long(data: bytearray, limit: int) -> Body:
    unit, size = ("MiB", 1 << 20) if limit >= 1 << 20 else ("KiB", 1 << 10)
    return Body(bytes(data[:limit]), f"is longer than {limit // size} {unit}")
