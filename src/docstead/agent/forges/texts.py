"""Titles, bodies and comments for forges: within their limits, and without commands.

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


def described(body: str, most: int) -> str:
    """Return the body of a change, in which lines that a forge would execute are indented."""
    return clipped(_COMMAND.sub(" ", body), most)


def own_comment(text: str, most: int) -> str:
    """Return a comment that executes nothing and that `is_own_comment` recognizes."""
    return described(f"{_OWN_COMMENT}\n{text}", most)


def is_own_comment(text: str) -> bool:
    """Report whether `own_comment` has made this comment."""
    return text.startswith(_OWN_COMMENT)


def following(before: ForgeChange | None, body: str, most: int) -> str:
    """Return the body of a new change that refers to the previous one."""
    if before is None:
        return described(body, most)
    how = "merged" if before.state is ChangeState.MERGED else "closed"
    return described(f"Follows {before.url}, which was {how}.\n\n{body}", most)
