from __future__ import annotations

import pytest

from docstead.assistant.writing.fragments import fragment_url

PAGE = "https://x/a"


@pytest.mark.parametrize(
    ("link", "quoted", "url"),
    [
        (f"{PAGE}#b", "It is shown once.", f"{PAGE}#b:~:text=It%20is%20shown%20once."),
        (PAGE, "It is shown once.", f"{PAGE}#:~:text=It%20is%20shown%20once."),
        (PAGE, "It is read-only, always", f"{PAGE}#:~:text=It%20is%20read%2Donly%2C%20always"),
        (PAGE, "short", PAGE),
        (PAGE, "", PAGE),
        (PAGE, "```js\nawait runs.cancel(run);\n```", PAGE),
        (
            PAGE,
            "a b c d e f g h i j k l m n",
            f"{PAGE}#:~:text=a%20b%20c%20d%20e,j%20k%20l%20m%20n",
        ),
    ],
)
def test_the_words_are_named_or_their_two_ends(link: str, quoted: str, url: str) -> None:
    assert fragment_url(link, quoted) == url


@pytest.mark.parametrize(
    ("quoted", "named"),
    [
        ("Use **bold** [links](/b) & `code`.", "Use%20bold%20links%20%26%20code."),
        ("> **Note:** A key is shown once.", "A%20key%20is%20shown%20once."),
        ("## Keys\n\nA key is shown once.", "A%20key%20is%20shown%20once."),
        ("**First tab**\n\n1. Make a new key now.", "Make%20a%20new%20key%20now."),
        ("![A plan](/p.png) Draw the whole plan now.", "Draw%20the%20whole%20plan%20now."),
        ("One whole line of it\nand others", "One%20whole%20line%20of%20it"),
        ("`limit` (integer, required)\n\nThe most that comes back.", "The%20most%20that%20comes"),
        ("Too short.\n\nThis says more of it.", "This%20says%20more%20of%20it."),
        (
            "| Code | Means |\n| --- | --- |\n| `423` | Somebody locked it |",
            "423,-Somebody%20locked",
        ),
        (
            "```py\nimport everything from the.sun\n\ngo()\n  send(parcel, now=True, to=home)\n```",
            "send%28parcel%2C%20now%3DTrue",
        ),
        ("```mermaid\nflowchart LR of it\n```\n\nThat is the whole.", "That%20is%20the%20whole."),
        ("密钥只显示一次。", "%E5%AF%86%E9%92%A5%E5%8F%AA"),
    ],
)
def test_words_are_those_that_a_page_shows(quoted: str, named: str) -> None:
    assert fragment_url(PAGE, quoted).startswith(f"{PAGE}#:~:text={named}")
