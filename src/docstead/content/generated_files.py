"""Paths of the files that are generated for a site in addition to its pages.

The one place that spells them. `outputs` renders them, hosting and exports serve what it renders,
pages and other files refer to them, and links to them are correct.
"""

from __future__ import annotations

LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"
LLMS_PARTS = "_llms/"  # an index of each part of a large site
SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
SKILL = "skill.md"  # of a site that has one skill
FEED = "rss.xml"  # in the folder of each changelog
NOT_FOUND = "404.html"
FAVICON = "favicon.ico"
MCP = "mcp"

WELL_KNOWN = ".well-known/"
API_CATALOG = f"{WELL_KNOWN}api-catalog"
AGENT_CARD = f"{WELL_KNOWN}agent-card.json"
MCP_SERVER = f"{WELL_KNOWN}mcp"
MCP_SERVER_JSON = f"{WELL_KNOWN}mcp.json"
SERVER_CARD = f"{WELL_KNOWN}mcp/server-card.json"
SERVER_CARDS = f"{WELL_KNOWN}mcp/server-cards.json"
SKILLS = f"{WELL_KNOWN}skills/"
SKILLS_INDEX = f"{SKILLS}index.json"
AGENT_SKILLS = f"{WELL_KNOWN}agent-skills/index.json"

_AT_THE_ROOT = frozenset({LLMS, LLMS_FULL, SITEMAP, ROBOTS, SKILL, FAVICON, MCP})


def is_generated(path: str) -> bool:
    """Whether links may lead to a path from the root, without a slash at its start.

    Feeds are not among them: they belong to pages.
    """
    return path in _AT_THE_ROOT or path.startswith(WELL_KNOWN)


def feed_of(slug: str) -> str:
    """Return the path of a changelog's feed."""
    return f"{slug.removesuffix('/index')}/{FEED}"
