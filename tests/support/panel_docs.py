"""Documentation for tests of the assistant's panel and of readers' analytics."""

from __future__ import annotations

import json
from pathlib import Path


def write_panel_docs(source: Path) -> None:
    source.mkdir()
    config = {"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"}}
    pages = {
        "navigation": {"pages": ["index", "other", "limits", "builds", "hovered"]},
        "feedback": {"thumbsRating": True},
    }
    (source / "docs.json").write_text(json.dumps({**config, **pages}))
    (source / "index.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Create a key\n\n"
        "To create a key, open *Settings* and press New.\n\n"
        "```bash Terminal\nacme keys create\n```\n"
    )
    (source / "builds.mdx").write_text(
        "---\ntitle: Builds\n---\n\n<CodeGroup>\n\n```bash Shell\nmake build\n```\n\n"
        "```python Python\nbuild()\n```\n\n</CodeGroup>\n\n```bash\nmake clean\n```\n"
    )
    (source / "other.mdx").write_text("---\ntitle: Other\n---\n\nAnother page.\n")
    (source / "hovered.mdx").write_text(
        '---\ntitle: Hovered\n---\n\n<img src="/dot.svg" alt="" loading="eager" />\n'
    )
    (source / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    (source / "limits.mdx").write_text(
        "---\ntitle: Limits\n---\n\n| Thing | Most |\n| --- | --- |\n"
        "| Attachments | 8 MB, `a\\|b` too |\n| Messages | 200 |\n"
    )
