"""`minos init`: makes example data sets and a policy to start from."""

from __future__ import annotations

from pathlib import Path

import click

from minos.cli.command import Command
from minos.cli.options import quiet_option
from minos.cli.output import Output

_JSON = """\
[
  {
    "input": "What is the return policy?",
    "actual_output": "You can return an item within 30 days with a receipt.",
    "metadata": {"category": "returns"},
    "expected": {
      "contains_all": ["30 days", "receipt"],
      "not_contains": ["no returns"]
    }
  },
  {
    "input": "How long does shipping take?",
    "actual_output": "Shipping takes 3 to 5 business days.",
    "metadata": {"category": "shipping"},
    "expected": {
      "regex": "\\\\d+ (to|-) \\\\d+ business days",
      "max_length": 200
    }
  }
]
"""
_YAML = """\
# Each case is put to your application, and its answer is held against what is expected of it.
# Without an application the answers that stand here are taken (actual_output).
- input:
    question: Can I return an opened laptop?
    customer_tier: gold
  evaluation_input: Can I return an opened laptop?
  actual_output: Yes. Gold customers can return opened laptops within 14 days.
  metadata:
    category: returns
  expected:
    contains: 14 days
    contains_any:
      - "Yes"
      - you can

- input: When are you open?
  actual_output: We are open Monday to Saturday, 9 am to 6 pm.
  metadata:
    category: hours
  expected:
    contains_all:
      - Monday
      - 9 am
    word_count:
      max: 30
"""
_POLICY = """\
# minos eval --config minos-policy.yaml
version: 1
datasets:
  - tests/evals/datasets/example.json
  - tests/evals/datasets/example.yaml
sampling:
  repeat: 1
  pass_rule: all
gates:
  overall:
    threshold: 0.9
  groups:
    by: category
    threshold: 0.8
"""
_FILES = {
    "tests/evals/datasets/example.json": _JSON,
    "tests/evals/datasets/example.yaml": _YAML,
    "minos-policy.yaml": _POLICY,
}


@click.command(
    cls=Command, examples=["minos init", "minos init && minos eval --config minos-policy.yaml"]
)
@quiet_option
def command(*, quiet: bool) -> None:
    """Make example data sets and a policy to start from.

    They go to tests/evals/datasets and minos-policy.yaml. Files that are there are kept.
    What is made passes as it is, without a model.
    """
    output = Output("init", quiet=quiet)
    for name, text in _FILES.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except FileExistsError:
            output.say(f"kept    {path}")
        else:
            output.say(f"created {path}")
    output.say("next: minos eval --config minos-policy.yaml")
