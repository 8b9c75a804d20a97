"""Plain pages for errors that no site can render."""

from __future__ import annotations

from html import escape

from docstead.hosting.served_document import ServedDocument, document

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --text: #18181b; --soft: #63636b; --ground: #fcfcfc; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --text: #f4f4f5; --soft: #a1a1aa; --ground: #101012; }}
}}
body {{
  margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem;
  box-sizing: border-box; background: var(--ground); color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif;
}}
main {{ max-width: 34rem; }}
h1 {{ font-size: 1.375rem; letter-spacing: -0.01em; margin: 0 0 0.5rem; }}
p {{ color: var(--soft); margin: 0; overflow-wrap: anywhere; }}
</style>
</head>
<body><main><h1>{title}</h1><p>{text}</p></main></body>
</html>
"""


def notice(title: str, text: str, status: int) -> ServedDocument:
    """Return an error page of the service. Both texts are plain text."""
    return document(_PAGE.format(title=escape(title), text=escape(text)), status=status)
