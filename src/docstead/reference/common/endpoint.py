"""Bar above an operation: method, path and servers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from docstead.markup.content_words import ContentTexts
from docstead.markup.line_breaks import breakable

BRACES = re.compile(r"(\{[^{}]+\})")


def endpoint_bar(
    method: str,
    path: str,
    words: ContentTexts,
    servers: Sequence[str] = (),
    button: str = "",
    *,
    full: bool = False,
) -> str:
    """Return HTML of the bar; `full` adds the first server to the path, `button` is HTML."""
    method = escape(method)
    path = "".join(
        f"<span>{escape(part)}</span>"
        if part.startswith("{")
        else Markup("<wbr>/").join(map(breakable, part.split("/")))
        for part in BRACES.split(path)
    )
    base = escape(servers[0].rstrip("/")) if full and servers else ""
    shown = "".join(f"<li><code>{escape(server)}</code></li>" for server in servers)
    title = words.servers if len(servers) > 1 else words.server
    about = f'<div class="ds-servers"><span>{title}</span><ul>{shown}</ul></div>'
    return (
        f'<div class="ds-address" data-method="{method}">'
        f'<span class="ds-method method-pill" data-method="{method}">{method}</span> '
        f'<code class="ds-address-path">{base}{path}</code>{button}</div>'
        f"{about if servers else ''}"
    )
