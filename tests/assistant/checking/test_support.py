"""Support of sentences by passages, without any model."""

from __future__ import annotations

import pytest

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.checking.support import SupportVerdict, support_of
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
PASSAGES = {
    "Create a key": (
        "To create an API key:\n\n1. Open **Settings** and choose *Keys*.\n"
        "2. Press **New key** and give it a name.\n3. Copy the key. It is shown once.\n"
    ),
    "Revoke a key": (
        "A revoked key stops working within five seconds. Revoking cannot be undone. "
        "See [creating one](/guides/keys) for its successor."
    ),
    "Retries": (
        "A webhook that fails is retried eight times over one day. The time between two tries "
        "doubles. After the last one the webhook is switched off."
    ),
    "Rate limits": (
        "| Operation | Limit |\n| --- | --- |\n| Send parcel | 100 per minute |\n"
        "| List parcels | 600 per minute |\n"
    ),
    "Install": (
        "Install the client library with pip:\n\n```bash\npip install parcelo\n```\n\n"
        "It needs no compiler. Set `PARCELO_TOKEN` before you call `parcelo.send()`."
    ),
}
MATERIALS = tuple(
    ExcerptSpans(Excerpt(f"https://x/#{name}", "Parcelo", (name,), text, 1.0), ANALYSER)
    for name, text in PASSAGES.items()
)


@pytest.mark.parametrize(
    "claim",
    [
        "Open Settings and choose Keys.",
        "Note that revoking cannot be undone.",
        "The key is shown only once.",
        "Revoking a key cannot be undone.",
        "Failed webhooks are retried 8 times over one day.",
        "You can send 100 parcels per minute.",
        "The limit for List parcels is 600 per minute.",
        "Run `pip install parcelo`.",
        "The library needs no compiler.",
        "The library requires no compiler.",
        "Press New key, give it a name, and copy the key.",
        "A revoked key stops working within five seconds, and the time between two tries doubles.",
    ],
)
def test_what_is_there_is_supported(claim: str) -> None:
    assert support_of(claim, ANALYSER, MATERIALS).verdict is not SupportVerdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Open Keys and choose Settings.", "changed places"),
        ("The key is shown twice.", "2 is not there"),
        ("A revoked key stops working within ten seconds.", "10 is not there"),
        ("Failed webhooks are retried 3 times over one day.", "3 is not there"),
        ("You can send 600 parcels per minute.", "600"),
        ("Run `npm install parcelo`.", "npm is not there"),
        ("The library needs a compiler.", "compil is denied there"),
        ("Revoking can be undone.", "denied there"),
        ("Keys are rotated automatically every week.", "no passage speaks of it"),
        ("Install the client with the `--fast` option.", "--fast is not there"),
        ("A webhook that fails is never retried.", "denied there"),
        ("After the last one the webhook is switched on.", "switch off there"),
        ("Set `PARCELO_SECRET` before you call `parcelo.send()`.", "parcelo_secret is not there"),
        ("Set `parcelo.send()` before you call `PARCELO_TOKEN`.", "changed places"),
    ],
)
def test_what_is_not_is_not_and_it_is_said_why(claim: str, reason: str) -> None:
    found = support_of(claim, ANALYSER, MATERIALS)
    assert found.verdict is SupportVerdict.UNSUPPORTED
    assert reason in found.reason


def test_the_position_is_the_sentence_itself() -> None:
    found = support_of("Revoking a key cannot be undone.", ANALYSER, MATERIALS)
    assert found.material is MATERIALS[1]
    assert found.span is not None
    assert found.span.quote == "Revoking cannot be undone."


def test_a_word_instead_of_another_is_for_others_to_judge() -> None:
    found = support_of("After the last one the server is switched off.", ANALYSER, MATERIALS)
    assert found.verdict is SupportVerdict.DOUBTFUL


def test_a_name_of_many_passages_may_stand_in_any_sentence() -> None:
    texts = {
        "Gas": "Accounts of Umbra pay the maximum first. The rest is returned on Ethereum.",
        "Fees": "Umbra has fees.",
        "Nodes": "Run a node of Umbra.",
    }
    materials = [
        ExcerptSpans(Excerpt(f"/{name}", name, (), text, 1.0), ANALYSER)
        for name, text in texts.items()
    ]
    assert support_of("The rest is returned on Umbra.", ANALYSER, materials).reason == ""
    assert support_of("The rest is returned on Umbra.", ANALYSER, materials[:2]).reason


def test_the_value_of_a_variable_is_the_readers_own() -> None:
    checker = Checker(ANALYSER)
    assert checker.code("export PARCELO_TOKEN=http://127.0.0.1:9/qwen3", MATERIALS).is_kept
    assert not checker.code("export COURIER_TOKEN=http://127.0.0.1:9/qwen3", MATERIALS).is_kept


def test_marks_of_a_table_are_yes_and_no() -> None:
    table = "| Feature | Test | Live |\n|---|---|---|\n| Emails | x | ✓ |\n| Payouts | ❌ | ✅ |\n"
    material = ExcerptSpans(Excerpt("/a", "Modes", (), table, 1.0), ANALYSER)
    rows = [span.facts.text for span in material.spans]
    assert rows == [
        "Feature: Emails ; Test: no ; Live: yes",
        "Feature: Payouts ; Test: no ; Live: yes",
    ]
    assert support_of("Feature: Emails ; Test: no ; Live: yes", ANALYSER, [material]).score == 1
    single = ExcerptSpans(Excerpt("/a", "Axes", (), "| Axis |\n|---|\n| x |\n", 1.0), ANALYSER)
    assert [span.facts.text for span in single.spans] == ["Axis: x"]
