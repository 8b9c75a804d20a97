"""Content-Security-Policy of bundles, as a meta tag in each page.

Hosted sites send a header. Files have no headers, and scripts and style sheets of a repository may
contact other hosts, such as for fonts and statistics. Embedded images, videos and frames are
allowed as on a hosted site.
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
    """Return the Content-Security-Policy of a bundle's pages, opened from a disk or a host.

    `connects` are the origins that its scripts contact in addition to its own, `scripts` those of
    other scripts. `own_script` is the inline script, which may set the base URL.
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
