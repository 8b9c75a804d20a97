"""Body of a page about a symbol of a library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape

from docstead.content.reference_entries import LibrarySymbol
from docstead.content.symbols import Parameter, Signature, Symbol, SymbolKind, SymbolText
from docstead.markup.content_words import ContentTexts
from docstead.markup.rendered import LINK_MARK
from docstead.reference.common.text import code, described_html, field_box, markdown, pill, section
from docstead.reference.sdk.grouping import TITLES, in_order

# : Kinds whose members are shown as one field each.
_FIELDS = frozenset({SymbolKind.PROPERTY, SymbolKind.VALUE, SymbolKind.VARIABLE})

_HEADING = re.compile(r"<(/?)h[1-6]>")
_SHORT = 120  # characters of a note on the same line as its title
_UNNAMED = re.compile(r"[^\w-]+")

_Titled = Callable[[str, str, str], str]


def symbol_html(entry: LibrarySymbol, words: ContentTexts) -> str:
    """Return HTML of a symbol below the lead of its page."""
    page = _SymbolPage(entry.language, words)
    parts = page.parts(entry.symbol, described_html(entry.about))
    return f'<div class="ds-operation">{"".join(parts)}</div>'


class _SymbolPage:
    def __init__(self, language: str, words: ContentTexts) -> None:
        self._language = language
        self._words = words

    def parts(self, symbol: Symbol, about: str) -> Iterator[str]:
        yield _row(pill("type", escape(symbol.kind)), *self._facts(symbol), _source(symbol))
        yield self._body(symbol, about, section, "")
        if symbol.kind is SymbolKind.MODULE:
            yield from self._contents(symbol)
        else:
            yield from self._members(symbol)
        yield section("inherited", self._words.inherited, _line(symbol.inherited))
        yield section("see-also", self._words.see_also, _bullets(map(_text, symbol.see)))

    def _body(self, symbol: Symbol, about: str, titled: _Titled, anchor: str) -> str:
        """Return HTML of signatures and description; `titled` adds a title above a part."""
        ways = symbol.signatures
        if is_one := len(ways) == 1:
            parts = [self._details(ways[0], titled, anchor)]
        else:
            named = ((way, f"{anchor}--{position}") for position, way in enumerate(ways, 1))
            parts = [self._code(way) + self._details(way, _bold, name) for way, name in named]
        whole = (
            self._reason(symbol),
            self._code(ways[0]) if is_one else "",
            *(self._related(label, others) for label, others in symbol.relations),
            about,
            *parts,
            _row(*self._field_pills(symbol)) if symbol.kind in _FIELDS and not anchor else "",
            *(_note(title, text) for title, text in symbol.notes),
            self._examples(symbol, titled),
        )
        return "".join(whole)

    def _examples(self, symbol: Symbol, titled: _Titled) -> str:
        html = "".join(map(_text, symbol.examples))
        if len(symbol.examples) == 1:
            return titled("example", self._words.example, html)
        return titled("examples", self._words.examples, html)

    def _code(self, signature: Signature) -> str:
        return code(signature.code, self._language) if signature.code else ""

    def _details(self, signature: Signature, titled: _Titled, anchor: str) -> str:
        words = self._words
        types = self._parameters(signature.type_parameters, f"{anchor}--type")
        given = self._parameters(signature.parameters, f"{anchor}--param")
        raised = "".join(_answer(each.type, each.description) for each in signature.raises)
        parts = (
            _text(signature.description),
            titled("type-parameters", words.type_parameters, types),
            titled("parameters", words.parameters, given),
            titled("returns", words.returns, _answer(signature.returns, signature.returned)),
            titled("errors", words.errors, raised),
        )
        return "".join(parts)

    def _members(self, symbol: Symbol) -> Iterator[str]:
        for name, members in _by_kind(symbol.members):
            html = "".join(map(self._member, members))
            yield section(name, getattr(self._words, name), html)

    def _member(self, member: Symbol) -> str:
        anchor = member.url.partition("#")[2]
        if member.kind in _FIELDS and not member.signatures:
            body = self._body(member, _text(member.description), _bold, anchor)
            return field_box(member.name, anchor, "".join(self._field_pills(member)), body)
        head = _row(*self._facts(member), _source(member))
        name = f"{member.name}()" if member.kind is SymbolKind.METHOD else member.name
        see = _bold("", self._words.see_also, _bullets(map(_text, member.see)))
        return (
            f'<h3 id="{escape(anchor)}">{escape(name)}</h3>{head}'
            f"{self._body(member, _text(member.description), _bold, anchor)}{see}"
        )

    def _contents(self, symbol: Symbol) -> Iterator[str]:
        for name, members in _by_kind(symbol.members):
            yield section(name, getattr(self._words, name), _bullets(map(self._entry, members)))

    def _entry(self, symbol: Symbol) -> str:
        name = f"<code>{escape(symbol.name)}</code>"
        url = f"{LINK_MARK}{escape(symbol.url)}" if symbol.url else ""
        shown = f'<a href="{url}">{name}</a>' if url else name
        is_gone = symbol.deprecated is not None
        gone = " " + pill("deprecated", self._words.deprecated) if is_gone else ""
        return f"<p>{shown}{gone}</p>{_text(symbol.description)}"

    def _facts(self, symbol: Symbol) -> Iterator[str]:
        yield from (pill("label", escape(label)) for label in symbol.labels)
        if symbol.deprecated is not None:
            yield pill("deprecated", self._words.deprecated)

    def _field_pills(self, symbol: Symbol) -> Iterator[str]:
        if symbol.type:
            yield pill("type", _words(symbol.type))
        yield from self._facts(symbol)
        if symbol.optional:
            yield pill("label", self._words.optional)
        if symbol.default is not None:
            yield self._default(symbol.default)

    def _parameters(self, parameters: Iterable[Parameter], anchor: str) -> str:
        return "".join(
            field_box(
                each.name,
                f"{anchor.strip('-')}-{_UNNAMED.sub('-', each.name).strip('-') or position}",
                "".join(self._parameter_pills(each)),
                _text(each.description),
            )
            for position, each in enumerate(parameters)
        )

    def _parameter_pills(self, parameter: Parameter) -> Iterator[str]:
        if parameter.type:
            yield pill("type", _words(parameter.type))
        if parameter.default is not None:
            yield self._default(parameter.default)
        elif not parameter.optional:
            yield pill("required", self._words.required)

    def _default(self, written: str) -> str:
        words = self._words
        return pill("default", f"{words.default}{words.colon}<code>{escape(written)}</code>")

    def _related(self, label: str, named: Iterable[SymbolText]) -> str:
        title = getattr(self._words, label.lower().replace(" ", "_"))
        return f"<p><strong>{title}</strong> {', '.join(map(_code, named))}</p>"

    def _reason(self, symbol: Symbol) -> str:
        if not symbol.deprecated:
            return ""
        said, colon = self._words.deprecated, self._words.colon.rstrip()
        return _text(f"**{said[0].upper()}{said[1:]}{colon}** {symbol.deprecated}")


def _by_kind(members: Iterable[Symbol]) -> Iterator[tuple[str, list[Symbol]]]:
    """Yield members by kind, each with the kind's title, which is also the anchor."""
    found: dict[str, list[Symbol]] = {}
    for member in in_order(members):
        found.setdefault(TITLES[member.kind].lower(), []).append(member)
    yield from found.items()


def _row(*parts: str) -> str:
    """Return labels on one line, separated by spaces in plain text."""
    html = " ".join(filter(None, parts))
    return f'<div class="ds-field-head">{html}</div>' if html else ""


def _answer(type_: SymbolText, text: str) -> str:
    if not type_ and not text:
        return ""
    head = f'<div class="ds-field-head">{pill("type", _words(type_))}</div>' if type_ else ""
    body = f'<div class="ds-field-body">{_text(text)}</div>' if text else ""
    return f'<div class="ds-field field">{head}{body}</div>'


def _text(text: str) -> str:
    """Return a description without headings, which would begin sections of the page."""
    return _HEADING.sub(r"<\1p>", markdown(text))


def _words(words: SymbolText) -> str:
    return "".join(
        f'<a href="{LINK_MARK}{escape(url)}">{escape(text)}</a>' if url else escape(text)
        for text, url in words
    )


def _code(words: SymbolText) -> str:
    parts = ((f"<code>{escape(text)}</code>", url) for text, url in words)
    return "".join(
        f'<a href="{LINK_MARK}{escape(url)}">{html}</a>' if url else html for html, url in parts
    )


def _line(named: Iterable[SymbolText]) -> str:
    html = ", ".join(map(_code, named))
    return f"<p>{html}</p>" if html else ""


def _bullets(items: Iterable[str]) -> str:
    html = "".join(f"<li>{item}</li>" for item in items if item)
    return f"<ul>{html}</ul>" if html else ""


def _bold(_: str, title: str, html: str) -> str:
    head = f'<p class="ds-field-title"><strong>{escape(title)}</strong></p>'
    return f"{head}{html}" if html else ""


def _note(title: str, text: str) -> str:
    if not title:
        return _text(text)
    is_short = len(text) <= _SHORT and "\n" not in text
    return _text(f"**{title}** {text}") if is_short else _bold("", title, _text(text))


def _source(symbol: Symbol) -> str:
    text, url = symbol.source
    if not url:
        return ""
    shown = escape(text.rpartition("/")[2])
    return f'<a class="ds-field-source" href="{escape(url)}">{shown}</a>'
