"""The page to which an authorization server sends readers of the playground back.

Its URL is registered there, so it has no hash.
"""

from __future__ import annotations

from collections.abc import Mapping

from docstead.markup.assets import FOLDER
from docstead.theme.markup import templates

OAUTH_PAGE = f"{FOLDER}/oauth.html"


def oauth_files(script: str | None) -> Mapping[str, bytes]:
    """Return the page by its path; `script` is the path of its script, None without any flow."""
    if script is None:
        return {}
    template = templates().get_template("oauth.html")
    page = template.render(script=script.removeprefix(f"{FOLDER}/"))
    return {OAUTH_PAGE: page.encode()}
