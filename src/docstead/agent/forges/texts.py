"""Titles, bodies and comments for forges, within their limits.

Models write these texts after reading untrusted ones. Forges, and programs that listen to them,
execute lines such as `/merge` with the rights of the token.
"""

from __future__ import annotations

import re

from docstead.agent.forges.forge import ChangeState, ForgeChange

_CUT = "\n\n… (cut: the text was too long)"
_OWN_COMMENT = "<!-- docstead -->"
_COMMAND = re.compile(r"^(?=\r*/)", re.MULTILINE)  # GitLab ignores carriage returns


def clipped(text: str, most: int) -> str:
    """Truncate a text to `most` characters, with a note."""
    if len(text) <= most:
        return text
    ending = _CUT if most > len(_CUT) * 4 else "…"
    return text[: most - len(ending)] + ending


def without_commands(text: str) -> str:
    """Indent lines that a forge would execute; rendered, the text is the same."""
    return _COMMAND.sub(" ", text)


def own_comment(text: str, most: int) -> str:
    """Return a comment that executes nothing and that `is_own_comment` recognizes."""
    return clipped(f"{_OWN_COMMENT}\n{without_commands(text)}", most)


def is_own_comment(text: str) -> bool:
    """Report whether `own_comment` has made this comment."""
    return text.startswith(_OWN_COMMENT)


def following(before: ForgeChange | None, body: str, most: int) -> str:
    """Return the body of a new change that refers to the previous one."""
    if before is None:
        return clipped(body, most)
    how = "merged" if before.state is ChangeState.MERGED else "closed"
    return clipped(f"Follows {before.url}, which was {how}.\n\n{body}", most)
