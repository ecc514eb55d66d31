"""Data sets as a user loads, reads and saves them."""

from __future__ import annotations

import copy
import gc
import gzip
import io
import os
import pickle
import stat
from decimal import Decimal

import pytest
import zstandard
from tests.decision_lines import EXAMPLE, line

from minos.answers import ExpectedAnswer
from minos.decisions.dataset import DecisionDataset
from minos.errors import ProblemsError
from minos.outcome import Err, Ok
from minos.questions import Criterion, QuestionKind


def parse(*lines):
    return DecisionDataset.parse("\n".join(lines)).unwrap()


def told(outcome):
    return [(problem.line, problem.code, problem.byte) for problem in outcome.problems]


class TestItems:
    def test_the_example_line(self):
        [item] = parse(EXAMPLE)
        assert item.id == "msg-1"
        assert item.line == 1
        assert item.state == "My card was meant to arrive last week and nothing has come."
        assert item.state_json == b'"My card was meant to arrive last week and nothing has come."'
        assert list(item.questions) == ["topic", "urgent", "mood"]
        assert item.questions["topic"].options["lost_or_stolen_card"] is None
        assert item.questions["mood"].levels[2] == Criterion("angry")
        assert item.questions["urgent"].kind is QuestionKind.NOUL
        assert item.expected == {
            "topic": ExpectedAnswer.choice("card_arrival"),
            "urgent": ExpectedAnswer.noul(False),
            "mood": ExpectedAnswer.score(1),
        }
        assert list(item.expected) == ["topic", "urgent", "mood"]
        assert item.source == "support/2026-10#1"
        assert repr(item) == "DatasetItem(id='msg-1', line=1)"

    def test_what_is_left_out(self):
        [item] = parse(line())
        assert item.source is None
        assert item.expected == {}

    def test_nothing_can_be_changed(self):
        dataset = parse(line(state='{"a":[1]}'))
        item = dataset[0]
        with pytest.raises(TypeError):
            item.expected["q"] = ExpectedAnswer.noul(True)
        with pytest.raises(AttributeError):
            item.id = "b"
        with pytest.raises(TypeError):
            dataset[0] = item
        item.state["a"].append(2)
        assert item.state == {"a": [1]}

    def test_escapes_are_read(self):
        [item] = parse(line(id='é"\\\n😀', state=r'"\u00e9\ud83d\ude00\/"'))
        assert item.id == 'é"\\\n😀'
        assert item.state == "é😀/"
        assert item.state_json == rb'"\u00e9\ud83d\ude00\/"'

    def test_minus_zero_is_level_0(self):
        text = EXAMPLE.replace('"mood":1', '"mood":-0')
        assert parse(text)[0].expected["mood"] == ExpectedAnswer.score(0)

    @pytest.mark.parametrize(
        ("literal", "value"),
        [
            ("0", 0),
            ("-0", 0),
            ("12345678901234567890123", 12345678901234567890123),
            ("1.5", 1.5),
            ("-0.0", -0.0),
            ("1e3", 1000.0),
            ("1e400", Decimal("1e400")),
            ("-1e999999", Decimal("-1e999999")),
            ("1e-400", 0.0),
            ("0.1", 0.1),
            ("9007199254740992.0", 9007199254740992.0),
            ("9007199254740993.0", Decimal(9007199254740993)),
            ("9007199254740993e0", Decimal(9007199254740993)),
            ("4503599627370497.25", 4503599627370497.25),
            ("1e22", 1e22),
            ("1e23", 1e23),
            ("100000000000000000000001.0", Decimal(100000000000000000000001)),
            ("9" * 5000, Decimal("9" * 5000)),
        ],
    )
    def test_numbers_keep_their_value(self, literal, value):
        [item] = parse(line(state=f"[{literal}]"))
        [number] = item.state
        assert number == value
        assert type(number) is type(value)
        assert item.state_json == f"[{literal}]".encode()

    def test_a_number_beyond_decimal_is_still_json(self):
        [item] = parse(line(state="[1e99999999999999999999]"))
        assert item.state_json == b"[1e99999999999999999999]"
        with pytest.raises(OverflowError, match="use the JSON as it was read"):
            _ = item.state

    def test_equality_looks_at_everything_but_the_line(self):
        first, second = parse(line("a"))[0], parse("", line("a"))[0]
        assert (first.line, second.line) == (1, 2)
        assert first == second
        assert hash(first) == hash(second)
        for other in (line("b"), line("a", state="[]"), line("a").replace("Is it", "Was it")):
            assert first != parse(other)[0]
        with_answer = line("a").replace('"expected":{}', '"expected":{"q":true}')
        assert first != parse(with_answer)[0]
        assert first != "a"


class TestQuestionSets:
    def test_equal_sets_are_one_object(self):
        spaced = line("b").replace(":", ": ")
        described = line("c", questions='{"q":{"instructions":"Is it?","type":"noul"}}')
        dataset = parse(line("a"), spaced, described)
        assert spaced != line("b")
        assert dataset[0].questions is dataset[1].questions is dataset[2].questions
        assert dataset[1:][0].questions is dataset[0].questions

    def test_a_criterion_of_text_alone_is_plain_text(self):
        questions = (
            '{"c":{"type":"choice","instructions":"x","criteria":{"a":{"description":"A",'
            '"examples":[],"not_for":[]},"b":{"examples":["e"],"description":"B"},"n":null}},'
            '"n":{"type":"noul","instructions":{"a" : [1.50, "é"]},"criteria":{}},'
            '"s":{"type":"noul","instructions":"x","criteria":{"false":"f","true":["t"]}}}'
        )
        [item] = parse(line(questions=questions))
        assert item.questions.json == (
            b'{"c":{"type":"choice","instructions":"x","criteria":{"a":"A",'
            b'"b":{"description":"B","examples":["e"]},"n":null}},'
            b'"n":{"type":"noul","instructions":{"a":[1.50,"\\u00e9"]}},'
            b'"s":{"type":"noul","instructions":"x","criteria":{"true":["t"],"false":"f"}}}'
        )
        assert item.questions["c"].options["b"] == Criterion("B", ("e",))
        assert item.questions.warnings == ()

    def test_many_sets_stay_one_object_while_they_are_held(self):
        count = 3000
        questions = '{{"q{}":{{"type":"noul","instructions":"Is it?"}}}}'
        dataset = parse(*(line(str(n), questions=questions.format(n)) for n in range(count)))
        held = [item.questions for item in dataset]
        assert len(set(map(id, held))) == count
        assert all(item.questions is kept for item, kept in zip(dataset, held, strict=True))


class TestSequence:
    def test_index_slice_and_iteration(self):
        dataset = parse(*map(line, "abcde"))
        assert len(dataset) == 5
        assert dataset[-1].id == "e"
        assert [item.id for item in dataset[1:4]] == ["b", "c", "d"]
        assert [item.id for item in dataset[::-2]] == ["e", "c", "a"]
        assert [item.line for item in dataset[3:]] == [4, 5]
        assert dataset[2] in dataset
        assert dataset.index(dataset[2]) == 2
        with pytest.raises(IndexError):
            dataset[5]
        assert repr(dataset) == "DecisionDataset(5 items)"

    def test_a_slice_outlives_its_data_set(self):
        part = parse(*map(line, "abc"))[1:]
        gc.collect()
        assert [item.id for item in part] == ["b", "c"]
        assert part[0].questions["q"].instructions == "Is it?"

    def test_data_sets_compare_by_their_items(self):
        first, second = parse(line("a"), line("b")), parse(line("a"), "", line("b"))
        assert first == second
        assert hash(first) == hash(second)
        assert first != first[:1]
        assert first != [first[0], first[1]]

    def test_empty(self):
        for text in ("", "\n \t\r\n", "\ufeff", b"", b"\xef\xbb\xbf"):
            dataset = DecisionDataset.parse(text).unwrap()
            assert len(dataset) == 0
            assert list(dataset) == []
            assert list(dataset[:]) == []

    def test_it_is_no_value_to_pickle(self):
        dataset = parse(line())
        with pytest.raises(TypeError, match="a DecisionDataset is not pickled: save it, and load"):
            pickle.dumps(dataset)
        with pytest.raises(TypeError, match="a DatasetItem is not pickled: pass its id"):
            pickle.dumps(dataset[0])
        assert copy.deepcopy({"held": dataset})["held"] is copy.copy(dataset) is dataset
        questions = dataset[0].questions
        assert pickle.loads(pickle.dumps(questions)) == questions  # noqa: S301


class TestLoad:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
    def test_compression_is_known_by_the_first_bytes(self, tmp_path, pack):
        path = tmp_path / "support.data"
        path.write_bytes(pack(EXAMPLE.encode()))
        for source in (path, str(path), io.BytesIO(path.read_bytes())):
            match DecisionDataset.load(source):
                case Ok(value=dataset):
                    assert dataset == parse(EXAMPLE)
                case Err():
                    pytest.fail("the example has no problem")
        with path.open("rb") as file:
            assert len(DecisionDataset.load(file).unwrap()) == 1

    @pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
    def test_truncated_data_cannot_be_read(self, tmp_path, pack):
        path = tmp_path / "cut.jsonl"
        lines = "\n".join(line(str(number)) for number in range(1000))
        path.write_bytes(pack(lines.encode())[:-20])
        with pytest.raises(OSError, match=r"cut\.jsonl: unreadable: the (gzip|zstd) data ends"):
            DecisionDataset.load(path)
        with pytest.raises(OSError, match="unreadable"):
            DecisionDataset.load(io.BytesIO(path.read_bytes()))

    def test_a_plain_file_that_is_cut_has_problems(self, tmp_path):
        path = tmp_path / "cut.jsonl"
        path.write_text(f"{EXAMPLE}\n{EXAMPLE[:100]}")
        outcome = DecisionDataset.load(path)
        assert told(outcome) == [(2, "invalid-json", 100)]
        with pytest.raises(ProblemsError, match=r"cut\.jsonl: line 2: The line is"):
            outcome.unwrap()

    def test_what_cannot_be_opened_raises(self, tmp_path):
        with pytest.raises(FileNotFoundError) as raised:
            DecisionDataset.load(tmp_path / "missing.jsonl")
        assert raised.value.filename == str(tmp_path / "missing.jsonl")
        with pytest.raises(IsADirectoryError):
            DecisionDataset.load(tmp_path)

    def test_what_a_stream_raises_comes_through(self):
        class Broken(io.RawIOBase):
            def read(self, _size=-1):
                raise ConnectionResetError("gone")

        with pytest.raises(ConnectionResetError, match="gone"):
            DecisionDataset.load(Broken())

    def test_a_stream_of_a_compressed_file_raises_its_own_error(self):
        data = gzip.compress(os.urandom(1_000_000))

        class Broken(io.BytesIO):
            def read(self, size=-1):
                if self.tell() > 300_000:
                    raise KeyError("mine")
                return super().read(size)

        with pytest.raises(KeyError, match="mine"):
            DecisionDataset.load(Broken(data))

    def test_a_text_stream_is_refused(self):
        with pytest.raises(TypeError, match="must be binary"):
            DecisionDataset.load(io.StringIO(EXAMPLE))

    def test_a_stream_may_give_less_than_it_is_asked_for(self):
        class Slow(io.BytesIO):
            def read(self, size=-1):
                return super().read(min(size, 7))

        data = f"{line('a')}\r\n{line('b')}\r{line('c')}".encode()
        assert [item.line for item in DecisionDataset.load(Slow(data)).unwrap()] == [1, 2, 3]

    def test_a_stream_is_read_from_where_it_stands(self):
        stream = io.BytesIO(f"# a title\n{EXAMPLE}".encode())
        stream.readline()
        assert DecisionDataset.load(stream).unwrap() == parse(EXAMPLE)


class TestParse:
    def test_bytes_of_any_kind(self):
        data = EXAMPLE.encode()
        for each in (data, bytearray(data), memoryview(data)):
            assert DecisionDataset.parse(each).unwrap() == parse(EXAMPLE)

    def test_a_surrogate_in_text_is_no_unicode(self):
        texts = [
            ('"\ud800"', 1),
            ('{"id":"é\udfff', 9),
            ("]\ud83d\ude00", 1),
            ("\ufeff\ud800", 0),
            ('{"id":"\\ud800 \ud800"}', 14),
        ]
        for text, byte in texts:
            outcome = DecisionDataset.parse(f"{text}\n{line()}")
            assert told(outcome) == [(1, "invalid-unicode", byte)]
            assert outcome.problems[0].message == (
                f"The line is not valid Unicode: unpaired surrogate at byte {byte}."
            )

    def test_one_mark_at_the_start_is_skipped(self):
        assert len(parse("\ufeff" + line())) == 1
        assert told(DecisionDataset.parse("\ufeff\ufeff" + line())) == [(1, "invalid-json", 0)]
        assert told(DecisionDataset.parse(b"\xef\xbb\xbf{")) == [(1, "invalid-json", 1)]

    def test_problems_of_many_lines_come_in_order(self):
        texts = [line("a"), "x", line("a"), line("b").replace("noul", "bool"), line("b")]
        outcome = DecisionDataset.parse("\n".join(texts))
        assert [(p.line, p.code) for p in outcome.problems] == [
            (2, "invalid-json"),
            (3, "duplicate-id"),
            (4, "invalid-member"),
            (5, "duplicate-id"),
        ]
        assert outcome.problems[3].message == "'id' 'b' is already used on line 4."
        assert not outcome.is_ok


class TestSave:
    def test_lines_are_written_as_they_were_read(self, tmp_path):
        path = tmp_path / "out.jsonl"
        spaced = line("b").replace(":", " : ")
        parse(line("a"), "", f"  {spaced}\t").save(path)
        assert path.read_text() == f"{line('a')}\n  {spaced}\t\n"
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst"])
    def test_a_slice_comes_back(self, tmp_path, name):
        dataset = parse(*map(line, "abcdef"))[::-2]
        dataset.save(tmp_path / name)
        assert DecisionDataset.load(tmp_path / name).unwrap() == dataset

    def test_compressed_by_name(self, tmp_path):
        dataset = parse(EXAMPLE)
        dataset.save(tmp_path / "a.gz")
        dataset.save(str(tmp_path / "a.zst"))
        text = f"{EXAMPLE}\n".encode()
        assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == text
        opened = zstandard.open(tmp_path / "a.zst", "rb")
        with opened as file:
            assert file.read() == text

    def test_a_file_is_replaced_with_its_permissions(self, tmp_path):
        path = tmp_path / "out.jsonl"
        path.write_text("old")
        path.chmod(0o640)
        link = tmp_path / "link.jsonl"
        link.symlink_to(path)
        parse(EXAMPLE).save(link)
        assert link.is_symlink()
        assert path.read_text() == f"{EXAMPLE}\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o640

    def test_what_cannot_be_written_raises_and_leaves_nothing(self, tmp_path):
        dataset = parse(EXAMPLE)
        with pytest.raises(FileNotFoundError):
            dataset.save(tmp_path / "missing" / "out.jsonl")
        with pytest.raises(OSError, match="directory"):
            dataset.save(tmp_path)
        assert list(tmp_path.iterdir()) == []
