"""`{{name}}` in pages and snippets (docs/reference/docs-json.mdx)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docstead.content.pages import Repository
from docstead.content.slugs import PAGE_SUFFIXES
from docstead.repository.markdown_text import without_code
from docstead.repository.positions import Diagnostics, LineIndex

_USE = re.compile(r"\{\{[ \t]*([A-Za-z0-9][\w-]*)[ \t]*\}\}")


def check_variables(repository: Repository, diagnostics: Diagnostics) -> None:
    """Report variables in prose that the settings do not define.

    Sites without variables are not checked: their `{{…}}` is another tool's syntax.
    """
    variables = repository.site.config.variables
    if not variables:
        return
    for page in repository.pages.values():
        lines = LineIndex(page.meta.file, page.body, page.body_line)
        _check(page.body, lines, variables, diagnostics)
    for module in repository.modules.values():
        if module.path.endswith(PAGE_SUFFIXES):
            lines = LineIndex(module.path[1:], module.source, module.source_line)
            _check(module.source, lines, variables, diagnostics)


def _check(
    source: str, lines: LineIndex, variables: Mapping[str, str], diagnostics: Diagnostics
) -> None:
    if "{{" not in source:
        return
    for use in _USE.finditer(without_code(source)):
        if use[1] not in variables:
            position = lines.position(use.start())
            hint = f'Add "{use[1]}" to "variables" in docs.json.'
            diagnostics.warning(
                position, "undefined-variable", f"no variable {use[1]!r} is defined", hint
            )
