"""Titles and bodies within a forge's limits."""

from __future__ import annotations

from docstead.agent.forges.forge import ChangeState, ForgeChange

_CUT = "\n\n… (cut: the text was too long)"


def clipped(text: str, most: int) -> str:
    """Truncate a text to `most` characters, with a note."""
    if len(text) <= most:
        return text
    ending = _CUT if most > len(_CUT) * 4 else "…"
    return text[: most - len(ending)] + ending


def following(before: ForgeChange | None, body: str, most: int) -> str:
    """Return the body of a new change that refers to the previous one."""
    if before is None:
        return clipped(body, most)
    how = "merged" if before.state is ChangeState.MERGED else "closed"
    return clipped(f"Follows {before.url}, which was {how}.\n\n{body}", most)
