"""Write decision data sets and results files of any size, from a seed.

    python benches/python/generate.py --bytes 200M --questions different > different.jsonl
    python benches/python/generate.py --items 1000000 --results results.jsonl > items.jsonl
    python benches/python/generate.py --items 22222222 --tails 1000 --digits 2 --states short \\
        --out dataset.fifo --results results.fifo

Lines are put together from rendered pieces, so that a file of many gigabytes can be made as fast as
it is read and need not lie on a disk. The pieces are chosen so that the default file looks like
collected data: lines of 1.8 kB (10% below 1.2, 90% below 2.5), half of them ASCII alone, one in
twenty written with `\\uXXXX` escapes, a quarter with an object as its state, 3 to 6 questions of
all kinds.

With `--tails` whole lines but for their ids are rendered beforehand, and again and again chosen
from: a million items a second, for two pipes that something reads at once.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

WORDS = (
    "the a to of and is was my card order has not come yet please check why it still shows pending "
    "I paid on Monday for two items but only one arrived box open refund account balance wrong "
    "transfer bank letter code app login error again after update customer asked agent replied "
    "today tomorrow urgent thanks delivery address changed number missing street late package"
)
WIDE_WORDS = (
    "bestellung größe überweisung façade élève naïve señor coração żółć привет заказ карта "
    "доставка номер 注文 配送 番号 返金 订单 退款 账户 地址 한국어 배송 환불 مرحبا طلب 😀 🚚"
)
VOCABULARY = (WORDS.split(), WIDE_WORDS.split())
KINDS = ("choice", "noul", "score")
POOL = 3000
"""How many pieces of each sort there are; what is chosen from them hardly repeats in a line."""
BLOCK = 1000
"""How many quick lines are written at once."""


Record = Callable[[random.Random], bytes]


@dataclass(frozen=True, slots=True)
class Piece:
    """A rendered question.

    Attributes:
        member: The question as a member of `questions`.
        key: Its key, rendered.
        answers: The right answers it can have, rendered.
        record: Renders an answer of a results file.
    """

    member: bytes
    key: bytes
    answers: tuple[bytes, ...]
    record: Record


def text(rng: random.Random, length: int, *, wide: bool) -> str:
    """Return words of about `length` bytes."""
    words = VOCABULARY[wide]
    parts: list[str] = []
    size = 0
    while size < length:
        word = rng.choice(words)
        parts.append(word)
        size += len(word.encode()) + 1
    return " ".join(parts)


def name(rng: random.Random, number: int) -> str:
    """Return a key that `number` makes unique."""
    return f"{rng.choice(VOCABULARY[0])}_{rng.choice(VOCABULARY[0])}_{number}"


def rendered(value: object, *, escaped: bool) -> bytes:
    """Return compact JSON."""
    return json.dumps(value, ensure_ascii=escaped, separators=(",", ":")).encode()


def criterion(rng: random.Random, *, wide: bool) -> object:
    """Return the description of an option or a level."""
    described = text(rng, rng.randint(10, 45), wide=wide)
    if rng.random() < 0.85:
        return described
    entries = [text(rng, rng.randint(8, 30), wide=wide) for _ in range(rng.randint(1, 3))]
    return {"description": described, rng.choice(("examples", "not_for")): entries}


def question(rng: random.Random, number: int, digits: int, *, wide: bool, escaped: bool) -> Piece:
    """Return one question of a random kind."""
    kind = rng.choice(KINDS)
    key = name(rng, number)
    asked: dict[str, object] = {
        "type": kind,
        "instructions": text(rng, rng.randint(20, 70), wide=wide),
    }
    if kind == "choice":
        names = [name(rng, i) for i in range(rng.randint(2, 6))]
        asked["criteria"] = {
            option: None if rng.random() < 0.2 else criterion(rng, wide=wide) for option in names
        }
        answers = tuple(rendered(option, escaped=escaped) for option in names)
    elif kind == "score":
        levels = [criterion(rng, wide=wide) for _ in range(rng.randint(2, 6))]
        asked["criteria"] = levels
        answers = tuple(str(level).encode() for level in range(len(levels)))
    else:
        if rng.random() < 0.5:
            asked["criteria"] = {"true": text(rng, 40, wide=wide), "false": {"when": ["later"]}}
        answers = (b"true", b"false")
    member = rendered(key, escaped=escaped) + b":" + rendered(asked, escaped=escaped)
    record = RECORDS[kind](answers, digits)
    return Piece(member, rendered(key, escaped=escaped), answers, record)


def spread(rng: random.Random, count: int, chosen: int) -> list[float]:
    """Return probabilities that sum to 1, with that of `chosen` above all others."""
    weights = [rng.random() for _ in range(count)]
    weights[chosen] += 1 + rng.random() * count
    total = sum(weights)
    return [weight / total for weight in weights]


def noul_record(answers: tuple[bytes, ...], digits: int) -> Record:
    """Render answers to a noul."""
    del answers
    return lambda rng: b'{"type":"noul","probability":%.*g}' % (digits, rng.random())


def choice_record(answers: tuple[bytes, ...], digits: int) -> Record:
    """Render answers to a choice, with a probability for each option."""

    def record(rng: random.Random) -> bytes:
        chosen = rng.randrange(len(answers))
        shares = spread(rng, len(answers), chosen)
        members = [
            b"%s:%.*g" % (name, digits, share) for name, share in zip(answers, shares, strict=True)
        ]
        return b'{"type":"choice","choice":%s,"confidence":%.*g,"probabilities":{%s}}' % (
            answers[chosen], digits, shares[chosen], b",".join(members),
        )  # fmt: skip

    return record


def score_record(answers: tuple[bytes, ...], digits: int) -> Record:
    """Render answers to a score, with a probability for each level."""

    def record(rng: random.Random) -> bytes:
        chosen = rng.randrange(len(answers))
        shares = spread(rng, len(answers), chosen)
        mean = sum(level * share for level, share in enumerate(shares))
        return b'{"type":"score","level":%d,"confidence":%.*g,"expectedLevel":%.*g,%s}' % (
            chosen, digits, shares[chosen], digits, mean,
            b'"probabilities":[%s]' % b",".join([b"%.*g" % (digits, share) for share in shares]),
        )  # fmt: skip

    return record


RECORDS = {"noul": noul_record, "choice": choice_record, "score": score_record}


@dataclass(frozen=True, slots=True)
class Pieces:
    """What lines of one sort of text are put together from."""

    states: list[bytes]
    questions: list[Piece]


def pieces(rng: random.Random, options: argparse.Namespace, *, wide: bool, escaped: bool) -> Pieces:
    """Return the pieces of one sort of text."""
    shortest, longest = {"short": (20, 120), "long": (4000, 12000), "usual": (60, 700)}[
        options.states
    ]
    states = []
    for _ in range(POOL):
        message = text(rng, rng.randint(shortest, longest), wide=wide)
        state: object = message
        if rng.random() < 0.25:
            count = rng.randint(1, 6)
            state = {"message": message, "order": {"id": rng.randrange(10**6), "paid": True}}
            state["lines"] = [{"sku": f"s{i}", "price": rng.random()} for i in range(count)]
        states.append(rendered(state, escaped=escaped))
    asked = [
        question(rng, number, options.digits, wide=wide, escaped=escaped) for number in range(POOL)
    ]
    return Pieces(states, asked)


Ends = tuple[bytes, bytes]
"""What follows the id in a line of the data set and in one of a results file."""


def ends(rng: random.Random, state: bytes, asked: list[Piece], *, results: bool) -> Ends:
    """Return the ends of two lines."""
    questions = b",".join([piece.member for piece in asked])
    expected = b",".join([piece.key + b":" + rng.choice(piece.answers) for piece in asked])
    line = b'","state":%s,"questions":{%s},"expected":{%s}}\n' % (state, questions, expected)
    answers = b""
    if results:
        answers = b",".join([piece.key + b":" + piece.record(rng) for piece in asked])
        answers = b'","answers":{%s},"latencyMs":%.2f}\n' % (answers, rng.random() * 900)
    return line, answers


def all_ends(options: argparse.Namespace) -> Iterator[Ends]:
    """Yield the ends of lines, without end."""
    rng = random.Random(options.seed)
    sorts = {
        "ascii": [(False, False, 1.0)],
        "wide": [(True, False, 1.0)],
        "escaped": [(True, True, 1.0)],
        "usual": [(False, False, 0.53), (True, False, 0.42), (True, True, 0.05)],
    }[options.text]
    pools = [pieces(rng, options, wide=wide, escaped=escaped) for wide, escaped, _ in sorts]
    weights = [weight for _, _, weight in sorts]
    sets = [
        [rng.sample(pool.questions, rng.randint(3, 6)) for _ in range(options.sets)]
        for pool in pools
    ]
    while True:
        chosen = rng.choices(range(len(pools)), weights)[0] if len(pools) > 1 else 0
        pool = pools[chosen]
        if options.questions == "repeated":
            asked = rng.choice(sets[chosen])
        else:
            asked = rng.sample(pool.questions, rng.randint(3, 6))
        state = pool.states[rng.randrange(POOL)]
        yield ends(rng, state, asked, results=options.results is not None)


def items(options: argparse.Namespace) -> Iterator[Ends]:
    """Yield lines of the data set and of a results file: one, or where they are quick, many."""
    rng = random.Random(options.seed)
    if options.tails:
        known = list(itertools.islice(all_ends(options), options.tails))
        for first in range(1, options.items + 1, BLOCK):
            block = range(first, min(first + BLOCK, options.items + 1))
            chosen = rng.choices(known, k=len(block))
            heads = [b'{"id":"msg-%d' % number for number in block]
            yield (
                b"".join([head + end[0] for head, end in zip(heads, chosen, strict=True)]),
                b"".join([head + end[1] for head, end in zip(heads, chosen, strict=True)]),
            )
        return
    for number, (line, answers) in enumerate(all_ends(options), start=1):
        head = b'{"id":"msg-%d' % number
        whole = head + line
        if options.broken and rng.random() < options.broken:
            whole = BREAKS[number % len(BREAKS)](whole)
        yield whole, head + answers
        if number == options.items:
            return


BREAKS: tuple[Callable[[bytes], bytes], ...] = (
    lambda line: line.replace(b'"expected"', b'"expect"'),
    lambda line: line.replace(b'"state":', b'"state" ', 1),
    lambda line: line[: len(line) // 2] + b"\n",
    lambda line: line.replace(b"card", b"c\xffrd", 1),
    lambda line: line.replace(b'"type"', b'"typ"', 1),
    lambda line: line.replace(b'"id":"msg', b'"id":1,"id":"msg', 1),
    lambda line: line.replace(b'"id":"', b'"id":"\\ud800', 1),
    lambda line: line.replace(b"}}\n", b',"nowhere":true}}\n'),
)
"""Ways to break a line: names, grammar, an early end, UTF-8, rules, repeats, escapes."""

UNITS = {"k": 10**3, "M": 10**6, "G": 10**9}


def size(value: str) -> int:
    """Read a number of bytes such as `200M`."""
    unit = UNITS.get(value[-1:], 1)
    return int(float(value.rstrip("kMG")) * unit)


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=size, default=0, help="size of the data set, such as 200M")
    parser.add_argument("--items", type=int, default=0, help="number of lines, instead of a size")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--questions", choices=("repeated", "different"), default="different")
    parser.add_argument("--sets", type=int, default=1, help="how many question sets repeat")
    parser.add_argument("--states", choices=("usual", "short", "long"), default="usual")
    parser.add_argument("--text", choices=("usual", "ascii", "wide", "escaped"), default="usual")
    parser.add_argument("--broken", type=float, default=0.0, help="share of broken lines")
    parser.add_argument("--digits", type=int, default=16, help="digits of each probability")
    parser.add_argument("--tails", type=int, default=0, help="put --items together from so many")
    parser.add_argument("--results", type=Path, help="write a results file for the items here")
    parser.add_argument("--out", type=Path, help="write the data set here instead of to stdout")
    options = parser.parse_args(arguments)
    if not options.bytes and not options.items:
        parser.error("give --bytes or --items")
    if options.tails and (options.bytes or options.broken):
        parser.error("--tails goes with --items, and without --broken")
    return options


def write(options: argparse.Namespace, out: BinaryIO, results: BinaryIO | None) -> None:
    """Write lines until the asked size or number is reached."""
    written = 0
    if results is not None:
        header = {"kind": "minos-results", "version": 1, "dataset": "generated", "provider": "none"}
        header |= {"model": "none", "startedAt": "2026-11-30T00:00:00.000Z"}
        results.write(rendered(header | {"itemCount": options.items}, escaped=True) + b"\n")
    for lines, answers in items(options):
        out.write(lines)
        if results is not None:
            results.write(answers)
        written += len(lines)
        if options.bytes and written >= options.bytes:
            return


def main() -> None:
    """Run the command."""
    options = parsed()
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(options.out.open("wb")) if options.out else sys.stdout.buffer
        results = stack.enter_context(options.results.open("wb")) if options.results else None
        write(options, out, results)


if __name__ == "__main__":
    main()
