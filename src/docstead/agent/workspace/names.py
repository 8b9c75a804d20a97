"""Names of job branches."""

from __future__ import annotations

import re
import unicodedata

from docstead.base.errors import InvalidRequest

PREFIX = "docstead/"
_SLUG_LENGTH = 40
_BRANCH = re.compile(
    r"(?![-/@]\Z|-)(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|\Z)))[^\x00-\x20\x7f~^:?*\[\\/.]"
    r"[^\x00-\x20\x7f~^:?*\[\\]{0,199}(?<![/.])"
)


def branch_name(title: str, job_id: str) -> str:
    """Return `docstead/<slug>-<id>`, readable and unique to the job."""
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", ascii_title.lower()).strip("-")
    slug = words[:_SLUG_LENGTH].rpartition("-")[0] if len(words) > _SLUG_LENGTH else words
    ident = re.sub(r"[^A-Za-z0-9]+", "-", job_id.rpartition("_")[2]).strip("-")
    return f"{PREFIX}{slug or 'job'}-{ident}"


def check_branch(name: str) -> str:
    """Return the name after verifying that git and all forges accept it as a branch.

    Raises:
        InvalidRequest: they do not.
    """
    if not _BRANCH.fullmatch(name) or not name.isprintable():
        raise InvalidRequest(f"{name!r} is not the name of a branch")
    return name
