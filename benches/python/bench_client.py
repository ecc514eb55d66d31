"""How many requests a second a client makes, and what each takes of the processor, over loopback.

Run with `python benches/python/bench_client.py` after
`cargo build --release -p minos-bench-server`. It needs the packages of the group `test`.
"""

import argparse
import asyncio
import gc
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import httpx
import httpx2
import openai
import typesafe_sdk

from minos.decisions import DatasetRunOptions, DecisionDataset, DirectoryRun
from minos.providers import DecisionClient, DecisionClientOptions, ProviderName
from minos.questions import QuestionSet
from minos.request import DecisionRequest

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "target" / "release" / "minos-bench-server"

STATE = "Is my booking to Rome still on? I have to know before the day after tomorrow."
QUESTIONS = {
    "intent": {
        "type": "choice",
        "instructions": "What does the writer want?",
        "criteria": {
            "look_up_booking": "To know about a booking",
            "change_booking": "To change a booking",
            "dispute_charge": "To dispute a charge",
            "other": None,
        },
    },
    "travels_soon": {"type": "noul", "instructions": "Does the writer travel within a day?"},
}
BODY = json.dumps({"state": STATE, "model": "jev-latest", "questions": QUESTIONS}).encode()
HEADERS = {"authorization": "Bearer sk-bench", "content-type": "application/json"}
OPENAI_QUESTIONS = [
    {
        "type": "choice",
        "name": "intent",
        "instructions": QUESTIONS["intent"]["instructions"],
        "choices": [
            {"value": name} if text is None else {"value": name, "description": text}
            for name, text in QUESTIONS["intent"]["criteria"].items()
        ],
    },
    {
        "type": "predicate",
        "name": "travels_soon",
        "instructions": QUESTIONS["travels_soon"]["instructions"],
    },
]


def checked(noul, choice):
    assert (noul, choice) == (0.86, "look_up_booking")


def now():
    """The time on the wall, and the time of the processor that this process has had; seconds."""
    return time.perf_counter(), time.process_time()


def since(started):
    wall, processor = now()
    return wall - started[0], processor - started[1]


async def in_slots(slots, requests, ask):
    """Send requests, so many at a time; `ask` is given the number of its slot."""

    async def work(slot):
        for _ in range(requests // slots):
            await ask(slot)

    await asyncio.gather(*(work(slot) for slot in range(slots)))


async def raw(library, url, slots, requests, *, shared):
    clients = [library.AsyncClient(verify=False) for _ in range(1 if shared else slots)]

    async def ask(slot):
        client = clients[0 if shared else slot]
        response = await client.post(f"{url}v1/systemone", content=BODY, headers=HEADERS)
        answers = json.loads(response.content)["answers"]
        checked(answers["travels_soon"]["noul"], answers["intent"]["choice"])

    async def timed():
        await in_slots(slots, slots * 3, ask)
        started = now()
        await in_slots(slots, requests, ask)
        return since(started)

    try:
        return await timed()
    finally:
        for client in clients:
            await client.aclose()


def options_of(url):
    return DecisionClientOptions(
        provider=ProviderName.CUSTOM, base_address=url, model="jev-latest", max_retries=0
    )


async def minos_client(url, slots, requests):
    client = DecisionClient(options_of(url))
    rendered = json.dumps(QUESTIONS, separators=(",", ":")).encode()
    request = DecisionRequest(json.dumps(STATE).encode(), QuestionSet(rendered))

    async def ask(_slot):
        answers = (await client.decide(request)).answers
        checked(answers["travels_soon"].probability, answers["intent"].option)

    await in_slots(slots, slots * 3, ask)
    started = now()
    await in_slots(slots, requests, ask)
    elapsed = since(started)
    await client.aclose()
    return elapsed


async def minos_run(url, slots, requests):
    """The whole runner: queue, journal, results in order."""

    def dataset(count):
        lines = (
            json.dumps({"id": f"i{n}", "state": STATE, "questions": QUESTIONS, "expected": {}})
            for n in range(count)
        )
        return DecisionDataset.parse("\n".join(lines)).unwrap()

    client = DecisionClient(options_of(url))
    options = DatasetRunOptions(max_parallelism=slots)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "warm").mkdir()
        (Path(folder) / "timed").mkdir()
        await DirectoryRun(client, dataset(slots * 3), Path(folder) / "warm", options).run()
        items = dataset(requests)
        started = now()
        run = DirectoryRun(client, items, Path(folder) / "timed", options)
        ending = await run.run()
        elapsed = since(started)
        assert (ending.done, ending.errors) == (requests, 0)
    await client.aclose()
    return elapsed


async def typesafe(url, slots, requests):
    client = typesafe_sdk.AsyncTypeSafeClient(
        api_key="sk-bench", base_url=url.rstrip("/"), compression=False
    )

    async def ask(_slot):
        answers = (await client.system_one(STATE, QUESTIONS)).answers
        checked(answers["travels_soon"].noul, answers["intent"].choice)

    await in_slots(slots, slots * 3, ask)
    started = now()
    await in_slots(slots, requests, ask)
    elapsed = since(started)
    await client.aclose()
    return elapsed


async def openai_sdk(url, slots, requests):
    client = openai.AsyncOpenAI(api_key="sk-bench", base_url=f"{url}v1", max_retries=0)

    async def ask(_slot):
        answers = (
            await client.decisions.create(
                model="gpt-6-luna", input=STATE, questions=OPENAI_QUESTIONS
            )
        ).answers
        checked(answers[1].probability, answers[0].choice)

    await in_slots(slots, slots * 3, ask)
    started = now()
    await in_slots(slots, requests, ask)
    elapsed = since(started)
    await client.close()
    return elapsed


CLIENTS = {
    "httpx, one shared client": lambda *a: raw(httpx, *a, shared=True),
    "httpx, a client per slot": lambda *a: raw(httpx, *a, shared=False),
    "httpx2, one shared client": lambda *a: raw(httpx2, *a, shared=True),
    "httpx2, a client per slot": lambda *a: raw(httpx2, *a, shared=False),
    "minos, the client": minos_client,
    "minos, a run with its journal": minos_run,
    "typesafe-sdk": typesafe,
    "openai": openai_sdk,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2048, help="requests of a timed run")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the median is told")
    parser.add_argument("--slots", type=int, nargs="*", default=[1, 16, 128])
    given = parser.parse_args()
    server = subprocess.Popen([SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/"
        measured = {name: {slots: [] for slots in given.slots} for name in CLIENTS}
        for _ in range(given.rounds):  # clients take turns, so that a slow moment hits them all
            for slots in given.slots:
                for name, client in CLIENTS.items():
                    gc.collect()
                    spent = asyncio.run(client(url, slots, given.requests))
                    made = given.requests // slots * slots
                    measured[name][slots].append([seconds / made for seconds in spent])
    finally:
        server.stdin.close()
        server.wait()
    header = " | ".join(f"{slots} in flight" for slots in given.slots)
    print(f"| client | {header} | CPU ms a request, each |")
    print(f"|---|{'---|' * (len(given.slots) + 1)}")
    for name, by_slots in measured.items():
        medians = [map(statistics.median, zip(*by_slots[slots], strict=True)) for slots in by_slots]
        walls, processors = zip(*medians, strict=True)
        rates = " | ".join(f"{1 / wall:,.0f}/s" for wall in walls)
        spent = " / ".join(f"{1000 * seconds:.2f}" for seconds in processors)
        print(f"| {name} | {rates} | {spent} |")


if __name__ == "__main__":
    main()
