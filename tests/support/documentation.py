"""A small published documentation for tests of answers: values and a real index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation, NavNode, NodeKind
from docstead.content.pages import PageMeta, Section, Site
from docstead.markup.rendered import RenderedPage
from docstead.search.documents import document_of
from docstead.search.index import Index
from docstead.search.index_writer import build

PAGES: Mapping[str, Mapping[str, str]] = {
    "index": {"": "Parcelo sends parcels from your programs."},
    "guides/keys": {
        "": "API keys let programs act for you. Keep them secret.",
        "Create a key": (
            "To create an API key:\n\n"
            "1. Open **Settings** and choose *Keys*.\n"
            "2. Press **New key** and give it a name.\n"
            "3. Copy the key. It is shown once.\n"
        ),
        "Revoke a key": (
            "A revoked key stops working within five seconds. Revoking cannot be undone. "
            "See [creating one](/guides/keys#create-a-key) for its successor."
        ),
    },
    "guides/install": {
        "": "Parcelo needs Python.",
        "Install the client": (
            "Install the client library with pip:\n\n```bash\npip install parcelo\n```\n\n"
            "It needs no compiler."
        ),
    },
    "guides/webhooks": {
        "": "Webhooks tell your server about deliveries.",
        "Retries": (
            "A webhook that fails is retried eight times over one day. "
            "The time between two tries doubles. After the last one the webhook is switched off."
        ),
        "Signatures": "Each webhook carries a signature header, an HMAC of its body.",
    },
    "reference/limits": {
        "Rate limits": (
            "| Operation | Limit |\n| --- | --- |\n"
            "| Send parcel | 100 per minute |\n| List parcels | 600 per minute |\n"
        ),
        "Settings": (
            "`retryCount` (integer)\n\nHow often a parcel is tried again. Eight where it is not "
            "set.\n\n`zoneCode` (string, required)\n\nThe zone that a parcel is sent to.\n\n"
            "**422**\n\nAn error: The zone does not exist."
        ),
    },
    "v1/labels": {"": "Labels are printed as PDF files in the first version."},
    "v2/labels": {"": "Labels are printed as PDF or ZPL files in the second version."},
}
TITLES = {
    "index": "Welcome",
    "guides/keys": "API keys",
    "guides/install": "Installation",
    "guides/webhooks": "Webhooks",
    "reference/limits": "Limits",
    "v1/labels": "Labels",
    "v2/labels": "Labels",
    "internal/secret": "Secret plans",
}


@dataclass(frozen=True)
class Documentation:
    """Stand-in for an edition."""

    id: str
    site: Site
    index: Index
    pages: Mapping[str, RenderedPage] = field(default_factory=dict)

    def page(self, slug: str) -> RenderedPage | None:
        return self.pages.get(slug)


@dataclass
class CurrentDocumentation:
    """Documentation of each deployment, by id."""

    published: dict[str, Documentation] = field(default_factory=dict)

    def current(self, deployment: object) -> Documentation | None:
        return self.published.get(deployment.id)  # type: ignore[attr-defined]


def documentation(folder: Path, edition_id: str = "ed_1") -> Documentation:
    """Return the documentation of Parcelo, indexed in `folder`."""
    pages = {slug: _rendered(slug, sections) for slug, sections in PAGES.items()}
    metas = {slug: _meta(slug) for slug in TITLES}
    build((document_of(metas[slug], page.sections) for slug, page in pages.items()), folder)
    pages["internal/secret"] = _rendered("internal/secret", {"": "Nobody may know."})
    site = Site(SiteConfig(name="Parcelo"), Navigation(_roots()), metas)
    return Documentation(edition_id, site, Index(folder), pages)


def _meta(slug: str) -> PageMeta:
    version = slug.partition("/")[0] if slug.startswith("v") else None
    hidden = slug.startswith("internal/")
    return PageMeta(
        slug=slug,
        file=f"{slug}.mdx",
        title=TITLES[slug],
        version=version,
        hidden=hidden,
        in_navigation=not hidden,
    )


def _roots() -> tuple[NavNode, ...]:
    return tuple(
        NavNode(
            NodeKind.VERSION,
            version,
            children=(NavNode(NodeKind.PAGE, "Labels", slug=f"{version}/labels"),),
            default=version == "v2",
        )
        for version in ("v1", "v2")
    )


def _rendered(slug: str, sections: Mapping[str, str]) -> RenderedPage:
    made = tuple(
        Section(heading.lower().replace(" ", "-"), (heading,) if heading else (), text)
        for heading, text in sections.items()
    )
    return RenderedPage(slug, "", (), made)
