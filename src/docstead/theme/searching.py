"""Configuration of a page's search."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.content.contexts import NavigationContext
from docstead.content.navigation import NodeKind


@dataclass(frozen=True, slots=True)
class SearchView:
    """The search button; the link to its script is marked."""

    script: str
    language: str  # as in docs.json; "" on sites with one language
    version: str
    prompt: str


def search_view(
    context: NavigationContext, script: str, prompt: str, default_version: str = ""
) -> SearchView:
    """Return the search button of the pages of a context.

    Pages outside versions search the default version.
    """
    language, version = context.chosen(NodeKind.LANGUAGE), context.chosen(NodeKind.VERSION)
    return SearchView(
        script=script,
        language=language.label if language else "",
        version=version.label if version else default_version,
        prompt=prompt,
    )
