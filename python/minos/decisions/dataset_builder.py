"""Decision data sets made in Python, under the same rules as files."""

from __future__ import annotations

from collections.abc import Mapping

from minos.answers import ExpectedAnswer
from minos.content import content_to_json
from minos.decisions.dataset import DecisionDataset
from minos.outcome import Outcome
from minos.questions import Content, QuestionSet


class DecisionDatasetBuilder:
    """Collects items as lines and reads them as a file is read.

    Example:
        >>> from minos.decisions.dataset_builder import DecisionDatasetBuilder
        >>> from minos.question_builder import QuestionSetBuilder
        >>> questions = QuestionSetBuilder().noul("urgent", "Must we act today?").build().unwrap()
        >>> builder = DecisionDatasetBuilder()
        >>> builder.add("m1", "Where is my card?", questions, {"urgent": False})
        >>> builder.build().unwrap()
        DecisionDataset(1 items)
    """

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(
        self,
        id: str,  # noqa: A002 - the name of the member
        state: Content,
        questions: QuestionSet,
        expected: Mapping[str, ExpectedAnswer | bool | str | int],
        *,
        source: str | None = None,
    ) -> None:
        """Add an item; it is checked when the data set is built.

        Args:
            id: The id, unique in the data set and not empty.
            state: What the questions are about: text, or JSON as a mapping or list.
            questions: At least one question. What its rules warn of is a problem here.
            expected: The right answers by question key: yes or no, the key of an option, or the
                index of a level from 0.
            source: Where the item came from.

        Raises:
            TypeError: A value has a type that JSON has not.
            ValueError: A number is not finite, or the state nests deeper than 512 levels.
        """
        answers = {
            key: answer.value if isinstance(answer, ExpectedAnswer) else answer
            for key, answer in expected.items()
        }
        line = (
            f'{{"id":{content_to_json(id)},"state":{content_to_json(state)},'
            f'"questions":{questions.json.decode()},"expected":{content_to_json(answers)}'
        )
        if source is not None:
            line += f',"source":{content_to_json(source)}'
        self._lines.append(line + ',"version":1}')

    def build(self) -> Outcome[DecisionDataset]:
        """Read the items.

        Returns:
            The data set, or every problem; item `i`, counted from 0, is line `i + 1`.
        """
        return DecisionDataset.parse("\n".join(self._lines))
