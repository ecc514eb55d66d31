"""Files of tables: CSV, which is written here, and Parquet and Arrow, which pyarrow writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from minos.errors import ConfigError

if TYPE_CHECKING:
    from minos._native import Table, TableBatch


class TableFormat(StrEnum):
    """What a table is written as."""

    PARQUET = "parquet"
    CSV = "csv"
    ARROW = "arrow"

    @classmethod
    def of_name(cls, name: str | PurePath) -> TableFormat:
        """Return the format that a file's name ends in.

        Raises:
            ConfigError: It ends in none.
        """
        suffix = PurePath(name).suffix.lower().removeprefix(".")
        try:
            return cls(suffix)
        except ValueError:
            known = ", ".join(f".{known}" for known in cls)
            raise ConfigError(
                f"{name} does not say what to write: the name must end in one of {known}"
            ) from None


class TableWriter(Protocol):
    """Takes the rows of one table."""

    def write(self, batch: TableBatch) -> None:
        """Add rows.

        Raises:
            OSError: The file cannot be written.
        """


def check_writable(table_format: TableFormat) -> None:
    """Check that a format can be written here, before anything is read.

    Raises:
        ConfigError: The package that writes it is not installed.
    """
    if table_format is not TableFormat.CSV:
        _pyarrow("")


@contextmanager
def table_writer(
    file: BinaryIO, table_format: TableFormat, columns: Table
) -> Iterator[TableWriter]:
    """Begin a table in a file, and end it.

    Args:
        file: Where it goes.
        table_format: What it is written as.
        columns: A table with the same columns; its rows are not written.

    Raises:
        ConfigError: The package that writes the format is not installed.
        OSError: The file cannot be written.
    """
    if table_format is TableFormat.CSV:
        file.write(columns.csv_header().encode())
        yield _CsvWriter(file)
        return
    arrow = _pyarrow("")
    schema = arrow.schema(columns)
    if table_format is TableFormat.PARQUET:
        opened = _pyarrow(".parquet").ParquetWriter(file, schema, compression="zstd")
    else:
        opened = arrow.ipc.new_file(file, schema)
    with opened:
        yield _ArrowWriter(opened, arrow)


class _CsvWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, batch: TableBatch) -> None:
        self._file.write(batch.csv_rows().encode())


class _ArrowWriter:
    def __init__(self, writer: Any, arrow: Any) -> None:  # noqa: ANN401
        self._writer = writer
        self._arrow = arrow

    def write(self, batch: TableBatch) -> None:
        self._writer.write_batch(self._arrow.record_batch(batch))


def _pyarrow(part: str) -> Any:  # noqa: ANN401
    """Return pyarrow or a part of it, which is an extra without types."""
    try:
        return import_module(f"pyarrow{part}")
    except ImportError as error:
        raise ConfigError(
            "Parquet and Arrow files need the package pyarrow",
            hint="pip install 'minos-eval[parquet]', or write a .csv",
        ) from error
