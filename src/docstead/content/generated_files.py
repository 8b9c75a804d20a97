"""Paths of files that are generated for a site in addition to its pages.

They are defined only here. `outputs` renders the files, hosting and exports serve them, and links
to them are valid.
"""

from __future__ import annotations

LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"
LLMS_PARTS = "_llms/"  # index of each part of a large site
SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
SKILL = "skill.md"  # for a site with a single skill
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
    """Report whether a root-relative path is a generated file that links may refer to.

    Feeds are not included, because they belong to pages.
    """
    return path in _AT_THE_ROOT or path.startswith(WELL_KNOWN)


def feed_of(slug: str) -> str:
    """Return the path of a changelog's feed."""
    return f"{slug.removesuffix('/index')}/{FEED}"
