"""Tasks that change the same thing in many pages."""

from __future__ import annotations

import re

from agent_choices import some_name, some_pages
from agent_repository import ExpectedRepository, PlainTexts, fields_of, title_line
from agent_task import EvalTask, Script, finish, replace
from chat_server import Call

GONE = "-no-longer-there"
_BROKEN = 4  # links that are broken in the base, to be repaired


def broken_links(plain: PlainTexts) -> EvalTask | None:
    """Return a task that repairs the links broken by `with_broken_links`."""
    expected = ExpectedRepository(plain)
    for path, text in plain.prose.items():
        if f"{GONE})" in text:
            expected.texts[path] = text.replace(f"{GONE})", ")")

    if not expected.texts:
        return None

    def script() -> Script:
        yield [Call("check", {"everything": True})]
        found = yield [Call("search_text", {"pattern": rf"\]\([^)\s]+{GONE}\)"})]
        links = re.findall(rf"(?m)^(.+?\.mdx?):\d+:.*?\]\(([^)\s]+{GONE})\)", found[0])
        old = [(path, f"]({target})") for path, target in links]
        yield [replace(path, link, link.replace(GONE, "")) for path, link in old]
        yield [Call("check", {"everything": True})]
        yield finish("Repair broken links")

    return EvalTask("broken links", expected).turn("Fix the broken links", script)


def parameter(plain: PlainTexts) -> EvalTask | None:
    name = some_name(plain)
    if name is None:
        return None
    new = f"{name}_NEXT"
    expected = ExpectedRepository(plain)
    for path, text in plain.prose.items():
        if name in text:
            expected.texts[path] = text.replace(name, new)

    def script() -> Script:
        asked = {"pattern": f"(?-i){re.escape(name)}", "output": "files"}
        found = yield [Call("search_text", asked)]
        yield [replace(path, name, new, all=True) for path in found[0].splitlines()]
        yield [Call("check")]
        yield finish(f"Call {name} by its new name")

    return EvalTask("parameter", expected).turn(f"{name} is now called {new}: update it", script)


def descriptions(plain: PlainTexts) -> EvalTask | None:
    pages = [s for s in some_pages(plain) if "description:" not in fields_of(plain.pages[s])]
    pages = pages[:3] or some_pages(plain)[2:5]
    expected = ExpectedRepository(plain)
    edits: list[tuple[str, str, str]] = []
    for slug in pages:
        text = plain.texts[f"{slug}.mdx"]
        known = re.search(r"(?m)^description:.*(?:\n[ \t]+.*)*$", fields_of(text))
        old = known.group() if known else title_line(text)
        line = f'description: "What {slug} is about."'
        edits.append((f"{slug}.mdx", f"{old}\n", f"{line}\n" if known else f"{old}\n{line}\n"))
        path, before, after = edits[-1]
        expected.texts[path] = text.replace(before, after, 1)

    def script() -> Script:
        yield [Call("search_text", {"pattern": "^description:", "output": "count", "limit": 50})]
        for path, old, new in edits:
            yield [Call("read_file", {"path": path, "lines": 12})]
            yield [replace(path, old, new)]
        yield [Call("check")]
        yield finish("Describe pages")

    return EvalTask("descriptions", expected).turn("Add descriptions to pages", script)


def snippet(plain: PlainTexts) -> EvalTask | None:
    pages = some_pages(plain)[8:10]
    path = "snippets/beta-note.mdx"
    note = "<Note>\n  This is a beta. It may change.\n</Note>\n"
    expected = ExpectedRepository(plain, {path: note})
    heads: dict[str, tuple[str, str]] = {}
    for slug in pages:
        head = f"---\n{fields_of(plain.texts[f'{slug}.mdx'])}\n---\n"
        more = f"{head}\nimport BetaNote from '/{path}';\n\n<BetaNote />\n"
        heads[slug] = head, more
        expected.texts[f"{slug}.mdx"] = plain.texts[f"{slug}.mdx"].replace(head, more, 1)

    def script() -> Script:
        yield [Call("write_file", {"path": path, "text": note})]
        yield [replace(f"{slug}.mdx", *heads[slug]) for slug in pages]
        yield [Call("read_file", {"path": f"{pages[0]}.mdx", "rendered": True}), Call("check")]
        yield finish("Say that it is a beta")

    return EvalTask("snippet", expected).turn(f"{' and '.join(pages)} are in beta: say so", script)


def with_broken_links(plain: PlainTexts) -> dict[str, str]:
    """Return texts of pages with broken links, for the base."""
    found: dict[str, str] = {}
    for slug, text in plain.pages.items():
        link = next(
            (m for m in re.finditer(r"\]\(/([^)#?\s]+)\)", text) if m[1] in plain.pages), None
        )
        if link and text.count(link.group()) == 1 and "```" not in text and "<!--" not in text:
            found[f"{slug}.mdx"] = text.replace(link.group(), f"](/{link[1]}{GONE})")
        if len(found) == _BROKEN:
            break
    return found
