"""Accounts with vendors: values that are used, and those that are reported and left out."""

from __future__ import annotations

import json

import pytest

from docstead.content.config import Integrations
from docstead.repository.integrations import VENDORS, read_integrations
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import parse
from docstead.repository.positions import Diagnostics

RIGHT: dict[str, dict[str, object]] = {
    "adobe": {"launchUrl": "https://assets.adobedtm.com/a1/b2/launch-c3.min.js"},
    "amplitude": {"apiKey": "0123456789abcdef0123456789abcdef"},
    "clarity": {"projectId": "abcde12345"},
    "clearbit": {"publicApiKey": "pk_0123456789abcdef"},
    "fathom": {"siteId": "ABCDEFGH"},
    "frontchat": {"snippetId": "0123456789abcdef"},
    "ga4": {"measurementId": "G-ABC1234567"},
    "gtm": {"tagId": "GTM-ABC1234"},
    "heap": {"appId": "1234567890"},
    "hightouch": {"writeKey": "abcdef0123456789", "apiHost": "eu.hightouch.example.com"},
    "hotjar": {"hjid": 1234567, "hjsv": 6},
    "intercom": {"appId": "abc12345"},
    "logrocket": {"appId": "acme/docs"},
    "mixpanel": {"projectToken": "0123456789abcdef"},
    "pirsch": {"id": "abcdefgh12345678"},
    "plausible": {"domain": "docs.example.com", "server": "stats.example.com"},
    "posthog": {"apiKey": "phc_abc123", "apiHost": "https://eu.i.posthog.com"},
    "segment": {"key": "abcdef0123456789"},
}
HOSTILE = (
    "",
    "x'><script>alert(1)</script>",
    'G-1"onload="alert(1)',
    "../../evil",
    "G-1?x=//evil.example",
    "G-ABC 123",
    "javascript:alert(1)",
    "//evil.example/x.js",
    "https://evil.example/x.js",
    "G-A; script-src *",
    "G-ABC\n123",
    "G" * 300,
)


def read(integrations: object) -> tuple[Integrations, list[str]]:
    diagnostics = Diagnostics()
    written = parse(json.dumps(integrations), "docs.json")
    found = read_integrations(ObjectReader(written, diagnostics, "integrations"))
    return found, [each.message for each in diagnostics.sorted()]


def test_every_vendor_is_known_by_what_its_account_is_called() -> None:
    read_here, reported = read(RIGHT)
    assert reported == []
    assert read_here.vendors.keys() == VENDORS.keys() == RIGHT.keys()
    assert read_here.vendors["hotjar"] == {"hjid": "1234567", "hjsv": "6"}


@pytest.mark.parametrize("vendor", sorted(VENDORS))
def test_what_is_no_account_is_reported_and_left_out(vendor: str) -> None:
    for field in RIGHT[vendor]:
        for text in HOSTILE:
            if vendor == "plausible" and not text:
                continue
            found, reported = read({vendor: {**RIGHT[vendor], field: text}})
            optional = text == "" and f"{field}?" in VENDORS[vendor]
            assert (vendor in found.vendors) is optional, (field, text)
            named = [f"integrations.{vendor}.{field}" in each for each in reported]
            assert named == ([] if optional else [True])


def test_a_consent_has_a_key_and_a_value() -> None:
    assert read({"cookies": {"key": "ok", "value": True}})[0].consent == ("ok", "true")
    found, reported = read({"cookies": {"key": "ok"}})
    assert found.consent is None
    assert reported == ["integrations.cookies needs a key and a value; no vendor waits for it"]


def test_an_unknown_vendor_is_reported() -> None:
    found, reported = read({"countly": {"key": "abcdef"}, "telemetry": {"enabled": True}})
    assert found == Integrations()
    assert reported == ["integrations.countly is not known and has no effect"]
