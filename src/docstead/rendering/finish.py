"""Post-processing of the engine's HTML: code, API operation, icons, sections."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docstead.content.config import ApiSettings
from docstead.content.diagnostics import Diagnostic, Severity
from docstead.content.reference_entries import ManualOperation, ReferenceEntry
from docstead.markup.code_groups import CodeBlock, code_group
from docstead.markup.content_words import ENGLISH, ContentTexts
from docstead.markup.diagrams import DiagramProblem, DiagramRenderer
from docstead.markup.fences import FenceMeta, without_compiler_notes
from docstead.markup.grammars import SiteGrammars
from docstead.markup.highlight import highlight
from docstead.markup.icons import IconSet
from docstead.markup.rendered import Heading, RenderedPage, joined
from docstead.markup.sections import PageBody
from docstead.markup.utilities import class_names
from docstead.reference.common.shared import SharedProperties
from docstead.rendering.diagram_diagnostics import diagram_diagnostic
from docstead.rendering.engine_results import EngineDiagnostic, EngineResult, FenceParts
from docstead.rendering.notices import failed_page
from docstead.rendering.protocol import PageSource

_FENCE = re.compile(r'<ds-fence data-n="(\d+)"></ds-fence>')
_GROUP = re.compile(
    r'(<div (?:data-dropdown )?class="ds-code-group [^>]*>)'
    r'((?:\s*<ds-fence data-n="\d+"></ds-fence>)+)\s*</div>'
)
_ID = re.compile(r' id="([^"]+)"')
_NAMED = re.compile(r'( id="| href="#)([^"]+)(")')
_AGENTS = re.compile(r"<ds-agents>(?:(?!<ds-agents>).)*?</ds-agents>", re.DOTALL)
_STRING = re.compile(r"[\"'`]([^\"'`\n]{1,500})[\"'`]")
_WORD = re.compile(r"[!\-a-z][^\s{}<>;\"'`$]{0,80}")
_TASK = re.compile(r'<input type="checkbox"( checked)? disabled/>')
_HUMANS = re.compile(r"</?ds-humans>")
_OWN_CLASSES = re.compile(r'class="ds-[^"]*"')
_FEATURES = {
    "code": 'class="ds-code ',
    "code-group": 'class="ds-code-group ',
    "tabs": 'class="ds-tabs ',
    "views": 'class="ds-view',
    "tree": 'class="ds-tree ',
    "tooltip": 'class="ds-tooltip',
    "accordion": 'class="ds-accordion ',
    "prompt": 'class="ds-prompt ',
    "updates": 'class="ds-update ',
    "diagrams": 'class="ds-mermaid ',
    "mermaid": 'class="ds-mermaid mermaid"',  # rendered by the browser
}
_OTHER_FEATURES = {"math": "<math", "islands": "<ds-island "}
_PLAYGROUND = ' data-playground="'
_PLAYGROUNDS = {
    "playground": _PLAYGROUND,
    "socket": f" data-socket{_PLAYGROUND}",
    "oauth": f" data-oauth{_PLAYGROUND}",
}


class Finisher:
    """Finishes the pages of one site."""

    def __init__(
        self,
        icon_library: str,
        api: ApiSettings | None = None,
        grammars: SiteGrammars | None = None,
        words: Mapping[str, ContentTexts] | None = None,
        *,
        diagrams: DiagramRenderer | None = None,
        snippets: Mapping[str, tuple[str, int]] | None = None,
    ) -> None:
        """Initialize; `grammars` are those of the site's own languages.

        `snippets` are sources that pages import, with their first line, by path. `words` are texts
        added to pages, by language; English is built in.
        """
        self._library = icon_library
        self._grammars = grammars or SiteGrammars(())
        self._api = api or ApiSettings()
        self._icons = IconSet()
        self._words = words or {}
        self._diagrams = diagrams or DiagramRenderer()
        self._snippets = snippets or {}
        self._shared: dict[str | None, SharedProperties] = {}

    def begin_batch(self) -> None:
        """Reset the time limits that the pages of a batch share."""
        self._diagrams.begin_batch()

    def finish(self, source: PageSource, result: EngineResult) -> RenderedPage:
        """Return the page, or an error notice if it fails."""
        diagnostics = tuple(_diagnostic(diagnostic) for diagnostic in result.diagnostics)
        if result.failed:
            return failed_page(source.slug, diagnostics, self._words_of(source), source.body)
        try:
            return self._finished(source, result, diagnostics)
        except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
            diagnostics = (*diagnostics, _unfinished(source, error))
            return failed_page(source.slug, diagnostics, self._words_of(source), source.body)

    def _words_of(self, source: PageSource) -> ContentTexts:
        return self._words.get(source.language or "", ENGLISH)

    def _finished(
        self, source: PageSource, result: EngineResult, diagnostics: tuple[Diagnostic, ...]
    ) -> RenderedPage:
        blocks = [_block(fence) for fence in result.fences]
        words = self._words_of(source)
        shared = self._shared.setdefault(source.language, SharedProperties())
        marked, reference = self._reference(source.reference, result.html, shared, words)
        # Manually described operations follow the URL.
        is_manual = isinstance(source.reference, ManualOperation)
        for_people = _for_people(result.html)
        body = PageBody(_placed(marked, for_people, first=is_manual))
        found = _headings(result, for_people)
        agents_markdown = None
        if for_people != result.html:
            for_agents = PageBody(_placed(marked, result.html, first=is_manual))
            agents_markdown = joined(for_agents.sections(blocks, shared, words))
        added = body.headings("ds-operation") if reference else ()
        own, problems = self._own_html(for_people, blocks, words)
        html = _placed(reference, own, first=is_manual)
        missing: dict[str, None] = {}
        html = self._icons.inline(html, self._library, missing)
        return RenderedPage(
            slug=source.slug,
            html=html,
            headings=added + found if is_manual else found + added,
            sections=body.sections(blocks, shared, words),
            diagnostics=(
                *diagnostics,
                *self._failed_page(source, blocks),
                *(diagram_diagnostic(problem, source, self._snippets) for problem in problems),
                *(_unknown_icon(source, name) for name in missing),
            ),
            features=_features(html),
            classes=_class_names(result),
            script=result.script,
            specification=_specification(source.reference),
            link_lines=result.links,
            agents_markdown=agents_markdown,
        )

    def _reference(
        self,
        entry: ReferenceEntry | None,
        result: str,
        shared: SharedProperties,
        words: ContentTexts,
    ) -> tuple[str, str]:
        """Return a reference as HTML for machines and for readers."""
        if entry is None:
            return "", ""
        from docstead.reference.common.text import highlighted
        from docstead.reference.view import reference_html

        shared.clear_if_full()
        marked = reference_html(entry, self._api, result, shared, words)
        marked, html = _apart(marked, shared.whole(marked), result)
        return marked, highlighted(html)

    def _own_html(
        self, html: str, blocks: list[CodeBlock], words: ContentTexts
    ) -> tuple[str, tuple[DiagramProblem, ...]]:
        if 'class="task-list-item"' in html:  # boxes without an accessible name
            box = rf'<input type="checkbox"\1 disabled aria-label="{words.task}"/>'
            html = _TASK.sub(box, html)

        def grouped(match: re.Match[str]) -> str:
            members = [blocks[int(number)] for number in _FENCE.findall(match[2])]
            return code_group(match[1], members, self._grammars, words)

        html = _GROUP.sub(grouped, html)
        html = _FENCE.sub(lambda match: self._highlighted(blocks[int(match[1])], words), html)
        return self._diagrams.fill(
            html, lambda code: self._highlighted(CodeBlock(code, "mermaid", FenceMeta()), words)
        )

    def _highlighted(self, block: CodeBlock, words: ContentTexts) -> str:
        return highlight(block.code, block.language, block.meta, self._grammars, words)

    def _failed_page(self, source: PageSource, blocks: list[CodeBlock]) -> tuple[Diagnostic, ...]:
        """Return a diagnostic for each language with a failed grammar."""
        languages = dict.fromkeys(block.language for block in blocks)
        failed = [each for each in languages if self._grammars.has_given_up(each)]
        return tuple(_plain_code(source, language) for language in failed)


def _features(html: str) -> tuple[str, ...]:
    """Return the browser features of a page, whose classes are searched only once."""
    own = "".join(set(_OWN_CLASSES.findall(html)))
    found = [name for name, mark in _FEATURES.items() if mark in own]
    found += [name for name, mark in _OTHER_FEATURES.items() if mark in html]
    if _PLAYGROUND in html:
        found += [name for name, mark in _PLAYGROUNDS.items() if mark in html]
    return tuple(found)


def _class_names(result: EngineResult) -> tuple[str, ...]:
    """Return class names; words in scripts of islands count, because they may become classes."""
    if not result.script:
        return class_names(result.html)
    words = {word for text in _STRING.findall(result.script) for word in text.split()}
    return tuple(sorted({*class_names(result.html), *filter(_WORD.fullmatch, words)}))


def _unfinished(source: PageSource, error: Exception) -> Diagnostic:
    about = "its API operation" if source.reference else "its content"
    message = f"{about} could not be shown: {type(error).__name__}: {error}"
    return Diagnostic(source.file, source.first_line, 1, Severity.ERROR, "page-error", message)


def _plain_code(source: PageSource, language: str) -> Diagnostic:
    message = f"code in {language!r} stays plain: its grammar failed, or did not end in time"
    hint = "Look in the grammar for nested repetition."
    position = (source.file, source.first_line, 1)
    return Diagnostic(*position, Severity.WARNING, "grammar-failed", message, hint)


def _apart(marked: str, operation: str, result: str) -> tuple[str, str]:
    """Return an operation's HTML, after the page's own text, whose ids take precedence."""
    taken = set(_ID.findall(result)) & set(_ID.findall(operation)) if result else set()
    if not taken:
        return marked, operation

    def renamed(found: re.Match[str]) -> str:
        return f"{found[1]}{found[2]}-2{found[3]}" if found[2] in taken else found[0]

    return _NAMED.sub(renamed, marked), _NAMED.sub(renamed, operation)


def _specification(entry: ReferenceEntry | None) -> str:
    if entry is None:
        return ""
    from docstead.reference.openapi.excerpt import excerpt

    return excerpt(entry)


def _block(fence: FenceParts) -> CodeBlock:
    meta = FenceMeta.of(fence.options) if fence.options else FenceMeta.parse(fence.meta)
    language = fence.language
    if language == "nocopy":
        return CodeBlock(fence.code, "", FenceMeta.parse(f"nocopy {fence.meta}"))
    code = without_compiler_notes(fence.code) if meta.twoslash else fence.code
    return CodeBlock(code, language, meta)


def _headings(result: EngineResult, html: str) -> tuple[Heading, ...]:
    """Return the headings that are in the HTML for people."""
    found = (Heading(each.level, each.text, each.anchor) for each in result.headings)
    if html == result.html:
        return tuple(found)
    return tuple(each for each in found if f' id="{each.anchor}"' in html)


def _placed(operation: str, own: str, *, first: bool) -> str:
    return operation + own if first else own + operation


def _for_people(html: str) -> str:
    """Return HTML without what agents read in its place."""
    while "<ds-agents>" in html:
        html, count = _AGENTS.subn("", html)
        if not count:
            break
    return _HUMANS.sub("", html) if "ds-humans>" in html else html


def _diagnostic(diagnostic: EngineDiagnostic) -> Diagnostic:
    position = (diagnostic.file, diagnostic.line, diagnostic.column)
    return Diagnostic(
        *position, diagnostic.severity, diagnostic.code, diagnostic.message, diagnostic.hint
    )


def _unknown_icon(source: PageSource, name: str) -> Diagnostic:
    before, found, _ = source.body.partition(name)
    line = source.first_line + before.count("\n") if found else 0
    return Diagnostic(
        source.file,
        line,
        len(before) - before.rfind("\n") if found else 0,
        Severity.WARNING,
        "unknown-icon",
        f"there is no icon named '{name[:80]}'",
        "Use a name of Lucide or of Font Awesome Free, or the path of an image.",
    )
