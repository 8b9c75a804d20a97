"""Description of an operation, divided into a lead below the title and the rest."""

from __future__ import annotations

import re

_GAP = re.compile(r"\n[ \t]*\n")
_NO_PROSE = re.compile(r"#|```|~~~|[>|<]|[-*+]\s|\d+[.)]\s| {4}|\t")


def split_description(text: object) -> tuple[str | None, str]:
    """Return the first paragraph, and what stands after it, as Markdown.

    A description that begins with a heading, a list or the like has no lead.
    """
    if not isinstance(text, str) or not text.strip():
        return None, ""
    whole = text.replace("\r\n", "\n").strip("\n").rstrip()
    if _NO_PROSE.match(whole):
        return None, whole
    lead, *rest = _GAP.split(whole.strip(), maxsplit=1)
    return lead, "".join(rest)
