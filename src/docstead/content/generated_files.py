"""Catalog of the files that are generated for a site in addition to its pages.

`outputs` renders the entries. Hosting and exports serve what it renders, `docstead host` reads
media types and relations from here, and links in a repository may lead to these files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache

LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"
LLMS_PARTS = "_llms/"
LLMS_PART = f"{LLMS_PARTS}*.md"
SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
SKILL = "skill.md"
FEED = "rss.xml"  # in the folder of each changelog
NOT_FOUND = "404.html"
MCP = "mcp"

WELL_KNOWN = ".well-known/"
API_CATALOG = f"{WELL_KNOWN}api-catalog"
AGENT_CARD = f"{WELL_KNOWN}agent-card.json"
MCP_SERVER = f"{WELL_KNOWN}mcp"
MCP_SERVER_JSON = f"{WELL_KNOWN}mcp.json"
SERVER_CARD = f"{WELL_KNOWN}mcp/server-card.json"
SERVER_CARDS = f"{WELL_KNOWN}mcp/server-cards.json"
SKILLS = f"{WELL_KNOWN}skills/"
SKILLS_FILE = f"{SKILLS}*/SKILL.md"
SKILLS_INDEX = f"{SKILLS}index.json"
AGENT_SKILLS = f"{WELL_KNOWN}agent-skills/index.json"


class FileOrigin(Enum):
    """Source of a generated file's content."""

    SITE = auto()  # settings and metadata of pages
    PART = auto()  # the same for a part of the site; only rendered on request
    PAGES = auto()  # contents of all pages
    PAGE = auto()  # contents of one page
    SERVICE = auto()  # each request


class FileCondition(Enum):
    """Condition that a site must meet to have a file."""

    URL = auto()  # its own URL is known
    VISIBLE = auto()  # search engines and agents may read it
    MCP = auto()  # it has an MCP server


@dataclass(frozen=True, slots=True)
class GeneratedFile:
    """A generated file, or several if its path has a `*`, which matches one segment."""

    path: str
    origin: FileOrigin = FileOrigin.SITE
    needs: frozenset[FileCondition] = frozenset()
    media_type: str = ""  # if the name does not show it
    relation: str = field(default="", kw_only=True)  # of the link in the headers of pages


_VISIBLE = frozenset({FileCondition.VISIBLE})
_WITH_URL = frozenset({FileCondition.VISIBLE, FileCondition.URL})
_WITH_MCP = frozenset({FileCondition.VISIBLE, FileCondition.URL, FileCondition.MCP})

#: Pages name files with a relation in this order.
GENERATED_FILES = (
    GeneratedFile(LLMS, FileOrigin.SITE, _VISIBLE, relation="llms-txt"),
    GeneratedFile(LLMS_FULL, FileOrigin.PAGES, _VISIBLE, relation="llms-full-txt"),
    GeneratedFile(LLMS_PART, FileOrigin.PART, _VISIBLE),
    GeneratedFile(SITEMAP, FileOrigin.SITE, frozenset({FileCondition.URL})),
    GeneratedFile(ROBOTS),
    GeneratedFile(FEED, FileOrigin.PAGE, frozenset({FileCondition.URL})),
    GeneratedFile(MCP, FileOrigin.SERVICE),
    GeneratedFile(
        API_CATALOG, FileOrigin.SITE, _WITH_URL, "application/linkset+json", relation="api-catalog"
    ),
    GeneratedFile(SERVER_CARD, FileOrigin.SITE, _WITH_MCP, relation="mcp-server-card"),
    GeneratedFile(SERVER_CARDS, FileOrigin.SITE, _WITH_MCP),
    GeneratedFile(MCP_SERVER, FileOrigin.SITE, _WITH_MCP, "application/json"),
    GeneratedFile(MCP_SERVER_JSON, FileOrigin.SITE, _WITH_MCP),
    GeneratedFile(AGENT_CARD, FileOrigin.SITE, _WITH_URL, relation="agent-card"),
    GeneratedFile(AGENT_SKILLS, FileOrigin.SITE, _WITH_URL, relation="agent-skills"),
    GeneratedFile(SKILLS_INDEX, FileOrigin.SITE, _WITH_URL),
    GeneratedFile(SKILLS_FILE, FileOrigin.SITE, _WITH_URL),
    GeneratedFile(SKILL, FileOrigin.SITE, _WITH_URL),
)


def is_generated(path: str) -> bool:
    """Report whether a root-relative path is that of a generated file.

    Feeds are not included, because they belong to pages.
    """
    return any(_linkable().fullmatch(name) for name in names_of(path))


def names_of(path: str) -> Iterator[str]:
    """Yield the paths of files that a root-relative path may stand for, the likeliest first.

    Files at the root are also found below `.well-known/`.
    """
    yield path
    if path.startswith(WELL_KNOWN):
        yield path.removeprefix(WELL_KNOWN)


def feed_of(slug: str) -> str:
    """Return the path of a changelog's feed."""
    return f"{slug.removesuffix('/index')}/{FEED}"


@cache
def _linkable() -> re.Pattern[str]:
    paths = (file.path for file in GENERATED_FILES if file.origin is not FileOrigin.PAGE)
    return re.compile("|".join(re.escape(path).replace(r"\*", "[^/]+") for path in paths))
