"""Policies of the reader model for requests of maintainers of public repositories."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent_policies import checked, missing
from agent_reader import Policy, Steps, ToolSet

Match = re.Match[str]

_FRONT_MATTER = re.compile(r"---\n.*?\n---\n\n?", re.DOTALL)
_FENCED = re.compile(r"(?ms)^( *)```.*?^\1```")
_NOTE = re.compile(r"<Note>(.*?)</Note>", re.DOTALL)
_ROW = re.compile(r"(?m)^\| `([A-Z_]+)` \|.*$")
_HEADING = re.compile(r"(?m)^(#+) (.*)$")


def notice(tools: ToolSet, asked: Match) -> Steps:
    """Put the warning “w” on top of all pages in `folder`, above their texts."""
    text, folder = asked[1], asked[2]
    found = yield [tools.call("list_files", glob=f"{folder}/**")]
    paths = re.findall(rf"(?m)\b({folder}/[\w/.-]+\.mdx)", found.text)
    for path in paths:
        page = (yield from tools.read(path)) or ""
        if text in page:
            continue
        head = _FRONT_MATTER.match(page)
        end = head.end() if head else 0
        first = page[end : page.index("\n", end) + 1]
        added = f"<Warning>\n  {text}\n</Warning>\n\n"
        change = {"old_string": page[:end] + first, "new_string": page[:end] + added + first}
        yield [tools.call("edit_file", path=path, **change)]
    if not paths:
        yield missing(tools, folder)
        return
    yield from checked(tools, f"Warn that {folder} is deprecated")


def version(tools: ToolSet, asked: Match) -> Steps:
    """Install `package` in version “b” instead of “a” in all commands."""
    package, new, old = asked[1], asked[2], asked[3]
    pattern = rf'(^|[\s"])({package}(?:==|@|" = "|:)){re.escape(old)}\b'
    replacement = {"pattern": f"(?m){pattern}", "replacement": rf"\1\2{new}", "regex": True}
    globs = ["**/*.mdx", "*.mdx"]
    tried = yield [tools.call("replace_in_files", **replacement, globs=globs, dry_run=True)]
    if "would change" not in tried.text:
        yield missing(tools, f"{package} {old}")
        return
    yield [tools.call("replace_in_files", **replacement, globs=globs)]
    yield from checked(tools, f"Install {package} {new}")


def warnings(tools: ToolSet, asked: Match) -> Steps:
    """Make warnings of all notes that say “w”, but not of examples in code."""
    word = asked[1]
    found = yield [tools.call("search_text", pattern="<Note>", literal=True, output="files")]
    for path in re.findall(r"(?m)^([^\s:]+\.mdx)", found.text):
        page = (yield from tools.read(path)) or ""
        code = [range(*match.span()) for match in _FENCED.finditer(page)]
        notes = [
            note[0]
            for note in _NOTE.finditer(page)
            if word in note[1] and not any(note.start() in each for each in code)
        ]
        edits = [
            {"old_string": note, "new_string": note.replace("Note>", "Warning>")} for note in notes
        ]
        if edits:
            yield [tools.call("edit_file", path=path, edits=edits)]
    yield from checked(tools, f"Show notes on what is {word} as warnings")


def same_settings(tools: ToolSet, asked: Match) -> Steps:
    """Add the settings of `a` that the table of `b` lacks, where `a` has them."""
    source, target = asked[1], asked[2]
    words = dict(re.findall(r"`([A-Z_]+)` “([^”]*)”", asked[3]))
    rows = {m[1]: m[0] for m in _ROW.finditer((yield from tools.read(source)) or "")}
    text = (yield from tools.read(target)) or ""
    there = {m[1]: m[0] for m in _ROW.finditer(text)}
    added: dict[str, str] = {}  # rows to insert, by the row that precedes them
    before = ""
    for name, row in rows.items():
        if name in there:
            before = there[name]
            continue
        cells = re.split(r"(?<!\\)\|", row)
        cells[-2] = f" {words[name]} "
        added[before] = added.get(before, "") + "\n" + "|".join(cells)
    if "" in added or not added:
        yield missing(tools, f"a row of {target}")
        return
    edits = [{"old_string": row, "new_string": row + new} for row, new in added.items()]
    yield [tools.call("edit_file", path=target, edits=edits)]
    yield from checked(tools, f"Add settings to {target}")


def move_section(tools: ToolSet, asked: Match) -> Steps:
    """Move the section “s” of `a` to the end of `b`, with the links to it."""
    title, source, target = asked[1], asked[2], asked[3]
    text = (yield from tools.read(source)) or ""
    section = _section(text, title)
    if not section:
        yield missing(tools, f"the section {title}")
        return
    anchor = title.lower().replace(" ", "-")
    here, there = source.removesuffix(".mdx"), target.removesuffix(".mdx")
    yield [
        tools.call("write_file", path=target, text=f"\n{section.rstrip()}\n", append=True),
        tools.call("edit_file", path=source, old_string=section, new_string=""),
    ]
    found = yield [tools.call("search_text", pattern=f"#{anchor}", literal=True, output="files")]
    for path in re.findall(r"(?m)^([^\s:]+\.mdx)", found.text):
        page = (yield from tools.read(path)) or ""
        links = {match[0] for match in re.finditer(rf'[("](?:/{here})?#{anchor}[)"]', page)}
        for link in sorted(each for each in links if f"/{here}#" in each or path == source):
            new = f"{link[0]}/{there}#{anchor}{link[-1]}"
            change = {"old_string": link, "new_string": new, "replace_all": True}
            yield [tools.call("edit_file", path=path, **change)]
    yield from checked(tools, f"Move {title} to {target}")


def _section(text: str, title: str) -> str:
    """Return the section with its subsections; headings in code do not end it."""
    code = [range(*match.span()) for match in _FENCED.finditer(text)]
    headings = [
        match for match in _HEADING.finditer(text) if not any(match.start() in r for r in code)
    ]
    own = next((match for match in headings if match[2] == title), None)
    if own is None:
        return ""
    after = (m.start() for m in headings if m.start() > own.start() and len(m[1]) <= len(own[1]))
    return text[own.start() : next(after, len(text))]


MAINTAINER_POLICIES: Mapping[str, Policy] = {
    r"Put the warning “([^”]*)” on top of all pages in `([^`]+)`, above their texts\.": notice,
    r"Install `([^`]+)` in version “([^”]*)” instead of “([^”]*)” in all commands\.": version,
    r"Show all notes that say “([^”]*)” as warnings, but not examples in code\.": warnings,
    r"Add the settings of `([^`]+)` that `([^`]+)` lacks, in the same order, "
    r"described as (.*)\.": same_settings,
    r"Move the section “([^”]*)” of `([^`]+)` to the end of `([^`]+)`, "
    r"and let links to it lead there\.": move_section,
}
