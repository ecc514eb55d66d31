"""The native half of minos."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Protocol, Self, TypeAlias, final, type_check_only

from typing_extensions import Buffer

__version__: str
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

@type_check_only
class SupportsRead(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes; none at the end."""

@final
class Dataset:
    """The items of a decision data set in which nothing is wrong, in file order.

    A method that takes the index of an item raises IndexError where there is no such item.
    """

    @staticmethod
    def parse(data: bytes, is_text: bool) -> Dataset | list[Problem]:
        """Read a file that is in memory; give its problems where it has any.

        Args:
            data: The bytes of the file.
            is_text: Whether they are a `str`, encoded with `surrogatepass`.
        """

    @staticmethod
    def load(path: str | PathLike[str]) -> Dataset | list[Problem]:
        """Read a file, compressed or not; give its problems where it has any.

        Raises:
            OSError: The file is missing or cannot be read.
        """

    @staticmethod
    def read(stream: SupportsRead) -> Dataset | list[Problem]:
        """Read a binary stream, compressed or not, from where it stands to its end.

        Raises:
            OSError: Its data cannot be decompressed. What the stream raises comes through.
            TypeError: The stream does not give bytes.
        """

    def save(self, path: str | PathLike[str]) -> None:
        """Write the lines of the items to a file that appears whole or not at all.

        A name that ends in `.gz` or `.zst` is compressed so.

        Raises:
            OSError: The file cannot be written; what stood in its place is still there.
        """

    def __len__(self) -> int:
        """Return the number of items."""

    def id(self, index: int) -> str:
        """Return the id of an item."""

    def line(self, index: int) -> int:
        """Return the line of an item, counted from 1."""

    def line_json(self, index: int) -> bytes:
        """Return the line of an item as it was read, without its break."""

    def state_json(self, index: int) -> bytes:
        """Return the state of an item as it was read."""

    def source(self, index: int) -> str | None:
        """Return where an item came from, or None."""

    def expected(self, index: int) -> list[tuple[str, bool | str | int]]:
        """Return the right answers of an item by question key, in the order they stand."""

    def question_set(self, index: int) -> int:
        """Return the number of an item's question set; equal sets have one number."""

    def question_set_json(self, number: int) -> bytes:
        """Return a question set as compact JSON.

        Raises:
            IndexError: There is no such set.
        """

    def select(self, indices: Sequence[int]) -> Dataset:
        """Return some of the items, in the order of `indices`; their bytes are shared."""

def check_questions(json: bytes) -> tuple[list[Problem], list[Problem], bytes | None]:
    """Check a JSON object of questions by the rules of question sets.

    Args:
        json: The object, in which keys of questions and options may be repeated (a failure); a
            `str` encoded with `surrogatepass`.

    Returns:
        Failures; warnings; and the set as compact JSON where there is no failure.
    """

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
    def parse(data: bytes, is_text: bool) -> Results | list[Problem]:
        """Read a results file that is in memory; give its problems where it has any.

        Args:
            data: The bytes; of a `str`, encoded with `surrogatepass`.
            is_text: Whether they come from a `str`, so that what is not UTF-8 is a surrogate.
        """

    def __len__(self) -> int:
        """Return the number of items."""

    def header_json(self) -> bytes:
        """Return the header as a line of a results file, without the line break."""

    def item_json(self, index: int) -> bytes:
        """Return an item as a line of a results file, without the line break.

        Raises:
            IndexError: There is no such item.
        """

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file: whole or not at all.

        Raises:
            OSError: It cannot be written.
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

def item_line(result: object) -> bytes:
    """Render an item as a line of a results file, without a break and without checking it.

    Args:
        result: An `ItemResult`, which may hold what no file can: whoever reads the line tells that.

    Raises:
        TypeError: A member is nothing that JSON has.
    """

@final
class Prices:
    """Prices of different models."""

    @staticmethod
    def parse(data: bytes) -> Prices | list[Problem]:
        """Read the bytes of a prices file; give its prices, or its problems."""

    def to_json(self) -> bytes:
        """Return the prices as a prices file, compact."""

    def find(self, model: str) -> int | None:
        """Return the place of the price that fits a model; None where none does."""

    def cost(self, model: str, input_tokens: int, output_tokens: int) -> int | None:
        """Return what an answer of a model costs, in 10⁻¹⁵ US dollars; None without a price."""

def report_from_files(
    results_path: str, dataset_path: str, prices_json: bytes | None, threads: int
) -> bytes | tuple[str, list[Problem]]:
    """Make `report.json` from two files.

    Args:
        results_path: The results file.
        dataset_path: The data set that the run was over.
        prices_json: Prices as JSON, or None.
        threads: How many threads to use; 0 for one for each core.

    Returns:
        The report; or what has problems (`dataset`, `results`, or `fit` where the results do not
        fit the data set) and the problems.

    Raises:
        OSError: A file is missing or cannot be read.
    """

@final
class Table:
    """A table in Arrow's layout: columns of one length, which readers share without a copy.

    `polars.DataFrame(table)`, `pyarrow.table(table)`, `duckdb.sql("from table")` and
    `pandas.DataFrame.from_arrow(table)` read it; none of these packages is needed to have it.
    """

    @staticmethod
    def of_lists(
        columns: Sequence[
            tuple[
                str,
                Sequence[str | None] | None,
                Sequence[int | None] | None,
                Sequence[float | None] | None,
            ]
        ],
    ) -> Table:
        """Make a table of lists: each column has a name and texts, whole numbers or floats.

        Raises:
            ValueError: The lists are not of one length.
        """

    @staticmethod
    def of_no_answers(with_expected: bool, layout_plain: bool) -> Table:
        """Return the table of answers without a row; see `answers_of_files`."""

    @staticmethod
    def of_results(results: Results) -> Table:
        """Return the table of answers: a row an answer. Batches are made as they are read."""

    @staticmethod
    def of_items(dataset: Dataset, layout_plain: bool) -> Table:
        """Return the table of items: a row an item. Batches are made as they are read."""

    @staticmethod
    def of_joined(results: Results, dataset: Dataset) -> Table | list[Problem]:
        """Return answers with the right ones beside them: a row for each question of each item.

        Returns:
            The table, or why the results do not fit the data set.
        """

    def __len__(self) -> int:
        """Return the number of rows."""

    def column_names(self) -> list[str]:
        """Return the names of the columns, in their order."""

    def each_batch(self, on_batch: Callable[[TableBatch], object]) -> None:
        """Hand the rows on, up to 65,536 at a time; what `on_batch` raises ends it."""

    def csv_header(self) -> str:
        """Return the names of the columns as a line of comma-separated values."""

    def __arrow_c_schema__(self) -> object:
        """Return the columns as a capsule of Arrow's Python protocol."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as a capsule of Arrow's Python protocol.

        Args:
            requested_schema: What the reader would like. Tables of results and items lay text out
                as it says (at length or in a dictionary); nothing else is followed.

        Raises:
            ValueError: The requested schema is not of so many columns.
        """

@final
class TableBatch:
    """Some rows of a table in Arrow's layout; `pyarrow.record_batch(batch)` reads it."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def csv_rows(self) -> str:
        """Return the rows as lines of comma-separated values after RFC 4180."""

    def __arrow_c_schema__(self) -> object:
        """Return the columns as a capsule of Arrow's Python protocol."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Return the columns and the rows as capsules of Arrow's Python protocol."""

def answers_of_files(
    results_path: str | PathLike[str],
    dataset_path: str | PathLike[str] | None,
    threads: int,
    layout_plain: bool,
    on_batch: Callable[[TableBatch], object],
) -> tuple[str, list[Problem]] | None:
    """Hand the table of answers of a results file on, without holding the file.

    Args:
        results_path: The results file.
        dataset_path: The data set file, for right answers beside those of the model; or None.
        threads: Threads that read; 0 for one on each core.
        layout_plain: Whether text is laid out the same way in every batch.
        on_batch: Called with each batch in turn. What it raises ends the reading.

    Returns:
        None; or what has problems (`results`, `dataset` or `fit`) and its problems, told behind
        the batches that came before them.

    Raises:
        OSError: A file is missing or cannot be read.
    """

@final
class CaseFile:
    """A file of cases: `json`, `jsonl`, `yaml`; or `yaml-document`, any document as the only case.

    A load gives the file and what is wrong with its text: pairs of the case (counted from 0; None
    for the file as a whole) and a problem `(line, code, path, byte, message)`. What a case may
    hold is not checked here.
    """

    @staticmethod
    def load(
        path: PathLike[str] | str, file_format: str
    ) -> tuple[CaseFile, list[tuple[int | None, Problem]]]:
        """Read a file. A regular file of lines is not held in memory.

        Raises:
            OSError: The file is missing or cannot be read.
        """

    @staticmethod
    def parse(data: bytes, file_format: str) -> tuple[CaseFile, list[tuple[int | None, Problem]]]:
        """Read a file that is in memory."""

    def __len__(self) -> int: ...
    def line(self, case: int) -> int:
        """Return the line that a case starts on, counted from 1.

        Raises:
            IndexError: There is no such case.
        """

    def json(self, case: int) -> bytes:
        """Return the text of a case as JSON; empty where it could not be read.

        Raises:
            OSError: The file can no longer be read.
        """

    def lines(self, case: int, path: Sequence[str | int]) -> tuple[int, int]:
        """Return the lines of the value that a path in a case leads to.

        The first is where it starts with its key, the second where it starts itself. A path that
        ends early gives the lines of the last value that it reaches.
        """

def report_from_objects(
    results: Results, dataset: Dataset, prices_json: bytes | None
) -> bytes | list[Problem]:
    """Make `report.json` from objects: the same bytes as from their files.

    Args:
        results: The results.
        dataset: The data set that the run was over.
        prices_json: Prices as JSON, or None.

    Returns:
        The report, or why the results do not fit the data set.
    """

def calibration(
    confidence: Buffer, correct: Buffer, bins: int
) -> tuple[
    int,
    int,
    float | None,
    float | None,
    float | None,
    list[tuple[float, float, int, int, float | None, float | None]],
    list[tuple[float, float, int, int, float | None, float | None]],
    list[tuple[int, int]],
]:
    """Work out how well confidences are calibrated.

    Returns:
        The number of answers, how many are right, the calibration error over bins of equal mass
        and of equal width, the signed bias, the bins of both kinds (lower, upper, count, correct,
        mean confidence, accuracy), and what each threshold covers and gets right.

    Raises:
        TypeError: A column is no buffer of its type.
        ValueError: A column holds a wrong value, or the two do not fit together.
    """

@type_check_only
class Limits(Protocol):
    """How a file is validated."""

    @property
    def threads(self) -> int:
        """Threads that check lines; 0 for one on each core."""

    @property
    def memory(self) -> int:
        """Bytes of memory that ids may take before they move to a temporary file."""

    @property
    def most_problems(self) -> int | None:
        """How many problems are told; all are counted."""

    @property
    def chunk(self) -> int | None:
        """Bytes that are handed to a thread at once."""

@final
class Source:
    """What is read, from its start to its end, once. Ctrl-C ends every wait for it."""

    @staticmethod
    def open(path: str | PathLike[str]) -> Source:
        """Open a file, which may be a pipe or compressed.

        Raises:
            OSError: It is missing or cannot be read.
        """

    @staticmethod
    def stdin() -> Source:
        """Read the standard input of the process from where it stands."""

    @staticmethod
    def of(stream: SupportsRead) -> Source:
        """Read a binary stream from where it stands."""

    def first_line(self) -> bytes:
        """Return the first line that is not blank, or its start where it is long, and keep it.

        Raises:
            OSError: The input cannot be read.
        """

    def read(self) -> bytes:
        """Return everything, decompressed.

        Raises:
            OSError: The input cannot be read.
        """

    def validate(
        self,
        form: str,
        before: str,
        limits: Limits,
        on_problems: Callable[[bytes], object] | Callable[[list[Problem]], object],
        on_progress: Callable[[int, int], object] | None,
    ) -> tuple[int, int, int, int]:
        """Find every problem of a decision data set, in the order of its lines.

        Args:
            form: `objects` (lists of problems), `text` (rendered lines) or `json` (rendered
                objects, each behind a comma and a line break).
            before: What stands in front of a rendered line, or the first members of an object,
                each with a comma behind it.
            limits: How it is done.
            on_problems: Called with each batch of problems as it is found.
            on_progress: Called every 50 ms with the bytes and the lines that were checked.

        Returns:
            Lines, items (lines without a problem), problems and bytes.

        Raises:
            OSError: The input cannot be read, or the ids find no room on the disk.
        """

    def validate_results(self) -> tuple[tuple[int, int, int, int], list[Problem]]:
        """Find every problem of a results file.

        Returns:
            Lines, items (item lines without a problem), problems and bytes; and the problems.

        Raises:
            OSError: The input cannot be read.
        """
