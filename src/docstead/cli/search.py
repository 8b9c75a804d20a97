"""The `search` command: the best sections of a published deployment."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from docstead.api.assistant.contents import ContentSearch
from docstead.api.assistant.shapes import SearchRequest
from docstead.app.services import open_services
from docstead.base.errors import InvalidRequest
from docstead.base.texts import blanked, clean
from docstead.cli.installation import published_settings, warn_if_not_running
from docstead.cli.tenants import deployment
from docstead.content.contexts import NavigationContexts
from docstead.content.navigation import NodeKind


def run(
    words: Sequence[str],
    *,
    domain: str | None,
    limit: int,
    version: str | None,
    language: str | None,
    as_json: bool,
) -> None:
    requested = SearchRequest.model_validate(
        {
            "query": " ".join(words),
            "pageSize": limit,
            "filter": {"version": version, "language": language},
        }
    )
    settings = published_settings()
    with open_services(settings) as services:
        url_of = services.site_url if as_json else services.browser_url
        target = deployment(services, domain)
        if edition := services.editions.current(target):
            contexts = NavigationContexts(edition.site)
            _check_label(contexts, NodeKind.VERSION, version)
            _check_label(contexts, NodeKind.LANGUAGE, language)
        found = ContentSearch(services.editions, url_of).search(target, requested)
    if as_json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(found)
        warn_if_not_running(settings)


def _check_label(contexts: NavigationContexts, kind: NodeKind, label: str | None) -> None:
    """Reject a version or language that the site does not have."""
    labels = contexts.labels(kind)
    if label is not None and labels and label not in labels:
        known = ", ".join(labels)
        raise InvalidRequest(f"--{kind}: there is no {kind} {label!r}; there are: {known}")


def _print(found: Sequence[dict[str, Any]]) -> None:
    console = Console(highlight=False)
    if not found:
        console.print("Nothing found.")
    elif query := found[0]["metadata"].get("query"):
        console.print(Text(f"Showing results for {query}.\n"))
    for result in found:
        metadata = result["metadata"]
        names = " › ".join((metadata["title"], *metadata["headings"]))
        console.print(Text(clean(names), style="bold"))
        console.print(Text(metadata["url"], style="cyan"), soft_wrap=True)
        snippet = Text(blanked(metadata["snippet"]))
        for start, end in metadata["highlights"]:
            snippet.stylize("bold yellow", start, end)
        console.print(snippet)
        console.print()
