"""What a server says, made fit to be shown."""

from __future__ import annotations

import unicodedata

_SHOWN_CHARACTERS = 200


def shown(text: str) -> str:
    """Return text of a server without control, format and surrogate characters, cut to a line."""
    if text.isascii() and text.isprintable() and len(text) <= _SHOWN_CHARACTERS:
        return text.strip()
    kept = "".join(
        character if unicodedata.category(character)[0] not in "CZ" else " "
        for character in text[: 4 * _SHOWN_CHARACTERS]
    )
    line = " ".join(kept.split())
    if len(line) <= _SHOWN_CHARACTERS:
        return line
    return line[: _SHOWN_CHARACTERS - 1] + "…"
