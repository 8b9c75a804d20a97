"""A built-in page that idle workers render, so that an author's page is not their first.

The first page of a process takes several times as long as later ones, because functions are
compiled and lexers built on first use. No state remains: a site is set afterwards.
"""

from __future__ import annotations

from docstead.markup.highlight import highlight
from docstead.rendering.finish import Finisher
from docstead.rendering.isolate import Isolate
from docstead.rendering.protocol import PageSource

_LANGUAGES = ("bash", "javascript", "json", "jsx", "python", "typescript", "yaml")
_CODE = 'a = f(1, "b")'
# Two only: a worker that is waited for would build the lexers of all for a single page.
_FENCES = "\n\n".join(f"```{name} File {{1}}\n{_CODE}\n```" for name in ("bash", "json"))
_BODY = f"""
export const word = "shown";

Text that is *{{word}}*, with `code`, [a link](/other#part) and ![a picture](/picture.png).

## A part

| a | b |
| - | - |
| 1 | 2 |

<Note>Noted.</Note>

<Steps><Step title="One" icon="check">- [ ] first</Step></Steps>

<Tabs><Tab title="One">1. first</Tab><Tab title="Two">second</Tab></Tabs>

<CardGroup cols={{2}}><Card title="A" icon="star" href="/other">Card</Card></CardGroup>

<AccordionGroup><Accordion title="A">More.</Accordion></AccordionGroup>

<ParamField body="name" type="string" required>Its name.</ParamField>

<CodeGroup>

{_FENCES}

</CodeGroup>
"""
_SECONDS = 30.0


def warm_up(isolate: Isolate) -> None:
    """Render the page and discard the result."""
    page = PageSource("warm-up", "warm-up.mdx", _BODY, 1, None)
    isolate.render((page,), _SECONDS)
    for result in isolate.results((page,), _SECONDS):
        Finisher("fontawesome").finish(page, result)


def check_engine(isolate: Isolate) -> None:
    """Render no page, which raises `EngineOutdated` for an engine of another version."""
    isolate.render((), _SECONDS)
    isolate.results((), _SECONDS)


def build_lexers() -> None:
    """Build the lexers of common languages, before processes that need them are forked."""
    for language in _LANGUAGES:
        highlight(_CODE, language)
