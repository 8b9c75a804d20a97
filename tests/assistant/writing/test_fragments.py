from __future__ import annotations

import pytest

from docstead.assistant.writing.fragments import address_of

PAGE = "https://x/a"


@pytest.mark.parametrize(
    ("link", "quoted", "address"),
    [
        (f"{PAGE}#b", "It is shown once.", f"{PAGE}#b:~:text=It%20is%20shown%20once."),
        (PAGE, "It is shown once.", f"{PAGE}#:~:text=It%20is%20shown%20once."),
        (PAGE, "read-only, always", f"{PAGE}#:~:text=read%2Donly%2C%20always"),
        (PAGE, "| Send parcel |", f"{PAGE}#:~:text=Send%20parcel"),
        (PAGE, "short", PAGE),
        (PAGE, "", PAGE),
        (
            PAGE,
            "a b c d e f g h i j k l m n",
            f"{PAGE}#:~:text=a%20b%20c%20d%20e,j%20k%20l%20m%20n",
        ),
    ],
)
def test_the_words_are_named_or_their_two_ends(link: str, quoted: str, address: str) -> None:
    assert address_of(link, quoted) == address
