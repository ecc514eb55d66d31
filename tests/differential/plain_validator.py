"""A plain, complete validator of decision data sets: the oracle of the native reader.

It is written from the description of the format, line by line and check by check, with nothing
that makes it fast.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.differential.plain_json import Fault, Members, Number, is_blank, lines, parse

LONGEST = 256 * 1024 * 1024
# What Unicode calls white space.
BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
ITEM = ("id", "state", "questions", "expected", "source", "version")
QUESTION = ("type", "instructions", "criteria")
SIDES = ("true", "false")
CRITERION = ("description", "examples", "not_for")
LEVEL_COUNT = (
    "A Score question has fewer than 2 or more than 10 levels, outside the API's guidance."
)
BLANK = "empty or whitespace, or an empty JSON object or array."


class Told(NamedTuple):
    """A problem."""

    line: int
    code: str
    path: str
    byte: int | None
    message: str


def validate(file: bytes | str) -> tuple[int, list[Told]]:
    """Give the number of lines that are items without a problem, and every problem."""
    is_text = isinstance(file, str)
    data = file.encode(errors="surrogatepass") if isinstance(file, str) else file
    problems: list[Told] = []
    first_lines: dict[str, int] = {}
    items = 0
    for number, text in enumerate(lines(data), 1):
        if is_blank(text):
            continue
        line = _Line(number)
        used = line.check(text, is_text=is_text)
        if used is not None:
            if used in first_lines:
                message = f"'id' '{used}' is already used on line {first_lines[used]}."
                line.add("duplicate-id", "id", message)
            else:
                first_lines[used] = number
        items += not line.told
        problems += line.told
    return items, problems


class _Line:
    """The findings of one line."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.told: list[Told] = []

    def add(self, code: str, path: str, message: str, byte: int | None = None) -> None:
        self.told.append(Told(self.number, code, path, byte, message))

    def must_be(self, path: str, what: str, code: str = "invalid-member") -> None:
        self.add(code, path, f"'{path}' must be {what}.")

    def missing(self, path: str) -> None:
        self.add("missing-member", path, f"'{path}' is required.")

    def rule(self, code: str, key: str, text: str) -> None:
        self.add(code, f"questions.{key}", f"{code} 'questions.{key}': {text}")

    def unknown(
        self, members: dict[str, object], known: tuple[str, ...], path: str, of: str
    ) -> None:
        for name in members:
            if name not in known:
                place = f"{path}.{name}" if path else name
                message = f"'{place}' is not a member of the format: {of}."
                self.add("unknown-member", place, message)

    def check(self, text: bytes, *, is_text: bool) -> str | None:
        """Check everything but whether the id is used; give the id where it takes part in that."""
        if len(text) > LONGEST:
            self.add("too-long", "", "The line is longer than 256 MiB.")
            return None
        if is_text:
            try:
                text.decode()
            except UnicodeDecodeError as fault:
                message = (
                    f"The line is not valid Unicode: unpaired surrogate at byte {fault.start}."
                )
                self.add("invalid-unicode", "", message, fault.start)
                return None
        try:
            item = parse(text)
        except Fault as fault:
            self.add(fault.code, "", fault.message, fault.byte)
            return None
        if not isinstance(item, Members):
            self.add("not-an-object", "", "The line must be a JSON object.")
            return None
        version = item.first().get("version")
        if isinstance(version, Number) and version.is_whole and version.text != "1":
            message = (
                f"This file uses dataset format version {version.text}; "
                "this loader reads version 1."
            )
            self.add("unsupported-version", "version", message)
            return None
        self.check_repeats(item)
        return self.check_item(item.first())

    def check_repeats(self, item: Members) -> None:
        for path in dict.fromkeys(repeats(item)):
            self.add("duplicate-member", path, f"'{path}' appears more than once.")

    def check_item(self, item: dict[str, object]) -> str | None:
        known = "an item has id, state, questions, expected, source and version"
        self.unknown(item, ITEM, "", known)
        identity = item.get("id")
        if "id" not in item:
            self.missing("id")
        elif not isinstance(identity, str) or identity == "":
            self.must_be("id", "a non-empty string")
        if "state" not in item:
            self.missing("state")
        elif not is_content(item["state"]):
            self.must_be("state", "a string, an object or an array")
        asked = self.check_questions(item)
        self.check_expected(item, asked)
        if "source" in item and not isinstance(item["source"], str):
            self.must_be("source", "a string")
        version = item.get("version", Number("1"))
        if not (isinstance(version, Number) and version.text == "1"):
            self.add("invalid-version", "version", "'version' must be the number 1.")
        return identity if isinstance(identity, str) and identity else None

    def check_questions(self, item: dict[str, object]) -> dict[str, object] | None:
        """Give what can be answered to each question: None where that is not known."""
        if "questions" not in item:
            self.missing("questions")
            return None
        questions = item["questions"]
        if not isinstance(questions, Members) or not questions.pairs:
            self.must_be("questions", "an object with at least one question")
            return None
        return {key: self.check_question(key, asked) for key, asked in questions.first().items()}

    def check_question(self, key: str, value: object) -> object:
        path = f"questions.{key}"
        if key == "":
            self.rule("MIN106", key, "The question key is empty.")
        if not isinstance(value, Members):
            self.must_be(path, "an object")
            return None
        question = value.first()
        known = "a question has type, instructions and criteria"
        self.unknown(question, QUESTION, path, known)
        kind = question.get("type")
        if "type" not in question:
            self.missing(f"{path}.type")
        elif kind not in ("noul", "choice", "score"):
            self.must_be(f"{path}.type", "noul, choice or score")
        instructions = question.get("instructions")
        if "instructions" not in question:
            self.missing(f"{path}.instructions")
        elif not is_content(instructions):
            self.must_be(f"{path}.instructions", "a string, an object or an array")
        elif is_blank_content(instructions):
            self.rule("MIN003", key, f"The instructions are {BLANK}")
        answers = self.check_criteria(key, kind, question)
        self.check_depth(key, "The instructions", instructions)
        criteria = question.get("criteria")
        if kind == "noul" and isinstance(criteria, Members):
            self.check_depth(key, "What a yes answer means", criteria.first().get("true"))
            self.check_depth(key, "What a no answer means", criteria.first().get("false"))
        return answers

    def check_criteria(self, key: str, kind: object, question: dict[str, object]) -> object:
        path = f"questions.{key}.criteria"
        criteria = question.get("criteria")
        match kind:
            case "noul":
                if "criteria" in question:
                    self.check_sides(key, path, criteria)
                return "noul"
            case "choice" | "score" if "criteria" not in question:
                self.missing(path)
            case "choice":
                return self.check_options(key, path, criteria)
            case "score":
                return self.check_levels(key, path, criteria)
        return None

    def check_depth(self, key: str, what: str, content: object) -> None:
        if depth(content) > 60:
            self.rule("MIN108", key, f"{what} of '{key}' nests deeper than 60 levels.")

    def check_sides(self, key: str, path: str, criteria: object) -> None:
        if not isinstance(criteria, Members):
            self.must_be(path, "an object with the members true and false")
            return
        sides = criteria.first()
        self.unknown(sides, SIDES, path, "the criteria of a noul have true and false")
        for name, answer in (("true", "yes"), ("false", "no")):
            if name not in sides:
                continue
            if not is_content(sides[name]):
                self.must_be(f"{path}.{name}", "a string, an object or an array")
            elif is_blank_content(sides[name]):
                self.rule("MIN003", key, f"What a {answer} answer means is {BLANK}")

    def check_options(self, key: str, path: str, criteria: object) -> object:
        if not isinstance(criteria, Members):
            self.must_be(path, "an object of options")
            return None
        options = criteria.first()
        if not options:
            self.rule("MIN001", key, "A Choice question needs at least one option.")
            return None
        if len(options) > 255:
            text = "A Choice question has more than 255 options, beyond the API's guidance."
            self.rule("MIN005", key, text)
        for name, meaning in options.items():
            if name == "":
                self.rule("MIN106", key, f"An option key of '{key}' is empty.")
            if meaning is not None:
                what = "null, a string or a criterion object"
                self.check_meaning(key, name, f"{path}.{name}", meaning, what)
        return list(options)

    def check_levels(self, key: str, path: str, criteria: object) -> object:
        if not isinstance(criteria, list):
            self.must_be(path, "an array of levels, lowest first")
            return None
        if not criteria:
            self.rule("MIN002", key, "A Score question needs at least one level.")
            return None
        if not 2 <= len(criteria) <= 10:
            self.rule("MIN005", key, LEVEL_COUNT)
        for index, meaning in enumerate(criteria):
            what = "a string or a criterion object"
            self.check_meaning(key, str(index), f"{path}[{index}]", meaning, what)
        return len(criteria)

    def check_meaning(self, key: str, name: str, path: str, meaning: object, what: str) -> None:
        blank = f"The description of '{name}' in '{key}' is {BLANK}"
        if isinstance(meaning, str):
            if is_blank_text(meaning):
                self.rule("MIN003", key, blank)
            return
        if not isinstance(meaning, Members):
            self.must_be(path, what)
            return
        criterion = meaning.first()
        known = "a criterion has description, examples and not_for"
        self.unknown(criterion, CRITERION, path, known)
        description = criterion.get("description")
        if "description" not in criterion:
            self.missing(f"{path}.description")
        elif isinstance(description, list | Members):
            what = "a string: an object or array is not part of version 1"
            self.must_be(f"{path}.description", what)
        elif not isinstance(description, str):
            self.must_be(f"{path}.description", "a string")
        entries = self.check_entries(path, criterion)
        if isinstance(description, str) and is_blank_text(description):
            self.rule("MIN003", key, blank)
        if any(is_blank_text(entry) for entry in entries):
            entry = f"An example or not-for entry of '{name}' in '{key}'"
            self.rule("MIN003", key, f"{entry} is null, empty or whitespace.")

    def check_entries(self, path: str, criterion: dict[str, object]) -> list[str]:
        """Give the entries that are text."""
        entries: list[str] = []
        for name in ("examples", "not_for"):
            listed = criterion.get(name, [])
            is_list = isinstance(listed, list)
            texts = [each for each in listed if isinstance(each, str)] if is_list else []
            if not is_list or len(texts) < len(listed):
                self.must_be(f"{path}.{name}", "an array of strings")
            entries += texts
        return entries

    def check_expected(self, item: dict[str, object], asked: dict[str, object] | None) -> None:
        if "expected" not in item:
            self.missing("expected")
            return
        expected = item["expected"]
        if not isinstance(expected, Members):
            self.must_be("expected", "an object of right answers by question")
            return
        if asked is None:
            return
        for key, answer in expected.first().items():
            path = f"expected.{key}"
            if key not in asked:
                message = f"'{path}' names no question: the questions are {listed(list(asked))}."
                self.add("unknown-question", path, message)
                continue
            wanted = what_is_wanted(answer, asked[key])
            if wanted is not None:
                self.must_be(path, wanted, "invalid-expected")


def what_is_wanted(answer: object, answers: object) -> str | None:
    """Say what an answer would have to be, where it is not that."""
    match answers:
        case "noul":
            return None if answer is True or answer is False else "true or false"
        case list() as options:
            return None if answer in options else f"one of the options: {listed(options)}"
        case int() as levels:
            known = {"-0", *map(str, range(levels))}
            is_level = isinstance(answer, Number) and answer.text in known
            return None if is_level else f"a level from 0 to {levels - 1}"
        case _:
            return None


def repeats(value: object, path: str | None = None) -> list[str]:
    """Give the path of every member whose name was used before, where the repeat stands."""
    found = []
    if isinstance(value, Members):
        seen = set()
        for name, inner in value.pairs:
            place = name if path is None else f"{path}.{name}"
            if name in seen:
                found.append(place)
            seen.add(name)
            found += repeats(inner, place)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += repeats(inner, f"{path or ''}[{index}]")
    return found


def listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:10])
    return f"{shown} and {len(names) - 10} more" if len(names) > 10 else shown


def is_content(value: object) -> bool:
    return isinstance(value, str | list | Members)


def is_blank_text(text: str) -> bool:
    return text.strip(BLANKS) == ""


def is_blank_content(value: object) -> bool:
    if isinstance(value, str):
        return is_blank_text(value)
    return value == [] or (isinstance(value, Members) and not value.pairs)


def depth(value: object) -> int:
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    if isinstance(value, Members):
        return 1 + max((depth(inner) for _, inner in value.pairs), default=0)
    return 0
