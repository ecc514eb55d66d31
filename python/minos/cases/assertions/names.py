"""Names of earlier versions, and the name that somebody may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_RENAMED = {
    "bias": "no_bias",
    "toxicity": "no_toxicity",
    "harmful": "no_harmful_content",
    "pii": "no_pii",
    "policy_violation": "no_policy_violation",
    "hijacked": "no_hijacking",
    "prompt_extracted": "no_prompt_extraction",
    "excessive_agency": "no_excessive_agency",
    "imitation": "no_imitation",
}
_REMOVED = {
    "hallucination": "use faithful",
    "hallucinated": "use faithful",
    "jailbreak": "use no_harmful_content, no_policy_violation or no_imitation",
    "max_tokens": "use word_count or max_length",
    "is_url": "use regex",
    "is_email": "use regex",
}


def advice(name: str, known: Iterable[str]) -> str:
    """Say what to write in place of an unknown assertion, in words that end a sentence.

    Returns:
        Words that begin with a colon or a semicolon, and the end of the sentence.
    """
    if name in _RENAMED:
        return f": it is called {_RENAMED[name]} now."
    if name in _REMOVED:
        return f": it is no longer there, {_REMOVED[name]}."
    return meant(name, known)


def meant(name: str, known: Iterable[str]) -> str:
    """Say which known name is nearest to one, and end the sentence."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else "."
