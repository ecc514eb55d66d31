import asyncio
import json

import pytest
from tests.loopback import Drop, Reply, loopback
from tests.planted import PLANTED
from tests.servers import sparrow_decider_server

from minos import conformance
from minos.conformance import Verdict
from minos.conformance.rules import RULES
from minos.providers import (
    DecisionClient,
    DecisionClientOptions,
    ProviderName,
    Secret,
    WireFormat,
)
from minos.providers.embedded import Embedded


def hold(answer, *, thorough=False, **options):
    """Hold a server whose answers a function gives against the rules."""

    async def run():
        async with loopback() as server:
            server.otherwise = answer
            options_ = {
                "provider": ProviderName.CUSTOM,
                "base_address": server.url,
                "model": "m",
                "initial_backoff_s": 0.001,
                **options,
            }
            client = DecisionClient(DecisionClientOptions(**options_), name="mine")
            try:
                report = await conformance.check(client, thorough=thorough)
            finally:
                await client.aclose()
            return report, server.requests

    return asyncio.run(run())


def verdicts(report):
    return {check.name: check.verdict for check in report.checks}


def detail(report, name):
    (found,) = [check for check in report.checks if check.name == name]
    return found.detail


def plain_answer(question):
    match question["type"]:
        case "noul":
            return {"type": "noul", "noul": 0.9}
        case "choice":
            names = list(question["criteria"])
            even = 1 / len(names)
            probabilities = dict.fromkeys(names, even)
            return {
                "type": "choice",
                "choice": names[0],
                "probabilities": probabilities,
                "confidence": 0,
            }
        case _:
            count = len(question["criteria"])
            return {
                "type": "score",
                "score": (count - 1) / 2,
                "legend": {str(n): level for n, level in enumerate(question["criteria"])},
                "probabilities": {str(n): 1 / count for n in range(count)},
                "confidence": 0,
            }


def answer(sent, kinds=("noul", "choice", "score"), **members):
    try:
        document = sent.json
    except ValueError:
        return Reply(422, {"detail": "no JSON"})
    questions = document.get("questions")
    state = document.get("state")
    if not isinstance(questions, dict) or not questions or not isinstance(state, str | dict | list):
        return Reply(422, {"detail": "no request"})
    wanted = {"choice": dict, "score": list}
    for question in questions.values():
        kind = question.get("type")
        criteria = question.get("criteria")
        if kind not in kinds or (kind in wanted and not isinstance(criteria, wanted[kind])):
            return Reply(422, {"detail": "a kind that is not answered"})
        if kind == "choice" and not criteria:
            return Reply(422, {"detail": "no options"})
    answers = {key: plain_answer(question) for key, question in questions.items()}
    usage = {"input_tokens": 5, "output_tokens": 1}
    return Reply(body={"model": "m-1", "answers": answers, "usage": usage, **members})


def test_the_report_tells_of_every_rule_in_order():
    report, requests = hold(answer)
    assert [check.name for check in report.checks] == list(RULES)
    assert [check.rule for check in report.checks] == list(RULES.values())
    assert report.is_conformant
    assert len(requests) == len(report.exchanges) <= 8
    document = json.loads(report.to_json())
    assert (document["kind"], document["version"]) == ("minos-conformance", 1)
    assert (document["provider"], document["model"]) == ("mine", "m")
    counts = [document[name] for name in ("passed", "failed", "skipped")]
    assert sum(counts) == len(RULES)
    assert counts[1] == 0
    assert [check["verdict"] for check in document["checks"]].count("pass") == counts[0]
    first = document["exchanges"][0]
    assert (first["number"], first["statusCode"], first["fault"]) == (1, 200, None)
    assert json.loads(first["request"]) == requests[0].json
    assert first["headers"]["content-type"] == "application/json"


def test_a_server_of_nouls_alone_keeps_the_rules_as_far_as_they_go():
    report, requests = hold(lambda sent: answer(sent, kinds=("noul",)))
    assert report.is_conformant
    found = verdicts(report)
    assert found["noul-shape"] is found["array-state"] is Verdict.PASS
    assert detail(report, "kinds") == "answers noul"
    assert detail(report, "choice-shape") == "it answers no choice"
    assert detail(report, "legend") == "it answers no score"
    assert len(requests) <= 8


def test_a_kind_may_be_declined_in_the_answer():
    def decline(sent):
        reply = answer(sent)
        if reply.status == 200:
            for key, given in reply.body["answers"].items():
                if given["type"] == "score":
                    reply.body["answers"][key] = {"type": "unsupported"}
        return reply

    report, _ = hold(decline)
    assert report.is_conformant
    assert detail(report, "score-shape") == "a score is declined (type 'unsupported')"


def test_a_network_fault_before_any_answer_ends_it_with_every_check_skipped():
    report, requests = hold(Drop())
    assert set(verdicts(report).values()) == {Verdict.SKIP}
    assert report.fault.startswith("Network: ")
    assert not report.is_conformant
    assert len(requests) == 3
    assert [exchange.fault for exchange in report.exchanges] == [report.fault]
    assert report.fault in report.to_markdown()


def test_a_network_fault_later_fails_what_it_was_about():
    def drop_the_unicode(sent):
        return Drop() if "\\u65e9" in sent.body.decode() else answer(sent)

    report, _ = hold(drop_the_unicode)
    assert not report.fault
    assert verdicts(report)["unicode"] is Verdict.FAIL
    assert detail(report, "unicode").startswith("Network: ")


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_server_that_answers_nothing_fails_and_is_not_asked_on(status):
    report, requests = hold(Reply(status, {"error": "go away"}))
    assert verdicts(report)["answered"] is Verdict.FAIL
    hint = "a key is wanted, and none is configured: " if status == 401 else ""
    assert detail(report, "answered") == f'{hint}HTTP {status}: {{"error": "go away"}}'
    assert verdicts(report)["bearer-key"] is Verdict.SKIP
    assert len(requests) == 4


def test_what_a_provider_is_known_not_to_take_is_not_sent():
    def cloudflare(sent):
        reply = answer(sent)
        if reply.status == 200:
            reply.body = {"result": reply.body, "success": True, "errors": [], "messages": []}
        return reply

    report, requests = hold(
        cloudflare,
        thorough=True,
        provider=ProviderName.CLOUDFLARE,
        account_id="a",
        api_key=Secret("sk-cloudflare-1"),
    )
    found = verdicts(report)
    assert found["answered"] is found["options"] is found["legend"] is Verdict.PASS
    # It takes keys of letters and digits only; the first odd one is such a key.
    bodies = [sent.body.decode() for sent in requests]
    assert [body for body in bodies if '"order-2"' in body]
    assert not [body for body in bodies if '"two words"' in body]
    assert found["bad-key"] is Verdict.FAIL  # this server lets everybody in


def test_openai_is_held_against_the_same_rules():
    def openai(sent):
        asked = sent.json["questions"]
        if not asked:
            return Reply(400, {"error": {"message": "no", "type": "t"}})
        answers = []
        for question in asked:
            name = question["name"]
            match question["type"]:
                case "predicate":
                    answers.append({"type": "predicate", "name": name, "probability": 0.5})
                case "choice":
                    values = [choice["value"] for choice in question["choices"]]
                    p = [{"value": value, "probability": 1 / len(values)} for value in values]
                    answers.append(
                        {
                            "type": "choice",
                            "name": name,
                            "choice": values[0],
                            "confidence": 0,
                            "probabilities": p,
                        }
                    )
                case _:
                    labels = [level["label"] for level in question["levels"]]
                    p = [
                        {"value": n, "label": label, "probability": 1 / len(labels)}
                        for n, label in enumerate(labels)
                    ]
                    answers.append(
                        {
                            "type": "score",
                            "name": name,
                            "score": (len(labels) - 1) / 2,
                            "confidence": 0,
                            "probabilities": p,
                        }
                    )
        usage = {"input_tokens": 5, "output_tokens": 0, "total_tokens": 5}
        return Reply(body={"model": "gpt-6-luna", "answers": answers, "usage": usage})

    report, _ = hold(openai, thorough=True, format=WireFormat.OPENAI)
    failed = [check for check in report.checks if check.verdict is Verdict.FAIL]
    assert failed == []
    found = verdicts(report)
    assert found["legend"] is found["score-expected"] is found["unicode"] is Verdict.PASS
    assert detail(report, "unknown-kind") == "it does not speak System One"


def test_keys_are_nowhere_in_the_evidence(planted):
    def echo(sent):
        reply = answer(sent, note=dict(sent.headers))
        reply.headers = {"x-echo": sent.headers.get("authorization", ""), "set-cookie": "s3cr3t"}
        return reply

    report, requests = hold(echo, thorough=True, api_key=Secret(PLANTED))
    assert requests[0].headers["authorization"] == f"Bearer {PLANTED}"
    planted += [report, report.to_json(), report.to_markdown()]
    assert "s3cr3t" not in report.to_json()
    assert "x-echo" in report.to_json()


def test_long_bodies_are_cut_in_the_evidence():
    report, _ = hold(lambda sent: answer(sent, pad="x" * 100_000), thorough=True)
    assert max(len(exchange.body) for exchange in report.exchanges) == 4_001
    assert len(report.to_json()) < 1_000_000


def test_the_embedded_model_is_skipped():
    report = asyncio.run(conformance.check(Embedded()))
    assert set(verdicts(report).values()) == {Verdict.SKIP}
    assert detail(report, "answered") == "it is not asked over a wire"
    assert report.is_conformant


def test_sparrow_decider_deviates_as_is_known():
    async def run(url):
        options = DecisionClientOptions(provider=ProviderName.CUSTOM, base_address=url, model="any")
        client = DecisionClient(options)
        try:
            return await conformance.check(client, thorough=True)
        finally:
            await client.aclose()

    with sparrow_decider_server() as url:
        report = asyncio.run(run(url))
    failed = {check.name: check.detail for check in report.checks if check.verdict is Verdict.FAIL}
    assert set(failed) == {"usage", "invalid-request", "invalid-bodies"}
    assert failed["usage"] == "input_tokens is 0"
    assert failed["invalid-request"].startswith("HTTP 200: ")
