"""The kinds of work that people ask an agent for, made concrete for a repository.

A kind looks at a repository and makes a task of it: what is asked for, how a model that
knows its business goes about it with the tools, and what the repository must be then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

from agent_repository import Expected, Plain, fields_of, title_line
from chat_server import Call

# Yields the calls of one answer, and is given what the tools returned.
Script = Generator[list[Call], list[str], None]
GONE = "-no-longer-there"
_BROKEN = 4  # links that are broken in the base, for somebody to repair
_NAME = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![A-Za-z0-9_])")


@dataclass
class Task:
    """`turns` are the messages to the job, each with how it is carried out."""

    kind: str
    expected: Expected
    turns: list[tuple[str, Callable[[], Script]]] = field(default_factory=list)

    def turn(self, prompt: str, script: Callable[[], Script]) -> Task:
        self.turns.append((f"[{self.kind}] {prompt}", script))
        return self


Kind = Callable[[Plain], Task | None]


def finish(title: str) -> list[Call]:
    return [Call("finish", {"title": title, "summary": f"{title}, as was asked for."})]


def page(title: str, body: str) -> str:
    return f'---\ntitle: "{title}"\ndescription: "{title}, in short."\n---\n\n{body}\n'


def entry_after(page_slug: str, beside: str) -> Call:
    return Call("edit_navigation", {"action": "add_page", "page": page_slug, "after": beside})


def replace(path: str, old: str, new: str, **more: bool) -> Call:
    return Call("replace_text", {"path": path, "old": old, "new": new, **more})


# --- the kinds ----------------------------------------------------------------------


def new_page(plain: Plain) -> Task | None:
    beside = _some_pages(plain)[0]
    slug = f"{_folder(beside)}rate-limits-explained"
    text = page("Rate limits explained", f"Read [this](/{beside}) first.\n\n## Limits\n\nTen.")
    expected = Expected(plain, {f"{slug}.mdx": text})
    expected.insert_entry(slug, beside)

    def script() -> Script:
        yield [Call("read_navigation"), Call("read_file", {"path": f"{beside}.mdx"})]
        yield [Call("write_file", {"path": f"{slug}.mdx", "text": text})]
        yield [entry_after(slug, beside)]
        yield [Call("check")]
        yield finish("Explain rate limits")

    prompt = f"Add a page about rate limits after {beside}"
    return Task("new page", expected).turn(prompt, script)


def rename(plain: Plain) -> Task | None:
    slug = next(
        (s for s in _some_pages(plain) if plain.plain_links[s] and _only_links(plain, s)), None
    )
    if slug is None:
        return None
    new = f"{slug}-renamed"
    expected = Expected(plain)
    expected.relink(slug, new)
    text = expected.text(f"{slug}.mdx")
    expected.texts |= {f"{slug}.mdx": None, f"{new}.mdx": text}
    expected.rename_strings(slug, new)
    expected.add_redirect(f"/{slug}", f"/{new}")

    def script() -> Script:
        yield [Call("search_text", {"pattern": slug, "literal": True, "output": "files"})]
        yield [Call("move_file", {"source": f"{slug}.mdx", "target": f"{new}.mdx"})]
        yield [Call("check")]
        yield finish("Rename a page")

    return Task("rename", expected).turn(f"Rename {slug} to {new}", script)


def broken_links(plain: Plain) -> Task | None:
    """The links were broken by `with_broken_links`."""
    expected = Expected(plain)
    for path, text in plain.prose.items():
        if f"{GONE})" in text:
            expected.texts[path] = text.replace(f"{GONE})", ")")

    if not expected.texts:
        return None

    def script() -> Script:
        yield [Call("check", {"scope": "all"})]
        found = yield [Call("search_text", {"pattern": rf"\]\([^)\s]+{GONE}\)"})]
        places = re.findall(rf"(?m)^(.+?\.mdx?):\d+:.*?\]\(([^)\s]+{GONE})\)", found[0])
        old = [(path, f"]({target})") for path, target in places]
        yield [replace(path, link, link.replace(GONE, "")) for path, link in old]
        yield [Call("check", {"scope": "all"})]
        yield finish("Repair broken links")

    return Task("broken links", expected).turn("Fix the broken links", script)


def parameter(plain: Plain) -> Task | None:
    name = _some_name(plain)
    if name is None:
        return None
    new = f"{name}_NEXT"
    expected = Expected(plain)
    for path, text in plain.prose.items():
        if name in text:
            expected.texts[path] = text.replace(name, new)

    def script() -> Script:
        asked = {"pattern": name, "literal": True, "case": "sensitive", "output": "files"}
        found = yield [Call("search_text", asked)]
        yield [replace(path, name, new, all=True) for path in found[0].splitlines()]
        yield [Call("check")]
        yield finish(f"Call {name} by its new name")

    return Task("parameter", expected).turn(f"{name} is now called {new}: update it", script)


def translation(plain: Plain) -> Task | None:
    slug = _some_pages(plain)[1]
    new = f"translated/de/{slug}"
    text = _translated(plain.texts[f"{slug}.mdx"])
    expected = Expected(plain, {f"{new}.mdx": text})
    expected.insert_entry(new, slug)

    def script() -> Script:
        yield [Call("read_file", {"path": f"{slug}.mdx"})]
        yield [Call("write_file", {"path": f"{new}.mdx", "text": text}), entry_after(new, slug)]
        yield [Call("preview_page", {"path": f"{new}.mdx"}), Call("check")]
        yield finish("Translate a page")

    return Task("translation", expected).turn(f"Translate {slug} to German", script)


def descriptions(plain: Plain) -> Task | None:
    pages = [s for s in _some_pages(plain) if "description:" not in fields_of(plain.pages[s])]
    pages = pages[:3] or _some_pages(plain)[2:5]
    expected = Expected(plain)
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

    return Task("descriptions", expected).turn("Add descriptions to pages", script)


def section(plain: Plain) -> Task | None:
    folder = next(filter(None, (_movable(plain, f) for f in _folders(plain))), None)
    if folder is None:
        return None
    new = f"{folder}-guide"
    expected = Expected(plain)
    moved = [s for s in plain.pages if s.startswith(f"{folder}/")]
    for slug in moved:
        expected.relink(slug, new + slug[len(folder) :])
        expected.rename_strings(slug, new + slug[len(folder) :])
    for slug in moved:
        text = expected.text(f"{slug}.mdx")
        expected.texts |= {f"{slug}.mdx": None, f"{new}{slug[len(folder) :]}.mdx": text}
    expected.add_redirect(f"/{folder}/:slug*", f"/{new}/:slug*")

    def script() -> Script:
        yield [Call("list_files", {"folder": folder, "depth": 3})]
        yield [Call("move_file", {"source": folder, "target": new})]
        yield [Call("check")]
        yield finish("Move a section")

    return Task("section", expected).turn(f"Move the section {folder} to {new}", script)


def changelog(plain: Plain) -> Task | None:
    slug = next((s for s in plain.pages if s.endswith(("changelog", "updates"))), None)
    slug = slug or _some_pages(plain)[3]
    path, text = f"{slug}.mdx", plain.texts[f"{slug}.mdx"]
    head = f"---\n{fields_of(text)}\n---\n"
    entry = '<Update label="Version 9.9">\n\n- Pages load faster.\n\n</Update>\n'
    expected = Expected(plain, {path: text.replace(head, f"{head}\n{entry}", 1)})

    def script() -> Script:
        yield [Call("read_file", {"path": path, "lines": 40})]
        yield [replace(path, head, f"{head}\n{entry}")]
        yield [Call("preview_page", {"path": path}), Call("check")]
        yield finish("Tell of version 9.9")

    return Task("changelog", expected).turn("Write the changelog of version 9.9", script)


def api_example(plain: Plain) -> Task | None:
    beside = _some_pages(plain)[4]
    slug = f"{_folder(beside)}request-by-hand"
    operation = _operation(plain)
    method, path = operation or ("GET", "/v1/things")
    call = f"curl -X {method} https://api.example.com{path}"
    text = page("A request by hand", f"## With curl\n\n```bash\n{call}\n```")
    expected = Expected(plain, {f"{slug}.mdx": text})
    expected.insert_entry(slug, beside)

    def script() -> Script:
        yield [Call("read_operations", {"operation": f"{method} {path}"} if operation else {})]
        yield [Call("write_file", {"path": f"{slug}.mdx", "text": text})]
        yield [entry_after(slug, beside), Call("check")]
        yield finish("Show a request")

    return Task("API example", expected).turn(f"Add an example of {method} {path}", script)


def half_reverted(plain: Plain) -> Task | None:
    kept, reverted = _some_pages(plain)[5:7]
    expected = Expected(plain)
    line = "This holds for all plans.\n"
    expected.texts[f"{kept}.mdx"] = f"{plain.texts[f'{kept}.mdx'].rstrip()}\n\n{line}"

    def first() -> Script:
        yield [Call("read_file", {"path": f"{each}.mdx"}) for each in (kept, reverted)]
        for each in (kept, reverted):
            text = f"{plain.texts[f'{each}.mdx'].rstrip()}\n\n{line}"
            yield [Call("write_file", {"path": f"{each}.mdx", "text": text})]
        yield finish("Say which plans have it")

    def second() -> Script:
        yield [Call("search_text", {"pattern": line.strip(), "literal": True})]
        text = plain.texts[f"{reverted}.mdx"]
        yield [Call("write_file", {"path": f"{reverted}.mdx", "text": text}), Call("check")]
        yield finish("Leave one page as it was")

    task = Task("half reverted", expected).turn(f"Add a line to {kept} and {reverted}", first)
    return task.turn(f"Not on {reverted}, please: take that back", second)


def deletion(plain: Plain) -> Task | None:
    parts = {s for s in plain.pages if plain.mentions(f"/{s}#")}  # others have other parts
    fitting = (s for s in _some_pages(plain) if 0 < plain.plain_links[s] < 8 and s not in parts)
    slug = next((s for s in fitting if _only_links(plain, s)), None)
    other = next(s for s in _some_pages(plain) if s != slug)
    if slug is None:
        return None
    expected = Expected(plain)
    expected.relink(slug, other)
    expected.texts[f"{slug}.mdx"] = None
    expected.remove_entry(slug)
    expected.add_redirect(f"/{slug}", f"/{other}", first=True)
    link = re.compile(rf"(?:\]\(|href=[\"'])/{re.escape(slug)}(?=[)\"'#?\s])")

    def script() -> Script:
        asked = {"pattern": f"/{slug}", "literal": True, "output": "files"}
        found = yield [Call("search_text", asked)]
        others = [p for p in found[0].splitlines() if p in plain.prose and p != f"{slug}.mdx"]
        yield [
            replace(path, old, old.replace(slug, other), all=True)
            for path in others
            for old in sorted(set(link.findall(plain.texts[path])))
        ]
        yield [Call("edit_navigation", {"action": "remove_page", "page": slug})]
        yield [Call("delete_file", {"path": f"{slug}.mdx"})]
        yield _redirect_edit(plain, f"/{slug}", f"/{other}")
        yield [Call("check")]
        yield finish("Take a page away")

    return Task("deletion", expected).turn(f"Delete {slug}; {other} says it all", script)


def group_renamed(plain: Plain) -> Task | None:
    groups = re.findall(r'"group": *"([^"\\]+)"', "\n".join(map(_text_of(plain), plain.settings)))
    label = next((g for g in groups if plain.written.count(g) == 1), None)
    if label is None:
        return None
    new = f"{label} and more"
    expected = Expected(plain)
    expected.rename_strings(label, new)

    def script() -> Script:
        yield [Call("read_navigation")]
        asked = {"action": "rename_group", "group": [label], "label": new}
        yield [Call("edit_navigation", asked), Call("check")]
        yield finish("Rename a group")

    return Task("group renamed", expected).turn(f"Rename the group {label} to {new}", script)


def reordered(plain: Plain) -> Task | None:
    pages = _some_pages(plain)
    slug, beside = pages[7], pages[1]
    expected = Expected(plain)
    expected.remove_entry(slug)
    expected.insert_entry(slug, beside)

    def script() -> Script:
        yield [Call("read_navigation")]
        asked = {"action": "move_page", "page": slug, "after": beside}
        yield [Call("edit_navigation", asked), Call("check")]
        yield finish("Put a page elsewhere")

    return Task("reordered", expected).turn(f"Put {slug} after {beside}", script)


def snippet(plain: Plain) -> Task | None:
    pages = _some_pages(plain)[8:10]
    path = "snippets/beta-note.mdx"
    note = "<Note>\n  This is a beta. It may change.\n</Note>\n"
    expected = Expected(plain, {path: note})
    heads: dict[str, tuple[str, str]] = {}
    for slug in pages:
        head = f"---\n{fields_of(plain.texts[f'{slug}.mdx'])}\n---\n"
        more = f"{head}\nimport BetaNote from '/{path}';\n\n<BetaNote />\n"
        heads[slug] = head, more
        expected.texts[f"{slug}.mdx"] = plain.texts[f"{slug}.mdx"].replace(head, more, 1)

    def script() -> Script:
        yield [Call("write_file", {"path": path, "text": note})]
        yield [replace(f"{slug}.mdx", *heads[slug]) for slug in pages]
        yield [Call("preview_page", {"path": f"{pages[0]}.mdx"}), Call("check")]
        yield finish("Say that it is a beta")

    return Task("snippet", expected).turn(f"{' and '.join(pages)} are in beta: say so", script)


def extended(plain: Plain) -> Task | None:
    """Three turns: a page, its new name, and a group for it."""
    beside = _some_pages(plain)[0]
    folder = _folder(beside)
    first_slug, slug = f"{folder}single-sign-on", f"{folder}sign-in-once"
    text = page("Single sign-on", "## Set it up\n\nAsk us.")
    expected = Expected(plain, {f"{slug}.mdx": f"{text}\nThat is all.\n"})
    expected.insert_entry(slug, beside)
    expected.add_redirect(f"/{first_slug}", f"/{slug}")

    def first() -> Script:
        yield [Call("write_file", {"path": f"{first_slug}.mdx", "text": text})]
        yield [entry_after(first_slug, beside)]
        yield finish("Describe single sign-on")

    def second() -> Script:
        moved = {"source": f"{first_slug}.mdx", "target": f"{slug}.mdx"}
        yield [Call("move_file", moved), Call("check")]
        yield finish("Call it by a simpler name")

    def third() -> Script:
        yield [Call("read_file", {"path": f"{slug}.mdx"})]
        yield [replace(f"{slug}.mdx", "Ask us.\n", "Ask us.\n\nThat is all.\n")]
        yield finish("End with a sentence")

    task = Task("extended", expected).turn("Describe single sign-on", first)
    return task.turn(f"Name it {slug}", second).turn("Say when it is over", third)


KINDS: tuple[Kind, ...] = (
    new_page, rename, broken_links, parameter, translation, descriptions, section, changelog,
    api_example, half_reverted, deletion, group_renamed, reordered, snippet, extended,
)  # fmt: skip


def with_broken_links(plain: Plain) -> dict[str, str]:
    """Texts of pages in which links were broken, for the base."""
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


# --- what they choose ---------------------------------------------------------------


def _some_pages(plain: Plain) -> list[str]:
    """Pages from all over the repository first."""
    pages = [*plain.pages]
    step = max(1, len(pages) // 12)
    return [*pages[::step], *(slug for number, slug in enumerate(pages) if number % step)]


def _only_links(plain: Plain, slug: str) -> bool:
    """Whether the page is named by plain links and its navigation entry alone."""
    named = sum(slug in text for text in plain.written)
    is_plain = plain.mentions(slug) == plain.plain_links[slug] and named == 1
    return is_plain and not plain.is_linked_relatively(slug.rpartition("/")[2])


def _folders(plain: Plain) -> Iterator[str]:
    yield from dict.fromkeys(s.rpartition("/")[0] for s in plain.pages if "/" in s)


def _movable(plain: Plain, folder: str) -> str | None:
    """The folder, where all of it is simple and named in simple ways."""
    inside = [path for path in plain.texts if path.startswith(f"{folder}/")]
    slugs = [s for s in plain.pages if s.startswith(f"{folder}/")]
    links = sum(plain.plain_links[s] for s in slugs)
    named = sum(f"{folder}/" in text for text in plain.written)
    fits = 2 <= len(inside) <= 25 and len(inside) == len(slugs) == named
    near = any(plain.is_linked_relatively(slug.rpartition("/")[2]) for slug in slugs)
    return folder if fits and not near and plain.mentions(f"{folder}/") == links else None


def _some_name(plain: Plain) -> str | None:
    """A name in capitals that stands in some pages, and never inside of another name."""
    holders: dict[str, int] = {}
    for text in plain.prose.values():
        for name in set(_NAME.findall(text)):
            holders[name] = holders.get(name, 0) + 1
    fitting = (n for n, count in sorted(holders.items()) if 2 <= count <= 12)
    return next((n for n in fitting if _is_whole(plain, n)), None)


def _is_whole(plain: Plain, name: str) -> bool:
    counts = (len(re.findall(rf"(?<!\w){name}(?!\w)", t)) for t in plain.prose.values())
    return plain.mentions(name) == sum(counts)


def _translated(text: str) -> str:
    """As a machine would: the title and the first paragraph are other words."""
    return text.replace(title_line(text), 'title: "Auf Deutsch"', 1)


def _operation(plain: Plain) -> tuple[str, str] | None:
    """Method and path of the first operation of a specification in JSON."""
    for path, text in plain.texts.items():
        if path.endswith(".json") and '"openapi"' in text[:200]:
            for name, item in json.loads(text).get("paths", {}).items():
                methods = [m for m in item if m in ("get", "post", "put", "patch", "delete")]
                if methods:
                    return methods[0].upper(), name
    return None


def _redirect_edit(plain: Plain, source: str, destination: str) -> list[Call]:
    """The settings' file with one more redirect, the first."""
    entry = f'{{ "source": "{source}", "destination": "{destination}" }}'
    name = plain.settings_name
    redirects = plain.settings[name].get("redirects")
    if isinstance(redirects, list):
        return [replace(name, '"redirects": [', f'"redirects": [{entry},')]
    if isinstance(redirects, dict):
        name, more = redirects["$ref"].removeprefix("./"), f"[\n  {entry},"
    else:
        more = f'{{\n  "redirects": [{entry}],'
    beginning = plain.texts[name][:80]
    return [replace(name, beginning, more + beginning[1:])]


def _folder(slug: str) -> str:
    folder = slug.rpartition("/")[0]
    return f"{folder}/" if folder else ""


def _text_of(plain: Plain) -> Callable[[str], str]:
    return plain.texts.__getitem__
