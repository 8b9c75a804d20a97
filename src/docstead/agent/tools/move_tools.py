"""Tool that moves files and updates redirects, links, imports and the navigation."""

from __future__ import annotations

import posixpath

from pydantic.json_schema import SkipJsonSchema

from docstead.agent.tools.checks import WorkspaceChecks
from docstead.agent.tools.limits import ToolLimits
from docstead.agent.tools.link_edits import FileMoves, LinkEdits
from docstead.agent.tools.locations import check_writable
from docstead.agent.tools.navigation_text import NavigationText
from docstead.agent.tools.redirect_edits import add_redirects, straighten
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.settings_text import SettingsPart, SettingsText
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.diffs import text_diff
from docstead.agent.workspace.files import PathRefused
from docstead.agent.workspace.paths import check_path
from docstead.agent.workspace.workspace import Workspace
from docstead.base.errors import SourceUnreadable
from docstead.content.slugs import PAGE_SUFFIXES, clean_path, find_slug, path_of, slug_of
from docstead.repository.modules import is_snippet
from docstead.repository.sources import ASSET_SUFFIXES

_MEDIA = tuple(suffix for suffix in ASSET_SUFFIXES if suffix != ".js")
_TEXTS = (".mdx", ".md", ".jsx", ".tsx", ".js", ".ts")
_SHOWN_FILES = 10
_FOLDER_SECTIONS = ("navigation", "navbar", "footer")


class MoveArguments(ToolArguments):
    source: str
    target: str
    redirects: SkipJsonSchema[bool] = True  # rarely needed


class MoveTools:
    def __init__(self, workspace: Workspace, checker: WorkspaceChecks, limits: ToolLimits) -> None:
        self._workspace = workspace
        self._checker = checker
        self._files = workspace.files
        self._limits = limits

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "move_file",
                "Move a file or folder, with links, imports, navigation and redirects.",
                MoveArguments,
                self.move,
            ),
        )

    def move(self, asked: MoveArguments) -> ToolResult:
        moved = self._planned(asked)
        moves = FileMoves.of(moved, self._files.walk(), self._base_path())
        texts = {path: self._files.text(path) for path in moved if path.endswith(_TEXTS)}
        for old, new in moved.items():
            self._files.move(old, new)
        edits = LinkEdits(moves)
        touched, diff = self._fix_links(edits, moves, texts)
        lines, changed, settings_diff = self._fix_settings(edits, moves, asked)
        text = "\n".join([_moved(asked, moved), *_touched(touched), *lines])
        paths = sorted({*moved, *moved.values(), *touched, *changed})
        return ToolResult(text, diff=diff + settings_diff, changed=tuple(paths))

    def _planned(self, asked: MoveArguments) -> dict[str, str]:
        source, target = check_path(asked.source, folders=True), check_path(asked.target)
        kind = self._files.kind(source)
        if kind is None or not source:
            raise PathRefused(f"there is no file {asked.source!r}")
        if kind == "file":
            name = posixpath.basename(source)
            into = self._files.kind(target) == "folder"
            moved = {source: f"{target}/{name}" if into else target}
        else:
            if f"{target}/".startswith(f"{source}/"):
                raise PathRefused("a folder cannot be moved into itself")
            moved = {p: target + p[len(source) :] for p in self._files.walk(source)}
        if len(moved) > self._limits.moved_files:
            raise PathRefused(f"{len(moved)} files are too many to move at once")
        for old, new in moved.items():
            _check_movable(old, new)
            if self._files.kind(new) is not None:
                raise PathRefused(f"there is something at {new!r} already")
        return moved

    def _base_path(self) -> str:
        try:
            return self._checker.base_path(self._workspace)
        except SourceUnreadable as error:
            raise PathRefused(f"the settings must be readable first: {error.message}") from None

    def _fix_links(
        self, edits: LinkEdits, moves: FileMoves, texts: dict[str, str]
    ) -> tuple[set[str], str]:
        """Update links; return the changed files and the diffs."""
        touched: set[str] = set()
        diffs: list[str] = []
        before = {new: old for old, new in moves.moved.items()}
        for path in moves.files_now:
            if not path.endswith(_TEXTS):
                continue
            old = before.get(path, path)
            text = texts[old] if old in texts else self._readable(path)
            after = edits.rewritten(text, old, path)
            if after != text:
                self._files.write(path, after)
                touched.add(path)
            if after != text or old != path:
                diffs.append(_renamed(old, path, text, after))
        return touched, "".join(diffs)

    def _readable(self, path: str) -> str:
        try:
            return self._files.text(path)
        except PathRefused:
            return ""  # not text, so it contains no references

    def _fix_settings(
        self, edits: LinkEdits, moves: FileMoves, asked: MoveArguments
    ) -> tuple[list[str], tuple[str, ...], str]:
        settings = SettingsText(self._files)
        lines = []
        if entries := _rename_entries(settings, moves):
            lines.append(f"navigation: {entries} entries changed")
        _rename_links(settings, edits)
        requested = _redirects(moves, asked)
        straighten(settings, {**_page_paths(moves), **requested})
        if asked.redirects:
            lines += [f"redirect {each}" for each in add_redirects(settings, requested)]
        changed, diff = settings.save()
        return lines, changed, diff


def _moved(asked: MoveArguments, moved: dict[str, str]) -> str:
    """Describe moved files; files of a folder keep their paths within it."""
    if len(moved) == 1:
        return "".join(f"moved {old} -> {new}" for old, new in moved.items())
    source, target = clean_path(asked.source), clean_path(asked.target)
    return f"moved {len(moved):,} files: {source}/ -> {target}/"


def _touched(paths: set[str]) -> list[str]:
    if not paths:
        return []
    rest = len(paths) - _SHOWN_FILES
    more = f" and {rest:,} more" if rest > 0 else ""
    return [
        f"links changed in {len(paths):,} files: {', '.join(sorted(paths)[:_SHOWN_FILES])}{more}"
    ]


def _check_movable(old: str, new: str) -> None:
    """Verify that a file may be moved without changing its kind."""
    suffix = posixpath.splitext(old)[1].lower()
    if suffix in _MEDIA and posixpath.splitext(new)[1].lower() == suffix:
        check_writable(f"{posixpath.splitext(old)[0]}.txt")
        check_writable(f"{posixpath.splitext(new)[0]}.txt")
        return
    check_writable(old)
    check_writable(new)


def _renamed(old: str, new: str, before: str, after: str) -> str:
    if old == new:
        return text_diff(new, before, after)
    head = f"rename from {old}\nrename to {new}\n"
    return head + text_diff(new, before, after)


def _rename_entries(settings: SettingsText, moves: FileMoves) -> int:
    """Update navigation entries of moved pages; return their number."""
    new_slugs = _page_moves(moves)
    navigation = NavigationText(settings)
    changes = {}
    for node in navigation.walk():
        part = node.part if node.is_page else settings.get(node.part, "root")
        slug = find_slug(moves.slugs, part.text) if part and part.text else None
        if part and part.text and slug in new_slugs:
            # A part shared by several nodes through `$ref` is changed once.
            changes[part.file, part.span.start] = part, _as_written(part.text, new_slugs[slug])
    settings.replace_all(changes.values())
    return len(changes)


def _as_written(old: str, new: str) -> str:
    suffix = next((s for s in PAGE_SUFFIXES if old.endswith(s)), "")
    return f"{'/' if old.startswith('/') else ''}{new}{suffix}"


def _rename_links(settings: SettingsText, edits: LinkEdits) -> None:
    changes = {}
    for part in _hrefs(settings):
        new = edits.target(part.text) if part.text and part.text.startswith("/") else None
        if new is not None and new != part.text:
            changes[part.file, part.span.start] = part, new
    settings.replace_all(changes.values())


def _hrefs(settings: SettingsText) -> list[SettingsPart]:
    found: list[SettingsPart] = []
    seen: set[tuple[str, int]] = set()
    waiting = [p for key in _FOLDER_SECTIONS if (p := settings.get(settings.root, key))]
    while waiting:
        part = settings.resolved(waiting.pop())
        if (part.file, part.span.start) in seen:  # settings files may include each other
            continue
        seen.add((part.file, part.span.start))
        waiting += list(settings.items(part))
        for key, _, value in part.span.members or ():
            child = SettingsPart(part.file, value)
            if key == "href" and child.text:
                found.append(child)
            else:
                waiting.append(child)
    return found


def _page_moves(moves: FileMoves) -> dict[str, str]:
    return {
        slug_of(old): slug_of(new)
        for old, new in moves.moved.items()
        if old.endswith(PAGE_SUFFIXES) and not is_snippet(old)
    }


def _page_paths(moves: FileMoves) -> dict[str, str]:
    paths = {path_of(old): path_of(new) for old, new in _page_moves(moves).items()}
    return {old: new for old, new in paths.items() if old != new}


def _redirects(moves: FileMoves, asked: MoveArguments) -> dict[str, str]:
    """Return redirects, one per page or one for a whole folder."""
    paths = _page_paths(moves)
    if len(paths) > 1:
        source, target = clean_path(asked.source), clean_path(asked.target)
        return {f"/{source}/:slug*": f"/{target}/:slug*"}
    return paths
