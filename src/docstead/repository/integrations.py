"""`integrations` of `docs.json`: third-party scripts.

Values that become part of a URL or script are validated per vendor, so that a repository can only
specify an account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docstead.content.config import Integrations
from docstead.content.setting_keys import declared, key_of
from docstead.content.written_settings import ConsentKeys, IntegrationsKeys
from docstead.repository.json_fields import ObjectReader

_WORD = r"[A-Za-z0-9_-]{4,64}"
_TAG = r"G[A-Za-z0-9-]{1,40}"
_HOST = r"(?:https://)?(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.)+[A-Za-z]{2,24}(?::\d{2,5})?/?"
_DOMAINS = r"[A-Za-z0-9.-]{1,253}(?:,[A-Za-z0-9.-]{1,253}){0,9}"
_FLAG = "true|false"
_LONGEST_CONSENT = 200
#: Fields by vendor with their formats; names with "?" are optional.
VENDORS: Mapping[str, Mapping[str, str]] = {
    "adobe": {"launchUrl": r"https://assets\.adobedtm\.com/[A-Za-z0-9/_.-]{1,200}\.js"},
    "amplitude": {"apiKey": _WORD},
    "clarity": {"projectId": _WORD},
    "clearbit": {"publicApiKey": _WORD},
    "fathom": {"siteId": _WORD},
    "frontchat": {"snippetId": r"[A-Za-z0-9_-]{6,64}"},
    "ga4": {"measurementId": _TAG},
    "gtm": {"tagId": _TAG},
    "heap": {"appId": r"\d{4,20}"},
    "hightouch": {"writeKey": _WORD, "apiHost?": _HOST},
    "hotjar": {"hjid": r"\d{2,20}", "hjsv?": r"\d{1,4}"},
    "intercom": {"appId": r"[A-Za-z0-9_-]{6,64}"},
    "logrocket": {"appId": r"[A-Za-z0-9_-]{1,64}/[A-Za-z0-9_-]{1,64}"},
    "mixpanel": {"projectToken": _WORD},
    "pirsch": {"id": _WORD},
    "plausible": {"domain": _DOMAINS, "server?": _HOST},
    "posthog": {"apiKey": r"phc_[A-Za-z0-9]{1,100}", "apiHost?": _HOST, "sessionRecording?": _FLAG},
    "segment": {"key": _WORD},
}
_TELEMETRY, _COOKIES = (
    key_of(declared(IntegrationsKeys).telemetry),
    key_of(declared(IntegrationsKeys).cookies),
)


def read_integrations(keys: ObjectReader) -> Integrations:
    """Return valid integrations; invalid ones are reported and left out."""
    vendors = {name: keys.child(name) for name in keys.values if name in VENDORS}
    read = {name: _fields(name, child) for name, child in vendors.items()}
    for name in keys.values:
        if name not in (*VENDORS, _TELEMETRY, _COOKIES):
            message = f"integrations.{name} is not known and has no effect"
            hint = f"Known are {', '.join(VENDORS)}. A script of the repository can load others."
            keys.diagnostics.info(keys.values.position(name), "unknown-key", message, hint)
    known = {name: fields for name, fields in read.items() if fields is not None}
    return Integrations(known, _consent(keys.child(_COOKIES)))


def _fields(vendor: str, keys: ObjectReader) -> dict[str, str] | None:
    """Return the fields of a vendor, or None if one is invalid or missing."""
    found: dict[str, str] = {}
    for name, form, is_needed in _forms(vendor):
        value = _text(keys, name)
        if value is None and not is_needed:
            continue
        if value is None or re.fullmatch(form, value) is None:
            problem = "is missing" if value is None else f"is {value!r}, which is none"
            position = keys.values.position(name) if name in keys.values else keys.values.position()
            message = f"{keys.name(name)} {problem}; {vendor} was left out"
            hint = "Copy it from the settings of your account there."
            keys.diagnostics.warning(position, "invalid-integration", message, hint)
            return None
        found[name] = value
    return found


def _forms(vendor: str) -> Iterator[tuple[str, str, bool]]:
    for name, form in VENDORS[vendor].items():
        yield name.rstrip("?"), form, not name.endswith("?")


def _text(keys: ObjectReader, name: str) -> str | None:
    value = keys.values.get(name)
    return str(value).lower() if isinstance(value, bool) else keys.text(name)


def _consent(keys: ObjectReader) -> tuple[str, str] | None:
    key, value = (
        keys.text(key_of(declared(ConsentKeys).key)),
        _text(keys, key_of(declared(ConsentKeys).value)),
    )
    if not keys.values:
        return None
    if key and value and max(len(key), len(value)) <= _LONGEST_CONSENT:
        return key, value
    message = "integrations.cookies needs a key and a value; no vendor waits for it"
    hint = 'Write {"key": "consent", "value": "yes"}.'
    keys.diagnostics.warning(keys.values.position(), "invalid-integration", message, hint)
    return None
