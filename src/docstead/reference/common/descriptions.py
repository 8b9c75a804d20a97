"""Split of an operation's description into a lead and the rest."""

from __future__ import annotations

import re

_GAP = re.compile(r"\n[ \t]*\n")
_NO_PROSE = re.compile(r"#|```|~~~|[>|<]|[-*+]\s|\d+[.)]\s| {4}|\t")


def split_description(text: object) -> tuple[str | None, str]:
    """Return the first paragraph, and the rest as Markdown.

    Descriptions that begin with a heading, list or the like have no lead.
    """
    if not isinstance(text, str) or not text.strip():
        return None, ""
    whole = text.replace("\r\n", "\n").strip("\n").rstrip()
    if _NO_PROSE.match(whole):
        return None, whole
    lead, *rest = _GAP.split(whole.strip(), maxsplit=1)
    return lead, "".join(rest)
