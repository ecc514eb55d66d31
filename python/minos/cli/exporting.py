"""How `minos export` reads a table and writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path

import click

from minos._native import Source, Table, TableBatch, answers_of_files
from minos.cli.failures import InputError, reading
from minos.cli.found import found_results
from minos.cli.output import Output
from minos.cli.own_files import own_file
from minos.cli.validation import beginning_of, kind_of
from minos.cli.written import new_file
from minos.decisions.dataset import DecisionDataset
from minos.decisions.report import CalibrationReport
from minos.decisions.table_files import TableFormat, TableWriter, check_writable, table_writer
from minos.errors import ConfigError, ProblemsError
from minos.problems import DatasetProblem, DatasetProblems


class _WriteError(Exception):
    """A file that cannot be written, told apart from one that cannot be read."""

    def __init__(self, cause: OSError) -> None:
        self.cause = cause
        super().__init__(cause)


@dataclass(slots=True, kw_only=True)
class Export:
    """One table from one input to one file.

    Attributes:
        input_path: A results file, the directory of a run, or a data set.
        dataset_path: The data set of the results; None where right answers are not asked for.
        out: The file to write.
        table: `answers`, `items`, `bins` or `sweep`; None for what the input holds.
        threads: Threads that read; 0 for one on each core.
    """

    input_path: Path
    dataset_path: Path | None
    out: Path
    table: str | None
    threads: int

    def check(self, *, overwrite: bool) -> None:
        """Refuse what cannot be done, before anything is read.

        Raises:
            ConfigError: The file is there already or is one that is read, its name says no
                format, or the package that writes it is missing.
            UsageError: A report's table is asked for without a data set, or a data set of a data
                set.
        """
        check_writable(TableFormat.of_name(self.out))
        if self.out.exists() and not overwrite:
            raise ConfigError(
                f"{self.out} is there already", hint="--overwrite replaces it, or name another file"
            )
        if self.out.exists() and any(map(self.out.samefile, self._inputs())):
            raise ConfigError(f"{self.out} is the file that is read", hint="name another file")
        if self.table in {"bins", "sweep"} and self.dataset_path is None:
            raise click.UsageError(f"--table {self.table} needs --dataset: it is of a report")
        if self.table == "items" and self.dataset_path is not None:
            raise click.UsageError("--table items is of a data set: it needs no --dataset")

    def _inputs(self) -> Iterable[Path]:
        return filter(None, (self.input_path, self.dataset_path))

    def run(self, output: Output) -> None:
        """Write the file and say what it holds.

        Raises:
            InputError: The input cannot be read.
            OSError: The file cannot be written.
            ProblemsError: The input has problems; the file is not made.
        """
        with found_results(self.input_path, output) as path:
            self.input_path = path
            self._export(output)

    def _export(self, output: Output) -> None:
        table = self.table or self._table_of_input()
        columns, read = self._reader(table)
        rows = 0
        with new_file(self.out) as file:
            table_format = TableFormat.of_name(self.out)
            with table_writer(file, table_format, columns) as writer:

                def write(batch: TableBatch) -> None:
                    nonlocal rows
                    rows += len(batch)
                    self._write(writer, batch)

                try:
                    read(write)
                except _WriteError as error:
                    raise error.cause from None
        output.wrote(self.out)
        names = columns.column_names()
        output.say(f"{table}: {rows} rows, {len(names)} columns")
        output.finish({"table": table, "format": table_format, "rows": rows, "columns": names})

    def _table_of_input(self) -> str:
        if self.dataset_path is not None or not self.input_path.is_file():
            return "answers"
        with reading(self.input_path):
            own = own_file(beginning_of(str(self.input_path)))
            kind = kind_of(Source.open(self.input_path).first_line(), otherwise="decisions")
        if own is not None:
            raise InputError(f"{self.input_path} is {own.what}, which has no table", hint=own.hint)
        return "items" if kind == "decisions" else "answers"

    def _reader(self, table: str) -> tuple[Table, Callable[[Callable[[TableBatch], None]], None]]:
        """Return the columns of a table, and what hands its rows on."""
        if table == "answers":
            columns = Table.of_no_answers(self.dataset_path is not None, layout_plain=True)
            return columns, self._read_answers
        made = self._items() if table == "items" else self._figures(table)
        return made, made.each_batch

    def _read_answers(self, write: Callable[[TableBatch], None]) -> None:
        with reading():
            wrong = answers_of_files(
                self.input_path,
                self.dataset_path,
                self.threads,
                layout_plain=True,
                on_batch=write,
            )
        if wrong is None:
            return
        what, problems = wrong
        titles = {
            "results": f"{self.input_path}",
            "dataset": f"{self.dataset_path}",
            "fit": f"{self.input_path} does not fit {self.dataset_path}",
        }
        raise ProblemsError(_told(problems), titles[what])

    def _items(self) -> Table:
        with reading(self.input_path):
            dataset = DecisionDataset.load(self.input_path).unwrap()
        return Table.of_items(dataset.to_native(), layout_plain=True)

    def _figures(self, table: str) -> Table:
        if self.dataset_path is None:
            raise AssertionError("`check` asks for it")
        with reading():
            report = CalibrationReport.from_files(
                self.input_path, self.dataset_path, threads=self.threads
            ).unwrap()
        return report.bins_table() if table == "bins" else report.sweep_table()

    def _write(self, writer: TableWriter, batch: TableBatch) -> None:
        try:
            writer.write(batch)
        except OSError as error:
            told = OSError(error.errno or 0, error.strerror or str(error), str(self.out))
            raise _WriteError(told) from error


def _told(problems: Iterable[tuple[int, str, str, int | None, str]]) -> DatasetProblems:
    return DatasetProblems(starmap(DatasetProblem, problems))
