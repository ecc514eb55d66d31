"""The languages of the wires: how each is spoken to, and a right answer in each."""

from dataclasses import dataclass

from tests.unit.providers import test_cloudflare, test_openai
from tests.unit.providers.asked import QUESTIONS, response

from minos.providers import ProviderName, WireFormat


@dataclass(frozen=True)
class Dialect:
    """How a provider is spoken to.

    Attributes:
        options: The options of its client.
        base: What follows the address of the server.
        body: A right answer to the questions that the tests share.
        holder: Where the answers and the usage are: the members on the way there.
    """

    options: dict[str, object]
    body: dict[str, object]
    base: str = ""
    holder: tuple[str, ...] = ()

    def held(self, body):
        for name in self.holder:
            body = body[name]
        return body

    def answer_to(self, body, key):
        """The answer to a question, as it stands in a body that was read."""
        answers = self.held(body)["answers"]
        if isinstance(answers, dict):
            return answers[key]
        if len(answers) == len(QUESTIONS):
            return answers[list(QUESTIONS).index(key)]
        (answer,) = (answer for answer in answers if answer["name"] == key)
        return answer


SYSTEM_ONE = response(usage={"input_tokens": 371, "output_tokens": 54, "cost": 0.25})

DIALECTS = {
    "Custom": Dialect({"provider": ProviderName.CUSTOM, "model": "m"}, SYSTEM_ONE),
    "TypeSafe": Dialect({"provider": ProviderName.TYPESAFE}, SYSTEM_ONE),
    "OpenRouter": Dialect(
        {"provider": ProviderName.OPENROUTER},
        {**SYSTEM_ONE, "id": "gen-dec-1", "provider": "TypeSafe"},
        base="api",
    ),
    "OpenAI": Dialect({"provider": ProviderName.OPENAI}, test_openai.response(), base="v1"),
    "Custom in OpenAI's words": Dialect(
        {"provider": ProviderName.CUSTOM, "model": "m", "format": WireFormat.OPENAI},
        test_openai.response(),
    ),
    "Cloudflare": Dialect(
        {"provider": ProviderName.CLOUDFLARE, "account_id": "0a1b"},
        test_cloudflare.wrapped(SYSTEM_ONE),
        holder=("result",),
    ),
}
