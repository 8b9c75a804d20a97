"""Titles and bodies, cut to what a forge takes."""

from __future__ import annotations

from docstead.agent.forges.forge import ChangeState, ForgeChange

_CUT = "\n\n… (cut: the text was too long)"


def clipped(text: str, most: int) -> str:
    """The text in at most `most` characters, with a word about what is missing."""
    if len(text) <= most:
        return text
    ending = _CUT if most > len(_CUT) * 4 else "…"
    return text[: most - len(ending)] + ending


def following(before: ForgeChange | None, body: str, most: int) -> str:
    """The body of a new change, which begins with the one that it continues."""
    if before is None:
        return clipped(body, most)
    how = "merged" if before.state is ChangeState.MERGED else "closed"
    return clipped(f"Follows {before.url}, which was {how}.\n\n{body}", most)
