"""Policies of the reader model, one for each kind of instruction.

A policy knows only the instruction and what the tools return. It invents nothing: what it cannot
find, it reports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent_reader import Policy, Steps, ToolSet
from chat_server import Call

Match = re.Match[str]

_QUOTED = "“([^”]*)”"
_PATH = "`([^`]+)`"
_UNABLE = "I could not do it"


def _around(text: str, old: str, at: int) -> tuple[str, str]:
    """Return enough text before and after the position `at` to make it unique."""
    before, after = at, at + len(old)
    while text.count(text[before:after]) > 1:
        before = text.rfind("\n", 0, max(0, before - 1)) + 1
        after = text.find("\n", after + 1) if text.find("\n", after + 1) >= 0 else len(text)
        if before == 0 and after == len(text):
            break
    return text[before:at], text[at + len(old) : after]


def _edited(tools: ToolSet, path: str, text: str, change: tuple[str, str], at: int) -> Steps:
    """Replace one occurrence, check and finish."""
    old, new = change
    before, after = _around(text, old, at)
    changed = {"old_string": before + old + after, "new_string": before + new + after}
    found = yield [tools.call("edit_file", path=path, **changed)]
    if "changed" not in found.text:
        yield tools.finish("Edit nothing", f"{_UNABLE}: {found.text[:300]}")
        return
    yield from checked(tools, f"Edit {path}")


def checked(tools: ToolSet, title: str) -> Steps:
    found = yield [tools.call("check")]
    if not found.text.startswith("passed"):
        yield tools.finish(title, f"The check still finds: {found.text[:300]}")
        return
    yield tools.finish(title)


def missing(tools: ToolSet, what: str) -> list[Call]:
    return tools.finish("Change nothing", f"{_UNABLE}: {what} is not there.")


def replace(tools: ToolSet, asked: Match) -> Steps:
    """Change “a” to “b” in `path`; with a heading, the first occurrence below “heading”."""
    path, heading, old, new = asked[1], asked[2] or "", asked[3], asked[4]
    text = yield from tools.read(path)
    begin = text.find(heading) if text is not None else -1
    at = text.find(old, begin + len(heading)) if text is not None and begin >= 0 else -1
    if text is None or at < 0:
        yield missing(tools, f"“{old}” in {path}" if text is not None else path)
        return
    yield from _edited(tools, path, text, (old, new), at)


def say(tools: ToolSet, asked: Match) -> Steps:
    """Make sure that `path` says “a”; where it does not, it is added as a paragraph."""
    path, line = asked[1], asked[2]
    text = yield from tools.read(path)
    if text is not None and line in text:
        yield tools.finish("Change nothing", f"{path} says that already, so nothing had to change.")
        return
    yield [tools.call("write_file", path=path, text=f"\n{line}\n", append=True)]
    yield from checked(tools, f"Add a sentence to {path}")


def cell(tools: ToolSet, asked: Match) -> Steps:
    """Set the column “c” of the row “r” to “v” in the table of `path`."""
    path, column, row, value = asked[1], asked[2], asked[3], asked[4]
    text = (yield from tools.read(path)) or ""
    lines = [line for line in text.split("\n") if line.startswith("|")]
    head = [line for line in lines if column in [c.strip() for c in _cells(line)]]
    found = [line for line in lines if _cells(line)[0].strip() == row]
    if len(head) != 1 or len(found) != 1:
        yield missing(tools, f"the row {row}")
        return
    number = [c.strip() for c in _cells(head[0])].index(column)
    cells = _cells(found[0])
    cells[number] = f" {value} "
    new = "|" + "|".join(cells) + "|"
    yield from _edited(tools, path, text, (found[0], new), text.index(found[0]))


def _cells(line: str) -> list[str]:
    return re.split(r"(?<!\\)\|", line.strip())[1:-1]


def summary_of(tools: ToolSet, asked: Match) -> Steps:
    """Set the summary of `GET /x` to “s” in `path`, which is JSON or YAML."""
    path, method, route, new = asked[1], asked[2].lower(), asked[3], asked[4]
    text = (yield from tools.read(path)) or ""
    start = max(text.find(f'"{route}":'), text.find(f"\n  {route}:"))
    begin = text.find(method, start) if start >= 0 else -1
    match = re.compile(r"(summary\"?: ?\"?)([^\"\n]*)").search(text, begin) if begin >= 0 else None
    if match is None:
        yield missing(tools, f"the summary of {asked[2]} {route}")
        return
    at = match.start()
    old, new = match[1] + match[2], match[1] + new
    yield from _edited(tools, path, text, (old, new), at)


def move(tools: ToolSet, asked: Match) -> Steps:
    """Move `a` to `b`."""
    found = yield [tools.call("move_file", source=asked[1], target=asked[2])]
    if "moved" not in found.text and "->" not in found.text:
        yield tools.finish("Move nothing", f"{_UNABLE}: {found.text[:300]}")
        return
    yield from checked(tools, f"Move {asked[1]}")


def move_group(tools: ToolSet, asked: Match) -> Steps:
    """Move the group “g” of the tab “t” into the tab “u”."""
    group, tab, target = asked[1], asked[2], asked[3]
    seen = yield [tools.call("navigation", action="read")]
    if group not in seen.text or target not in seen.text:
        yield missing(tools, f"the group {group}")
        return
    moved = tools.call("navigation", action="move", group=[tab, group], into=[target])
    found = yield [moved]
    if "moved" not in found.text:
        yield tools.finish("Move nothing", f"{_UNABLE}: {found.text[:300]}")
        return
    yield from checked(tools, f"Move {group} to {target}")


def rename_term(tools: ToolSet, asked: Match) -> Steps:
    """Call “a” “b” in all pages, but not in code: counted before and after."""
    old, new = asked[1], asked[2]
    look = [tools.call("search_text", pattern=old, output="count")]
    before = yield look
    pattern = rf"\b{old}\b"
    line = {"pattern": pattern, "replacement": new, "globs": ["**/*.mdx", "*.mdx"]}
    options = {"regex": True, "prose_only": True}
    tried = yield [tools.call("replace_in_files", **line, **options, dry_run=True)]
    if "would change" not in tried.text:
        yield missing(tools, f"“{old}” ({before.text[:100]})")
        return
    yield [tools.call("replace_in_files", **line, **options)]
    yield from checked(tools, f"Call {old} {new}")


def where_written(tools: ToolSet, asked: Match) -> Steps:
    """Change “a” to “b” where it is written: found by a search, which may be a snippet."""
    old, new = asked[1], asked[2]
    found = yield [tools.call("search_text", pattern=old, literal=True)]
    paths = list(dict.fromkeys(re.findall(r"(?m)^([^\n:]+):\d+:", found.text)))
    for path in paths:
        text = (yield from tools.read(path)) or ""
        edit = {"old_string": old, "new_string": new, "replace_all": True}
        if old in text:
            yield [tools.call("edit_file", path=path, **edit)]
    if not paths:
        yield missing(tools, f"“{old}”")
        return
    yield from checked(tools, f"Change {old} to {new}")


def field_of(tools: ToolSet, asked: Match) -> Steps:
    """Set `field` to “v” in the front matter of `path`."""
    path, name, value = asked[1], asked[2], asked[3]
    text = (yield from tools.read(path)) or ""
    end = text.find("\n---", 3)
    match = re.search(rf"(?m)^{name}: .*$", text[:end]) if end > 0 else None
    new = f'{name}: "{value}"'
    if match is None and end > 0:
        yield from _edited(tools, path, text, ("\n---", f"\n{new}\n---"), end)
        return
    if match is None:
        yield missing(tools, f"front matter of {path}")
        return
    yield from _edited(tools, path, text, (match[0], new), match.start())


def remove(tools: ToolSet, asked: Match) -> Steps:
    """Remove the page `a` and send its readers to `b`: links, navigation, redirect."""
    page, target = asked[1], asked[2]
    found = yield [tools.call("search_text", pattern=f"/{page}", literal=True, globs=["**.mdx"])]
    yield [
        tools.call("delete_file", path=f"{page}.mdx"),
        tools.call("navigation", action="remove", page=page),
    ]
    paths = list(dict.fromkeys(re.findall(r"(?m)^([^\n:]+):\d+:", found.text)))
    for path in (each for each in paths if each != f"{page}.mdx"):
        edit = {"old_string": f"(/{page})", "new_string": f"(/{target})", "replace_all": True}
        yield [tools.call("edit_file", path=path, **edit)]
    settings = (yield from tools.read("docs.json")) or ""
    at = settings.find('"redirects": [')
    new = f'{{ "source": "/{page}", "destination": "/{target}" }}'
    if at < 0:
        last = settings.rstrip().rfind("}")
        before = settings[:last].rstrip()
        old = before[before.rfind("\n") :] + "\n}"
        added = old[:-2] + f',\n  "redirects": [{new}]\n}}'
        yield [tools.call("edit_file", path="docs.json", old_string=old, new_string=added)]
    else:
        old = '"redirects": ['
        yield [
            tools.call("edit_file", path="docs.json", old_string=old, new_string=f"{old}{new}, ")
        ]
    yield from checked(tools, f"Remove {page}")


def write_page(tools: ToolSet, asked: Match) -> Steps:
    """Write the page `a` after `b`, titled “t”, described as “d”, saying “x” n times."""
    page, beside, title, description, text = asked[1], asked[2], asked[3], asked[4], asked[5]
    count = int(asked[6] or 1)
    lines = [text.replace("#", str(number)) for number in range(1, count + 1)]
    head = f'---\ntitle: "{title}"\ndescription: "{description}"\n---\n'
    half = len(lines) // 2
    parts = [lines[:half], lines[half:]] if count > 1 else [lines]
    path = f"{page}.mdx"
    yield [tools.call("write_file", path=path, text=head + _paragraphs(parts[0]))]
    for part in parts[1:]:
        yield [tools.call("write_file", path=path, text=_paragraphs(part), append=True)]
    found = yield [tools.call("navigation", action="add_page", page=page, after=beside)]
    if "added" not in found.text:
        yield tools.finish(f"Add {page}", f"{_UNABLE}: {found.text[:300]}")
        return
    yield from checked(tools, f"Add {page}")


def _paragraphs(lines: list[str]) -> str:
    return "".join(f"\n{line}\n" for line in lines)


def release(tools: ToolSet, asked: Match) -> Steps:
    """Add the version “v” of “d” with “t” on top of the changelog `path`."""
    version, date, path, text = asked[1], asked[2], asked[3], asked[4]
    old = (yield from tools.read(path)) or ""
    at = old.find("<Update ")
    if at < 0:
        yield missing(tools, f"an entry in {path}")
        return
    line = old[at : old.index("\n", at)]
    new = f'<Update label="{version}" description="{date}">\n  {text}\n</Update>\n\n{line}'
    yield from _edited(tools, path, old, (line, new), at)


def example(tools: ToolSet, asked: Match) -> Steps:
    """Show the key “k” in `path` after “a”; a key that is refused becomes a placeholder."""
    key, path, anchor = asked[1], asked[2], asked[3]
    text = (yield from tools.read(path)) or ""
    edit = {"old_string": anchor, "new_string": anchor.replace("KEY", key)}
    if "KEY" not in anchor or text.count(anchor) != 1:
        yield missing(tools, f"“{anchor}”")
        return
    yield [tools.call("edit_file", path=path, **edit)]
    found = yield tools.finish(f"Show a key in {path}")
    if "YOUR_API_KEY" not in found.said:
        return
    back = {"old_string": key, "new_string": "YOUR_API_KEY"}
    yield [tools.call("edit_file", path=path, **back)]
    yield tools.finish(
        f"Show a key in {path}", "The key is a placeholder, as real ones may not be."
    )


POLICIES: Mapping[str, Policy] = {
    rf"In {_PATH}(?:, under {_QUOTED})?, change {_QUOTED} to {_QUOTED}\.": replace,
    rf"Make sure that {_PATH} says {_QUOTED}\.": say,
    rf"In the table of {_PATH}, set the column {_QUOTED} of the row {_QUOTED} to {_QUOTED}\.": cell,
    rf"In {_PATH}, set the summary of `([A-Z]+) ([^`]+)` to {_QUOTED}\.": summary_of,
    rf"Move {_PATH} to {_PATH}\.": move,
    rf"Move the group {_QUOTED} of the tab {_QUOTED} into the tab {_QUOTED}\.": move_group,
    rf"Call {_QUOTED} {_QUOTED} in all pages, but not in code\.": rename_term,
    rf"Change {_QUOTED} to {_QUOTED} where it is written\.": where_written,
    rf"In the front matter of {_PATH}, set `(\w+)` to {_QUOTED}\.": field_of,
    rf"Remove the page {_PATH} and send its readers to {_PATH}\.": remove,
    rf"Write the page {_PATH} after {_PATH}, titled {_QUOTED}, described as {_QUOTED}, "
    rf"saying {_QUOTED}(?: (\d+) times, # being the number)?\.": write_page,
    rf"Add {_QUOTED} of {_QUOTED} to the top of {_PATH}: {_QUOTED}\.": release,
    rf"Show the key {_QUOTED} in {_PATH} at {_QUOTED}\.": example,
}
