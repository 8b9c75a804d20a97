"""Third-party scripts of pages: their origins and the hosts that they contact."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docstead.content.config import Integrations

_POSTHOG = "us.i.posthog.com"
_PLAUSIBLE = "plausible.io"
_HIGHTOUCH = "us-east-1.hightouch-events.com"
_GOOGLE = (
    "*.googletagmanager.com",
    "*.google-analytics.com *.analytics.google.com *.googletagmanager.com",
)
#: Origins of scripts, and origins that these contact, from the vendors' documentation on
#: Content-Security-Policies. Braces contain a host that the author configures.
_ORIGINS: Mapping[str, tuple[str, str]] = {
    "adobe": (
        "assets.adobedtm.com",
        "*.demdex.net *.omtrdc.net *.adobedc.net assets.adobedtm.com",
    ),
    "amplitude": ("cdn.amplitude.com", "*.amplitude.com"),
    "clarity": ("*.clarity.ms", "*.clarity.ms c.bing.com"),
    "clearbit": (
        "tag.clearbitscripts.com *.clearbitjs.com",
        "*.clearbit.com *.clearbitscripts.com",
    ),
    "fathom": ("cdn.usefathom.com", "cdn.usefathom.com"),
    "frontchat": (
        "chat-assets.frontapp.com",
        "*.frontapp.com *.frontapplication.com wss://*.pusher.com",
    ),
    "ga4": _GOOGLE,
    "gtm": _GOOGLE,
    "heap": ("cdn.heapanalytics.com heapanalytics.com", "heapanalytics.com *.heapanalytics.com"),
    "hightouch": ("cdn.hightouch-events.com", "cdn.hightouch-events.com {apiHost}"),
    "hotjar": ("*.hotjar.com", "*.hotjar.com *.hotjar.io wss://*.hotjar.com"),
    "intercom": (
        "widget.intercom.io js.intercomcdn.com",
        "*.intercom.io wss://*.intercom.io *.intercomcdn.com",
    ),
    "logrocket": (
        "cdn.logrocket.io cdn.lr-ingest.io cdn.lr-in-prod.com",
        "*.logrocket.io *.lr-ingest.io *.lr-in-prod.com",
    ),
    "mixpanel": ("cdn.mxpnl.com", "*.mixpanel.com"),
    "pirsch": ("api.pirsch.io", "api.pirsch.io"),
    "plausible": ("{server}", "{server}"),
    "posthog": ("{apiHost} {assets}", "{apiHost} {assets}"),
    "segment": ("cdn.segment.com", "cdn.segment.com api.segment.io"),
}


@dataclass(frozen=True, slots=True)
class ThirdPartyScripts:
    """Third-party scripts on a site's pages; none by default."""

    vendors: Mapping[str, Mapping[str, str]]
    consent: tuple[str, str] | None = None
    trusted: tuple[str, ...] = ()  # hosts that the operator allows for the site's own scripts

    @classmethod
    def of(
        cls, integrations: Integrations, *, allowed: bool, trusted: tuple[str, ...] = ()
    ) -> ThirdPartyScripts:
        if not allowed:
            return cls({}, trusted=trusted)
        vendors = {name: _complete(name, given) for name, given in integrations.vendors.items()}
        return cls(dict(sorted(vendors.items())), integrations.consent, trusted)

    @property
    def scripts(self) -> tuple[str, ...]:
        """Return the origins of the scripts."""
        return _unique(self._origins(0))

    @property
    def connects(self) -> tuple[str, ...]:
        """Return the origins that the scripts contact."""
        return _unique(self._origins(1))

    def as_json(self) -> str:
        """Return the settings as JSON for the script that loads them, or ""."""
        if not self.vendors:
            return ""
        return json.dumps({"vendors": self.vendors, "consent": self.consent}, sort_keys=True)

    def _origins(self, kind: int) -> Iterator[str]:
        for vendor, given in self.vendors.items():
            for name in _ORIGINS[vendor][kind].format_map(given).split():
                yield name if "://" in name else f"https://{name}"
        for host in self.trusted:
            yield f"https://{host}"


def _complete(vendor: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the settings with default hosts."""
    hosts = {"posthog": ("apiHost", _POSTHOG), "plausible": ("server", _PLAUSIBLE)}
    hosts["hightouch"] = ("apiHost", _HIGHTOUCH)
    name, host = hosts.get(vendor, ("", ""))
    if not name:
        return dict(given)
    chosen = given.get(name, host).removeprefix("https://").rstrip("/")
    found = {**given, name: chosen}
    if vendor == "posthog":
        found["assets"] = chosen.replace(".i.posthog.com", "-assets.i.posthog.com")
    return found


def _unique(origins: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(origins))
