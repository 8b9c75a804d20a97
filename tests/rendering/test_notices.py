"""Pages that could not be rendered, as plain text."""

from __future__ import annotations

from docstead.content.diagnostics import Diagnostic, Severity
from docstead.rendering.notices import failed_page, plain_html

BODY = """import { A } from '/snippets/a.jsx'
import { B } from '/snippets/b.jsx'

<Note>
First line
with `a < b`.
</Note>

## The end

## The end

```js
## no heading
x < 1
```
"""


def test_the_text_of_a_page_remains_without_its_code() -> None:
    html = plain_html(BODY)
    assert "<p>First line\nwith `a &lt; b`.</p>" in html
    assert '<h2 id="the-end">The end</h2>\n<h2 id="the-end-2">' in html
    assert "<pre><code>## no heading\nx &lt; 1</code></pre>" in html
    assert "import" not in html
    assert "Note" not in html


def test_readers_and_search_get_the_text_and_no_path() -> None:
    diagnostic = Diagnostic(
        "secret/folder/a.mdx", 4, 1, Severity.ERROR, "page-stopped", "It stopped."
    )
    page = failed_page("a", (diagnostic,), body=BODY)
    assert page.failed
    assert "secret/folder" not in page.html
    assert "This page could not be rendered completely." in page.html
    assert [heading.anchor for heading in page.headings] == ["the-end", "the-end-2"]
    assert "First line" in page.markdown
    assert page.diagnostics == (diagnostic,)
