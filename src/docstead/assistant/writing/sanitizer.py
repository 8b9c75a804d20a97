"""Sanitizer of Markdown: no images, no HTML, and only allowed links.

Each unit is self-contained: code is closed within it, and its brackets cannot form a link with the
following text. Concatenated safe units are therefore safe. Disallowed links lose their target;
their text stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.assistant.writing.markdown_units import LONGEST_SENTENCE, MarkdownUnit, UnitKind

# Renderers also link `//host`, names that begin with `www.`, and names that end like hosts. File
# names are among them, so they are shown as code.
_LINK = re.compile(
    r"(?P<url>(?:\b[a-z][a-z0-9+.-]*:)?//[^\s<>\x60]+|\b(?:mailto|xmpp):[^\s<>\x60]+)"
    r"|(?P<mail>\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*)"
    r"|(?P<bare>(?<![^\W_])www\.[\w-][^\s<>\x60]*"
    r"|(?:[\w-]+\.)+(?!js\b|ts\b)(?:[a-z]{2}|com|net|org|edu|gov|pro|web|biz|xxx|info|dev|app"
    r"|aero|asia|coop|name|shop|site|online|cloud|museum|рф)(?![^\W_])(?:[/?#:][^\s<>\x60]*)?)",
    re.IGNORECASE,
)
_DEEPEST_FENCE = 3
_DEEPEST_LINK = 8  # nested links; deeper brackets are escaped
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_TRAILING = "*_~\"'.,;:!?)]}”’"
_FENCE_OPENING = re.compile(
    r"([ \t]*)(?:>[ \t]?|[-*+][ \t]+|\d{1,4}[.)][ \t]+)*(`{3,}|~{3,})[ \t]*(.*)"
)
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
_LANGUAGE = re.compile(r"[\w.+#-]*(?: [\w./-]+)?")
_TABLE_RULE = re.compile(r"^[ \t:-]*-[ \t:-]*\|[ \t:|-]*$", re.MULTILINE)
_CODE_IN_TABLE = re.compile(r"\\.|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_TARGET = re.compile(
    r"\(\s*(?:<(?P<angled>[^<>\n]*)>|(?P<plain>(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*))"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)"
)


class MarkdownSanitizer:
    """Sanitizes units under a link policy."""

    def __init__(self, policy: LinkPolicy) -> None:
        self._policy = policy

    def safe(self, unit: MarkdownUnit) -> MarkdownUnit:
        if unit.kind is UnitKind.FENCE:
            return MarkdownUnit(UnitKind.FENCE, _fenced(unit.text), "", unit.tail)
        # Only sentences that are too long are split where anything may follow.
        is_whole = len(unit.text) < LONGEST_SENTENCE // 2
        safe = _InlineSanitizer(unit.text, self._policy).safe(after=unit.tail[:1] or " " * is_whole)
        if unit.kind is UnitKind.TABLE:
            # Bars end cells even in code, and following text would become a row.
            safe = _CODE_IN_TABLE.sub(lambda code: code[0].replace("|", "\\|"), safe) + "\n"
        elif _TABLE_RULE.search(safe):
            safe = safe.replace("|", "\\|")  # a table needs outer bars
        return MarkdownUnit(unit.kind, safe, unit.lead, unit.tail)


class _InlineSanitizer:
    """One pass over inline Markdown. `links` is false within link text."""

    def __init__(
        self, text: str, policy: LinkPolicy, *, links: bool = True, depth: int = 0
    ) -> None:
        self._depth = depth
        self._text = text
        self._policy = policy
        self._links = links
        self._plain: list[tuple[str, bool]] = []  # characters, and whether each was escaped
        self._closings = _closings(text)

    def safe(self, after: str = " ") -> str:
        """Return the sanitized text. `after` is the following character; "" means any."""
        safe = ""
        for piece in self._pieces(after):
            # Adjacent code spans would be read as one mark.
            safe += f" {piece}" if safe.endswith("`") and piece.startswith("`") else piece
        return safe

    def _pieces(self, after: str) -> Iterator[str]:
        position = 0
        while position < len(self._text):
            special, end = self._special(position)
            if special is None:
                position = end
                continue
            yield from self._flushed(before=special)
            yield special
            position = end
        yield from self._flushed(before=after)

    def _special(self, position: int) -> tuple[str | None, int]:
        """Return the sanitized code or link that begins here, and its end."""
        text, character = self._text, self._text[position]
        if character == "\\" and re.match(r"[!-/:-@\[-`{-~]", text[position + 1 : position + 2]):
            self._plain.append((text[position + 1], True))
            return None, position + 2
        if character == "`":
            return self._code(position)
        if character == "!" and text.startswith("[", position + 1):
            return self._link(position + 1, image=True) or self._kept(position)
        if character == "[":
            return self._link(position, image=False) or self._kept(position)
        return self._kept(position)

    def _kept(self, position: int) -> tuple[None, int]:
        self._plain.append((self._text[position], False))
        return None, position + 1

    def _code(self, position: int) -> tuple[str | None, int]:
        marks = re.compile("`+").match(self._text, position)
        assert marks is not None  # noqa: S101 - the caller stands at one
        # Renderers end a code span where a line begins another block.
        end = self._text.find("\n", position)
        closing = re.compile(rf"(?<!`){marks[0]}(?!`)").search(
            self._text, marks.end(), end if end >= 0 else len(self._text)
        )
        if closing is None:
            self._plain += [("`", True)] * len(marks[0])
            return None, marks.end()
        return self._text[position : closing.end()], closing.end()

    def _link(self, position: int, *, image: bool) -> tuple[str | None, int] | None:
        closing = self._closings.get(position)
        if closing is None:
            return None
        target = _TARGET.match(self._text, closing + 1)
        if target is None:
            return None
        inner = self._text[position + 1 : closing]
        if self._depth >= _DEEPEST_LINK:
            return None
        words = _InlineSanitizer(inner, self._policy, links=False, depth=self._depth + 1).safe()
        url = self._policy.resolved(target["angled"] or target["plain"] or "")
        if image or url is None or not self._links or not words.strip():
            return words, target.end()
        return f"[{words}]({_closed(url)})", target.end()

    def _flushed(self, before: str) -> Iterator[str]:
        """Yield the plain text so far, with URLs as code unless they are allowed."""
        plain, self._plain = self._plain, []
        text = "".join(character for character, _ in plain)
        position = 0
        for found in _LINK.finditer(text):
            url = found[0].rstrip(_TRAILING)
            if found.start() < position or not url:
                continue
            mark = "<" if self._is_allowed(found, url) else "`"
            yield _marked(plain[position : found.start()], mark)
            yield f"<{url}>" if mark == "<" else f"`{url}`"
            position = found.start() + len(url)
        yield _marked(plain[position:], before)

    def _is_allowed(self, found: re.Match[str], url: str) -> bool:
        if not self._links:
            return False
        if found["mail"]:
            return self._policy.allows_mail(url)
        return found["url"] is not None and self._policy.resolved(url) == url


def _closings(text: str) -> dict[int, int]:
    """Return the end of each closed bracket by its start."""
    found, opened = {}, []
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == "[":
            opened.append(bracket.start())
        elif bracket[0] == "]" and opened:
            found[opened.pop()] = bracket.start()
    return found


def _marked(plain: list[tuple[str, bool]], before: str) -> str:
    """Escape characters that would begin a link, tag or entity."""
    following = [*(character for character, _ in plain[1:]), before[:1]]
    return "".join(
        f"\\{character}" if escaped or _is_risky(character, after) else character
        for (character, escaped), after in zip(plain, following, strict=False)
    )


def _is_risky(character: str, after: str) -> bool:
    if character == "\\":
        return True  # before inserted text it would be an escape
    if character == "]":
        return after in ("(", "[", ":", "")
    if character == "<":
        return after.isalpha() or after in ("/", "!", "?", "")
    if character == "&":
        return after.isalnum() or after in ("#", "")
    return character == "!" and after in ("[", "")


def _closed(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29")


def _fenced(text: str) -> str:
    """Return a fence that all renderers recognize, with its contents unchanged."""
    opening, _, body = text.partition("\n")
    found = _FENCE_OPENING.match(opening)
    assert found is not None  # noqa: S101 - the unit is a fence
    indent, mark, language = found.groups()
    lines = body.splitlines()
    if ">" in opening[: found.start(2)]:
        lines = [_QUOTED.sub("", line) for line in lines]
    if lines and set(lines[-1].strip()) == {mark[0]} and len(lines[-1].strip()) >= len(mark):
        lines.pop()
    indent = indent.replace("\t", "    ")
    runs = re.findall(re.escape(mark[0]) + "{3,}", "\n".join(lines))
    fence = mark[0] * max([len(mark), *(len(run) + 1 for run in runs)])
    # Lines with less indentation than the fence would end its list.
    shown = [line if line.startswith(indent) else indent + line.lstrip() for line in lines]
    name = _LANGUAGE.match(language)
    opened = f"{indent}{fence}{name[0] if name else ''}".rstrip()
    # With more indentation it would belong to the paragraph before it.
    before = "\n" if len(indent) > _DEEPEST_FENCE else ""
    return before + "\n".join([opened, *shown, f"{indent}{fence}"]) + "\n"
