"""The native half of minos."""

from typing import Self, TypeAlias, final

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

Problem: TypeAlias = tuple[int, str, str, int | None, str]
"""A problem as it crosses: line, code, path, byte, message."""

@final
class Results:
    """The results of a run, found right: a header and its items, in file order."""

    @staticmethod
    def load(path: str) -> Results | list[Problem]:
        """Read a results file, compressed or not; give its problems where it has any.

        Raises:
            OSError: The file is missing or cannot be read.
        """

    @staticmethod
    def parse(data: bytes) -> Results | list[Problem]:
        """Read the bytes of a results file; give its problems where it has any."""

    def __len__(self) -> int:
        """Return the number of items."""

    def header_json(self) -> bytes:
        """Return the header as a line of a results file, without the line break."""

    def item_json(self, index: int) -> bytes:
        """Return an item as a line of a results file, without the line break.

        Raises:
            IndexError: There is no such item.
        """

@final
class ResultsWriter:
    """Writes a results file whole or not at all: beside its place first, then moved there."""

    def __new__(cls, path: str, header_json: bytes) -> Self:
        """Begin a file.

        Raises:
            OSError: The directory is missing or cannot be written.
        """

    def push(self, lines: bytes) -> None:
        """Add item lines: any number of whole ones."""

    def finish(self) -> list[Problem]:
        """Put the file in its place; where there are problems, give them and write nothing.

        Raises:
            OSError: The file could not be written; nothing is in its place.
        """

    def abort(self) -> None:
        """Write nothing."""

def check_prices(data: bytes) -> bytes | list[Problem]:
    """Check the bytes of a prices file; give its prices as compact JSON, or its problems."""

def report_from_files(
    results_path: str, dataset_path: str, prices_json: bytes | None, threads: int
) -> bytes | tuple[str, list[Problem]]:
    """Make `report.json` from two files.

    Args:
        results_path: The results file.
        dataset_path: The data set that the run was over.
        prices_json: What `check_prices` gives, or None.
        threads: How many threads to use; 0 for one for each core.

    Returns:
        The report; or what has problems (`dataset`, `results`, or `fit` where the results do not
        fit the data set) and the problems.

    Raises:
        OSError: A file is missing or cannot be read.
    """
