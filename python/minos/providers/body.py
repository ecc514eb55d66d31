"""Reading a response's body without letting the server decide how much memory it takes."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

_EITHER_HEADER = 47  # zlib: gzip or zlib, told by the first bytes
_GZIP_MAGIC = 0x1F
_LARGEST_OVERHEAD = 1 << 20
"""How many bytes of headers and blocks a body may have on top of what it holds."""


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
        case "gzip" | "x-gzip" | "deflate" as named:
            is_gzip = named != "deflate"
            return await _read_compressed(chunks, limit, may_have_members=is_gzip)
        case _:
            return Body(b"", f"is encoded as {encoding!r}")


async def _read_plain(chunks: AsyncIterator[bytes], limit: int) -> Body:
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > limit:
            return _too_long(data, limit)
    return Body(bytes(data))


async def _read_compressed(
    chunks: AsyncIterator[bytes], limit: int, *, may_have_members: bool
) -> Body:
    """Read what is compressed; a gzip body may be several, one after the other."""
    data = bytearray()
    size = 0
    inflater = zlib.decompressobj(_EITHER_HEADER)
    try:
        async for chunk in chunks:
            size += len(chunk)
            rest = chunk
            while rest:
                if inflater.eof:
                    if not may_have_members or rest[0] != _GZIP_MAGIC:
                        return Body(bytes(data), "goes on after the end of its compression")
                    inflater = zlib.decompressobj(_EITHER_HEADER)
                data += inflater.decompress(rest, limit + 1 - len(data))
                # Members that hold nothing could go on for ever.
                if len(data) > limit or size > limit + _LARGEST_OVERHEAD:
                    return _too_long(data, limit)
                rest = inflater.unused_data
    except zlib.error:
        return Body(bytes(data), "is not compressed as it says")
    if not inflater.eof:
        return Body(bytes(data), "ends in the middle of its compression")
    return Body(bytes(data))


def _too_long(data: bytearray, limit: int) -> Body:
    unit, size = ("MiB", 1 << 20) if limit >= 1 << 20 else ("KiB", 1 << 10)
    return Body(bytes(data[:limit]), f"is longer than {limit // size} {unit}")
