"""Content-Security-Policy of bundles, as a meta tag in each page.

A hosted site says it in a header. Files have no headers, and scripts and style sheets of a
repository sometimes ask other hosts: for fonts, for statistics. Pictures, videos and frames
that authors embed are shown as they are in a hosted site.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from docstead.base.features import Features


def bundle_policy(
    features: Features,
    connects: Iterable[str] = (),
    scripts: Iterable[str] = (),
    own_script: str = "",
) -> str:
    """The Content-Security-Policy of a bundle's pages, opened from a disk or from a host.

    `connects` are the origins that its scripts contact in addition to its own, `scripts` those that
    other scripts come from. `own_script` stands in the page and may say where links begin.
    """
    everywhere = ("https:", "http:", "wss:", "ws:") if features.playground else ()
    reached = " ".join(("'self'", "file:", *connects, *everywhere))
    named = (_hash_source(own_script),) if own_script else ()
    base = "'self'" if own_script else "'none'"
    return "; ".join(
        (
            " ".join(("script-src 'self' file:", *named, *scripts)),
            "style-src 'self' file: 'unsafe-inline'",
            "font-src 'self' file: data:",
            f"connect-src {reached}",
            "object-src 'none'",
            f"base-uri {base}",
        )
    )


def _hash_source(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
