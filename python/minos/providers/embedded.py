"""A small model inside this process: no network, no key, no cost."""

from __future__ import annotations

import json
from typing import Any, Protocol

from anyio import to_thread

from minos.answers import AnswerRecord
from minos.errors import ConfigError, DecisionError, DecisionErrorKind
from minos.providers.strict_json import UnreadableError
from minos.providers.systemone import read_answers
from minos.request import DecisionRequest, DecisionResponse


class _Model(Protocol):
    """What is used of `sparrow_decider.Decider`, which has no types of its own."""

    name: str

    def ask(self, state: object, questions: dict[str, Any]) -> dict[str, Any]: ...


class Embedded:
    """A decision provider over the models of the package `sparrow-decider`.

    It is there to try minos out and to test with: answers come in about a millisecond for each
    question and are always the same. They are what `sparrow-decider serve` answers over the wire.

    Attributes:
        name: The name of the provider's section.
        model: The model in full, such as `sparrow-nano-general-v1.1`.
        is_free: Always true.

    Example:
        >>> provider = Embedded()
        >>> provider.model
        'sparrow-nano-general-v1.1'
    """

    def __init__(self, model: str | None = None, *, name: str = "embedded") -> None:
        """Load the model.

        Args:
            model: The name of a model (`nano-robot`), or a `.sparrow` file; the package's general
                model when left out.
            name: The name of the provider's section.

        Raises:
            ConfigError: The package is not installed, or it has no such model.
        """
        self._decider = _load(model)
        self.name = name
        self.model: str = self._decider.name
        self.is_free = True

    async def decide(self, request: DecisionRequest) -> DecisionResponse:
        """Answer one request, in a thread.

        The cost is 0; tokens are not counted.

        Raises:
            DecisionError: `Unsupported` when the model refuses a question, such as a choice of
                one option.
        """
        answers = await to_thread.run_sync(self._ask, request)
        return DecisionResponse(answers, model=self.model, cost_usd=0.0)

    def _ask(self, request: DecisionRequest) -> dict[str, AnswerRecord]:
        try:
            state = json.loads(request.state_json)
            given = self._decider.ask(state, json.loads(request.questions.json))
        except (KeyError, TypeError, ValueError) as error:
            refusal = f"{self.name} cannot be asked this: {error}"
            raise DecisionError(DecisionErrorKind.UNSUPPORTED, refusal, tries=0) from error
        try:
            return read_answers(given, request.questions)
        except UnreadableError as error:
            raise DecisionError(DecisionErrorKind.INVALID_RESPONSE, str(error)) from error


def _load(model: str | None) -> _Model:
    try:
        from sparrow_decider import Decider  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            "the embedded model needs the package sparrow-decider",
            hint="pip install 'minos-eval[embedded]'",
        ) from error
    try:
        loaded: _Model = Decider.load(model)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no embedded model {model!r}", hint=str(error)) from error
    return loaded
