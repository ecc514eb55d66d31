"""What looks for the planted key finds it, wherever and however a test leaves it behind."""

import gzip
import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest
from tests.planted import PLANTED, Planted, shows_key

ESCAPED = "".join(f"\\u{ord(letter):04X}" for letter in PLANTED)

LEAKS = {
    "a file": "(tmp_path / 'x.json').write_text(PLANTED)",
    "a file without a suffix": "(tmp_path / 'x').write_text(PLANTED)",
    "a hidden file in a folder": (
        "(tmp_path / 'a').mkdir(); (tmp_path / 'a' / '.journal').write_text(PLANTED)"
    ),
    "a packed file": "(tmp_path / 'x.gz').write_bytes(gzip.compress(PLANTED.encode()))",
    "the name of a file": "(tmp_path / PLANTED.replace('/', '%2F')).touch()",
    "stdout": "print(PLANTED)",
    "stderr": "print(PLANTED, file=sys.stderr)",
    "output that is read": "print(PLANTED); capfd.readouterr()",
    "output that is not read": "os.write(2, PLANTED.encode())",
    "a log of minos": "logging.getLogger('minos.providers').debug('the key is %s', PLANTED)",
    "a log of another": "logging.getLogger('x').error('the key is %s', PLANTED)",
    "an error": "with suppress(ConfigError): raise ConfigError(PLANTED)",
    "a hint": "ConfigError('no', hint=PLANTED)",
    "the cause of an error": (
        "with suppress(ConfigError): raise ConfigError('no') from ValueError(PLANTED)"
    ),
    "the detail of an error": (
        "DecisionError(DecisionErrorKind.HTTP, 'no', detail={'a': [PLANTED]})"
    ),
    "an object": "planted.append({'key': PLANTED})",
    "the environment of the test": "planted.append(os.environ['OPENAI_API_KEY'])",
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_leak_fails_the_test(pytester, leak):
    assert outcomes(pytester, leak) == {"passed": 1, "errors": 1}


@pytest.mark.parametrize(
    "harmless",
    [
        "pass",
        "print('***'); capfd.readouterr()",
        "path = tmp_path / 'x'; path.write_text(PLANTED); planted.given.add(path)",
        "ConfigError(PLANTED[:-1])",
    ],
)
def test_nothing_else_does(pytester, harmless):
    assert outcomes(pytester, harmless) == {"passed": 1}


def outcomes(pytester, line):
    pytester.makeconftest("from tests.conftest import planted")
    pytester.makepyfile(
        f"""
        import gzip, logging, os, sys
        from contextlib import suppress
        from minos.errors import ConfigError, DecisionError, DecisionErrorKind
        from tests.planted import PLANTED

        def test_it(planted, tmp_path, capfd):
            {line}
        """
    )
    return pytester.runpytest_inprocess("-p", "no:cacheprovider").parseoutcomes()


@pytest.mark.parametrize(
    "spelling",
    [
        PLANTED,
        PLANTED.replace("/", "\\/"),
        ESCAPED,
        ESCAPED.lower(),
        json.dumps(json.dumps([PLANTED.replace("/", "\\/")])),
        json.dumps(json.dumps(ESCAPED)),
        quote(PLANTED, safe=""),
        quote(quote(PLANTED, safe=""), safe=""),
        *(b64encode(b"x" * n + PLANTED.encode()).decode() for n in range(4)),
        *(urlsafe_b64encode(b"\xff" * n + PLANTED.encode() + b"\xff").decode() for n in range(4)),
    ],
)
def test_every_spelling_is_found(spelling):
    assert shows_key(f"<{spelling}>")
    assert shows_key(f"<{spelling}>".encode())


@pytest.mark.parametrize(
    "text", ["", "***", PLANTED[:-1], b64encode(b"x" * 99).decode(), "\\", "%"]
)
def test_nothing_else_is_found(text):
    assert not shows_key(text)


def test_a_packed_file_is_looked_into(tmp_path):
    (tmp_path / "it").write_bytes(gzip.compress(PLANTED.encode()))
    (leak,) = Planted().leaks(tmp_path)
    assert leak.startswith(str(tmp_path / "it"))
