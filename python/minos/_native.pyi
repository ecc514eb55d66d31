"""The native half of minos."""

from typing import Self, final

VERSION: str
"""The version of the package, from `Cargo.toml`."""

def printable(text: str) -> str:
    r"""Return text that is safe to print: control and bidirectional characters as `\uXXXX`."""

def grapheme_length(text: str) -> int:
    """Return the number of extended grapheme clusters; CR LF is one."""

def edit_distance(first: str, second: str) -> int:
    """Return Levenshtein's distance over grapheme clusters.

    Raises:
        ValueError: A text has more than 100,000 clusters.
    """

def composed(text: str) -> str:
    """Return the text in Unicode's composed form (NFC)."""

def without_ignorable(text: str) -> str:
    """Return the text without the characters that are not seen (default-ignorable ones)."""

@final
class Pattern:
    """A pattern that is searched for in linear time. Classes are Unicode's, flags stand in it.

    `$` matches at the end and before one final line feed.
    """

    def __new__(cls, source: str) -> Self:
        """Compile a pattern.

        Raises:
            ValueError: It is no pattern, uses a construct that is not supported (the message
                names it), or takes more than 10 MiB once compiled.
        """

    def find(self, text: str) -> str | None:
        """Return the text of the first match, or None."""
