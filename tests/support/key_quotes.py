"""Questions and excerpts about keys, and the quotes that answer them."""

from __future__ import annotations

from docstead.assistant.extractive.evidence import Excerpt, QuestionWord
from docstead.assistant.extractive.quotes import Quote, QuoteFinder

COMMON = {"key", "api", "parcelo"}
REST = "Nothing to see in here, move along please. " * 30
CODE = "```bash\npip install parcelo\n```"


def stems(text: str) -> frozenset[str]:
    """Words without their endings, enough for these texts."""
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return frozenset(word.removesuffix("s").removesuffix("d").removesuffix("e") for word in words)


def words(question: str) -> list[QuestionWord]:
    return [
        QuestionWord((stem,), 1.0 if stem in COMMON else 3.0) for stem in sorted(stems(question))
    ]


def excerpt(markdown: str, name: str = "Keys", score: float = 0.7) -> Excerpt:
    return Excerpt(f"https://docs/{name}", name, (), markdown, score)


def section_of(markdown: str, page: str, anchor: str, score: float = 0.7) -> Excerpt:
    return Excerpt(f"https://docs/{page}#{anchor}", page, (anchor,), markdown, score)


def part_of_keys(markdown: str, heading: str, score: float = 0.7) -> Excerpt:
    link = f"https://docs/keys#{heading.lower()}"
    return Excerpt(link, "Keys", (heading,), markdown, score)


def quotes(question: str, *excerpts: Excerpt) -> tuple[Quote, ...]:
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    return extractive.quotes(question, words(question), excerpts)


def completed(question: str, *excerpts: Excerpt) -> list[str]:
    extractive = QuoteFinder(stems, lambda markdown: markdown.split("\n\n"))
    first = extractive.quotes(question, words(question), excerpts)[0]
    parts = extractive.completed(question, words(question), first, excerpts)
    return [each.markdown for each in parts]
