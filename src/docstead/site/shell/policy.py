"""What the pages of a bundle may load, said by the pages themselves.

A hosted site says it in a header. Files have no headers, and scripts and style sheets of a
repository sometimes ask other hosts: for fonts, for statistics. Pictures, videos and frames
that authors embed are shown as they are in a hosted site.
"""

from __future__ import annotations

from collections.abc import Iterable

from docstead.base.features import Features


def bundle_policy(
    features: Features, connects: Iterable[str] = (), scripts: Iterable[str] = ()
) -> str:
    """The Content-Security-Policy of a bundle's pages, opened from a disk or from a host.

    `connects` are the origins that its scripts ask beside its own, `scripts` those that
    other scripts come from.
    """
    everywhere = ("https:", "http:", "wss:", "ws:") if features.playground else ()
    reached = " ".join(("'self'", "file:", *connects, *everywhere))
    return "; ".join(
        (
            " ".join(("script-src 'self' file:", *scripts)),
            "style-src 'self' file: 'unsafe-inline'",
            "font-src 'self' file: data:",
            f"connect-src {reached}",
            "object-src 'none'",
            "base-uri 'none'",
        )
    )
