"""A library, independent of the tool that documented it.

Texts are Markdown. Links to symbols of the library are `symbol:` and an id, until `placed` replaces
them with URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from docstead.content.symbols import Parameter, Signature, Symbol, SymbolKind, SymbolText

_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\(symbol:([\w.~%-]*)\)")

#: Kinds in `docs.json`, with their names in artifacts.
ASKED = {
    **{kind.value: (kind,) for kind in list(SymbolKind)[:6]},
    "method": (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR),
    "property": (SymbolKind.PROPERTY, SymbolKind.VALUE),
}


@dataclass(frozen=True, slots=True)
class SymbolGroup:
    """Group of symbols in the navigation; `about` is the module that contains them."""

    label: str
    symbols: tuple[Symbol, ...]
    about: Symbol | None = None
    groups: tuple[SymbolGroup, ...] = ()

    def all(self) -> Iterator[Symbol]:
        """Yield every symbol with a page, in their order."""
        if self.about is not None:
            yield self.about
        yield from self.symbols
        for group in self.groups:
            yield from group.all()


@dataclass(frozen=True, slots=True)
class SdkLibrary:
    """`file` is the artifact; `language` is that of signatures, for highlighting."""

    file: str
    language: str
    groups: tuple[SymbolGroup, ...]

    def all(self) -> Iterator[Symbol]:
        for group in self.groups:
            yield from group.all()

    def find(self, kind: str, name: str, parent: str = "") -> Symbol | None:
        """Return the first symbol of a kind and name, which may be qualified."""
        kinds = ASKED.get(kind, ())
        if parent:
            owners = (each for each in self.all() if parent in (each.name, each.qualified))
            found = [member for owner in owners for member in owner.members]
        else:
            found = list(self.all())
        fits = (each for each in found if each.kind in kinds)
        return next((each for each in fits if name in (each.name, each.qualified)), None)


def link(text: str, id_: str) -> str:
    """Return a Markdown link to a symbol."""
    if not id_:
        return text
    shown = _BRACKET.sub(r"\\\g<0>", text)
    return f"[{shown}](symbol:{quote(id_, safe='')})"


def plain(words: SymbolText) -> str:
    return "".join(text for text, _ in words)


def joined(*parts: SymbolText | str) -> SymbolText:
    """Concatenate words; adjacent texts without symbols are merged."""
    found: list[tuple[str, str]] = []
    run: list[str] = []
    for part in parts:
        for text, id_ in ((part, ""),) if isinstance(part, str) else part:
            if not id_:
                run.append(text)
                continue
            if before := "".join(run):
                found.append((before, ""))
            run = []
            found.append((text, id_))
    if last := "".join(run):
        found.append((last, ""))
    return tuple(found)


def apart(words: SymbolText) -> Iterator[SymbolText]:
    """Yield the items of a comma-separated list, respecting brackets."""
    current: list[tuple[str, str]] = []
    depth = 0
    for text, id_ in words:
        if id_:
            current.append((text, id_))
            continue
        start = 0
        for position, mark in enumerate(text):
            depth += (mark in "<[(") - (mark in ">])")
            if mark == "," and depth == 0:
                yield stripped((*current, (text[start:position], "")))
                current, start = [], position + 1
        current.append((text[start:], ""))
    if last := stripped(tuple(current)):
        yield last


def stripped(words: SymbolText) -> SymbolText:
    """Remove surrounding whitespace."""
    while words and not words[0][0].strip():
        words = words[1:]
    while words and not words[-1][0].strip():
        words = words[:-1]
    if not words:
        return ()
    words = ((words[0][0].lstrip(), words[0][1]), *words[1:])
    return (*words[:-1], (words[-1][0].rstrip(), words[-1][1]))


def placed_text(text: str, urls: Mapping[str, str]) -> str:
    """Return Markdown whose links to symbols lead to pages; others become text."""
    if "](symbol:" not in text:
        return text

    def resolved(match: re.Match[str]) -> str:
        url = urls.get(unquote(match[2]))
        return f"[{match[1]}]({url})" if url else match[1]

    return _LINK.sub(resolved, text)


def placed(symbol: Symbol, urls: Mapping[str, str]) -> Symbol:
    """Return a symbol, and its members, with URLs instead of ids."""
    return _SymbolPlacement(urls).symbol(symbol)


class _SymbolPlacement:
    def __init__(self, urls: Mapping[str, str]) -> None:
        self._urls = urls

    def symbol(self, symbol: Symbol) -> Symbol:
        reason = symbol.deprecated
        return replace(
            symbol,
            description=self._text(symbol.description),
            signatures=tuple(map(self._signature, symbol.signatures)),
            type=self._words(symbol.type),
            deprecated=None if reason is None else self._text(reason),
            examples=tuple(map(self._text, symbol.examples)),
            see=tuple(map(self._text, symbol.see)),
            notes=tuple((title, self._text(text)) for title, text in symbol.notes),
            relations=tuple(
                (label, tuple(map(self._words, named))) for label, named in symbol.relations
            ),
            members=tuple(map(self.symbol, symbol.members)),
            inherited=tuple(map(self._words, symbol.inherited)),
            url=self._urls.get(symbol.id, ""),
        )

    def _signature(self, signature: Signature) -> Signature:
        return replace(
            signature,
            description=self._text(signature.description),
            type_parameters=tuple(map(self._parameter, signature.type_parameters)),
            parameters=tuple(map(self._parameter, signature.parameters)),
            returns=self._words(signature.returns),
            returned=self._text(signature.returned),
            raises=tuple(map(self._parameter, signature.raises)),
        )

    def _parameter(self, parameter: Parameter) -> Parameter:
        description = self._text(parameter.description)
        return replace(parameter, type=self._words(parameter.type), description=description)

    def _words(self, words: SymbolText) -> SymbolText:
        return tuple((text, self._urls.get(id_, "") if id_ else "") for text, id_ in words)

    def _text(self, text: str) -> str:
        return placed_text(text, self._urls) if text else text
