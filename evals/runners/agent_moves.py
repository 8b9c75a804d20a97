"""Tasks that move or remove pages and groups."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent_choices import folders, has_only_links, movable, some_pages
from agent_repository import ExpectedRepository, PlainTexts
from agent_task import EvalTask, Script, finish, replace
from chat_server import Call


def rename(plain: PlainTexts) -> EvalTask | None:
    slug = next(
        (s for s in some_pages(plain) if plain.plain_links[s] and has_only_links(plain, s)), None
    )
    if slug is None:
        return None
    new = f"{slug}-renamed"
    expected = ExpectedRepository(plain)
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

    return EvalTask("rename", expected).turn(f"Rename {slug} to {new}", script)


def section(plain: PlainTexts) -> EvalTask | None:
    folder = next(filter(None, (movable(plain, f) for f in folders(plain))), None)
    if folder is None:
        return None
    new = f"{folder}-guide"
    expected = ExpectedRepository(plain)
    moved = [s for s in plain.pages if s.startswith(f"{folder}/")]
    for slug in moved:
        expected.relink(slug, new + slug[len(folder) :])
        expected.rename_strings(slug, new + slug[len(folder) :])
    for slug in moved:
        text = expected.text(f"{slug}.mdx")
        expected.texts |= {f"{slug}.mdx": None, f"{new}{slug[len(folder) :]}.mdx": text}
    expected.add_redirect(f"/{folder}/:slug*", f"/{new}/:slug*")

    def script() -> Script:
        yield [Call("list_files", {"glob": f"{folder}/**"})]
        yield [Call("move_file", {"source": folder, "target": new})]
        yield [Call("check")]
        yield finish("Move a section")

    return EvalTask("section", expected).turn(f"Move the section {folder} to {new}", script)


def deletion(plain: PlainTexts) -> EvalTask | None:
    parts = {s for s in plain.pages if plain.mentions(f"/{s}#")}  # others have other parts
    fitting = (s for s in some_pages(plain) if 0 < plain.plain_links[s] < 8 and s not in parts)
    slug = next((s for s in fitting if has_only_links(plain, s)), None)
    other = next(s for s in some_pages(plain) if s != slug)
    if slug is None:
        return None
    expected = ExpectedRepository(plain)
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
        yield [Call("navigation", {"action": "remove", "page": slug})]
        yield [Call("delete_file", {"path": f"{slug}.mdx"})]
        yield _redirect_edit(plain, f"/{slug}", f"/{other}")
        yield [Call("check")]
        yield finish("Take a page away")

    return EvalTask("deletion", expected).turn(f"Delete {slug}; {other} says it all", script)


def group_renamed(plain: PlainTexts) -> EvalTask | None:
    groups = re.findall(r'"group": *"([^"\\]+)"', "\n".join(map(_text_of(plain), plain.settings)))
    label = next((g for g in groups if plain.written.count(g) == 1), None)
    if label is None:
        return None
    new = f"{label} and more"
    expected = ExpectedRepository(plain)
    expected.rename_strings(label, new)

    def script() -> Script:
        yield [Call("navigation", {"action": "read"})]
        asked = {"action": "rename", "group": [label], "label": new}
        yield [Call("navigation", asked), Call("check")]
        yield finish("Rename a group")

    return EvalTask("group renamed", expected).turn(f"Rename the group {label} to {new}", script)


def reordered(plain: PlainTexts) -> EvalTask | None:
    pages = some_pages(plain)
    slug, beside = pages[7], pages[1]
    expected = ExpectedRepository(plain)
    expected.remove_entry(slug)
    expected.insert_entry(slug, beside)

    def script() -> Script:
        yield [Call("navigation", {"action": "read"})]
        asked = {"action": "move", "page": slug, "after": beside}
        yield [Call("navigation", asked), Call("check")]
        yield finish("Put a page elsewhere")

    return EvalTask("reordered", expected).turn(f"Put {slug} after {beside}", script)


def _redirect_edit(plain: PlainTexts, source: str, destination: str) -> list[Call]:
    """Return an edit that adds a redirect, as the first one."""
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


def _text_of(plain: PlainTexts) -> Callable[[str], str]:
    return plain.texts.__getitem__
