"""Tool that reads and edits the navigation."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from docstead.agent.tools.navigation_text import (
    NavigationEntry,
    NavigationText,
    outline,
    plain_slug,
    value_of,
)
from docstead.agent.tools.result import ToolResult
from docstead.agent.tools.settings_text import SettingsPart, SettingsText
from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.workspace.files import PathRefused, WorkspaceFiles
from docstead.content.slugs import PAGE_SUFFIXES, clean_path, slug_of
from docstead.reference.openapi.spec import parse_reference

_MOST_ENTRIES = 100  # entries of one page; the file is parsed again for each
_URL_SCHEMES = ("http://", "https://", "mailto:")
_DIVIDING = ("languages", "versions", "products", "dropdowns", "tabs", "anchors", "menu")


Action = Literal["read", "add_page", "add_group", "move", "remove", "rename"]
_FORMER_ACTIONS = {  # name in conversations of earlier versions
    "move_page": "move", "move_group": "move", "remove_page": "remove", "remove_group": "remove",
    "rename_group": "rename",
}  # fmt: skip


def _present(action: object) -> object:
    return _FORMER_ACTIONS.get(action, action) if isinstance(action, str) else action


class NavigationArguments(ToolArguments):
    action: Annotated[Action, BeforeValidator(_present)]
    page: str = Field("", description="'guides/start'")
    group: list[str] = Field(default_factory=list, description="Labels: ['Guides', 'Basics'].")
    label: str = Field("", max_length=200)
    into: list[str] | None = Field(None, description="A group; [] is the top.")
    before: str = ""
    after: str = Field("", description="A page or group.")


class NavigationTools:
    def __init__(self, files: WorkspaceFiles) -> None:
        self._files = files

    def tools(self) -> tuple[AgentTool, ...]:
        return (
            AgentTool(
                "navigation",
                "Read or edit the navigation. Tabs are groups, too.",
                NavigationArguments,
                self.run,
            ),
        )

    def run(self, asked: NavigationArguments) -> ToolResult:
        settings = SettingsText(self._files)
        navigation = NavigationText(settings)
        if asked.action == "read":
            lines = outline(navigation, navigation.find(asked.group))
            return ToolResult("\n".join(lines) or "[nothing stands there]")
        report = getattr(_NavigationEdit(navigation, self._files, asked), asked.action)()
        changed, diff = settings.save()
        return ToolResult(report, diff=diff, changed=changed)


class _NavigationEdit:
    """An edit with a method per action, which returns a description of the result."""

    def __init__(
        self, navigation: NavigationText, files: WorkspaceFiles, asked: NavigationArguments
    ) -> None:
        self._navigation = navigation
        self._settings = navigation.settings
        self._files = files
        self._asked = asked

    def add_page(self) -> str:
        self._need("page")
        self._check_page(self._asked.page)
        return self._put_page(self._asked.page)

    def move(self) -> str:
        return self._move_group() if self._asked.group else self._move_page()

    def remove(self) -> str:
        return self._remove_group() if self._asked.group else self._remove_page()

    def _move_page(self) -> str:
        entries = self._entries()
        self._target()  # validate before any change
        written = entries[0].label
        self._remove_entries()
        return self._put_page(written).replace("added", "moved", 1)

    def _remove_page(self) -> str:
        entries = self._entries()
        self._remove_entries()
        positions = ", ".join(entry.shown for entry in entries)
        return f"removed {self._asked.page} from the navigation ({positions})"

    def add_group(self) -> str:
        self._need("label")
        node = self._target()
        if any(child.label == self._asked.label for child in self._navigation.children(node)):
            raise PathRefused(f"{node.shown} has {self._asked.label!r} already")
        self._put_group({"group": self._asked.label, "pages": []})
        return f"added the group {self._asked.label!r}"

    def _move_group(self) -> str:
        node = self._group()
        target = self._target()
        if target.path[: len(node.path)] == node.path:
            raise PathRefused("a group cannot be moved into itself")
        value = value_of(self._navigation, node)
        if '"$ref"' in json.dumps(value) and target.part.file != node.part.file:
            raise PathRefused("the group refers to other files by paths that hold only where it is")
        self._take(node)
        self._put_group(value, node.kind)
        return f"moved {node.shown}"

    def _remove_group(self) -> str:
        node = self._group()
        pages = [n.label for n in self._navigation.walk(node) if n.is_page]
        self._take(node)
        lost = [page for page in pages if not self._navigation.pages(page)]
        report = f"; no longer in the navigation: {', '.join(lost[:50])}" if lost else ""
        return f"removed {node.shown}{report}"

    def rename(self) -> str:
        self._need("label")
        node = self._group()
        if label := self._settings.get(node.part, node.kind):
            self._settings.replace(label, self._asked.label)
        return f"renamed {node.shown} to {self._asked.label!r}"

    # --- helpers ------------------------------------------------------------

    def _put_page(self, page: str) -> str:
        node = self._target()
        holder = self._page_holder(node)
        if holder is None:
            self._settings.append_key(node.part, "pages", [self._spelled(page)])
            return f"added {page} to {node.shown}"
        same = plain_slug(page)
        if any(
            item.text and plain_slug(item.text) == same for item in self._settings.items(holder)
        ):
            raise PathRefused(f"{page!r} is already in {node.shown}")
        self._settings.insert(holder, self._index(node, holder), self._spelled(page, holder))
        return f"added {page} to {node.shown}"

    def _put_group(self, value: Any, kind: str = "group") -> None:
        node = self._target()
        holders = self._navigation.holders(node)
        key = {"item": "menu"}.get(kind, f"{kind}s")
        if key == "groups" and key not in holders:
            key = "pages"  # groups may be mixed with pages
            self._refuse_divided(node)
        if key in holders:
            self._settings.insert(holders[key], self._index(node, holders[key]), value)
        else:
            self._settings.append_key(node.part, "groups" if key == "pages" else key, [value])

    def _page_holder(self, node: NavigationEntry) -> SettingsPart | None:
        self._refuse_divided(node)
        if node.part.span.items is not None:
            raise PathRefused(f"pages are in groups: {self._labels(node)}")
        return self._navigation.holders(node).get("pages")

    def _refuse_divided(self, node: NavigationEntry) -> None:
        holders = self._navigation.holders(node)
        dividing = next((key for key in _DIVIDING if key in holders), None)
        if dividing is not None:
            raise PathRefused(
                f"{node.shown} has {dividing}; choose one of them: {self._labels(node)}"
            )

    def _labels(self, node: NavigationEntry) -> str:
        children = self._navigation.children(node)
        return "; ".join(str(list(c.path)) for c in children if not c.is_page)

    def _target(self) -> NavigationEntry:
        """Return the node that receives the page or group."""
        if self._asked.into is not None:
            return self._navigation.find(self._asked.into)
        beside = self._asked.before or self._asked.after
        if not beside:
            raise PathRefused("name the target with 'into', 'before' or 'after'")
        same = plain_slug(beside)
        nodes = [self._navigation.top(), *self._navigation.walk()]
        found = [
            node for node in nodes if not node.is_page
            for child in self._navigation.children(node)
            if child.label == beside or (child.is_page and plain_slug(child.label) == same)
        ]  # fmt: skip
        if len(found) != 1:
            many = f"is in {len(found)} places; use 'into' too" if found else "is not there"
            raise PathRefused(f"{beside!r} {many}")
        return found[0]

    def _index(self, node: NavigationEntry, holder: SettingsPart) -> int:
        beside = self._asked.before or self._asked.after
        count = len(holder.span.items or ())
        if not beside:
            return count
        same = plain_slug(beside)
        for child in self._navigation.children(node):
            fits = child.label == beside or (child.is_page and plain_slug(child.label) == same)
            if fits and child.holder == holder:
                return child.index + (not self._asked.before)
        raise PathRefused(f"{beside!r} is not in {node.shown}")

    def _entries(self) -> list[NavigationEntry]:
        self._need("page")
        entries = self._navigation.pages(self._asked.page)
        if not entries:
            raise PathRefused(f"the navigation has no page {self._asked.page!r}")
        return entries

    def _remove_entries(self) -> None:
        for _ in range(_MOST_ENTRIES):
            if not (entries := self._navigation.pages(self._asked.page)):
                return
            self._take(entries[0])
        raise PathRefused(f"the navigation lists {self._asked.page!r} over {_MOST_ENTRIES} times")

    def _take(self, node: NavigationEntry) -> None:
        if node.holder is None:
            raise PathRefused("the navigation itself stays where it is")
        self._settings.remove(node.holder, node.index)

    def _group(self) -> NavigationEntry:
        self._need("group")
        return self._navigation.find(self._asked.group)

    def _need(self, name: str) -> None:
        if not getattr(self._asked, name):
            raise PathRefused(f"{self._asked.action} needs {name!r}")

    def _check_page(self, page: str) -> None:
        if page.startswith(_URL_SCHEMES) or parse_reference(page):
            return
        slug = slug_of(clean_path(page))
        if not any(self._files.kind(f"{slug}{suffix}") for suffix in PAGE_SUFFIXES):
            raise PathRefused(f"there is no file {slug}.mdx; write it first")

    def _spelled(self, page: str, holder: SettingsPart | None = None) -> str:
        """Spell a page like its neighbors: with or without a leading slash."""
        if page.startswith(_URL_SCHEMES) or parse_reference(page):
            return page
        slug = slug_of(clean_path(page))
        texts = [item.text for item in self._settings.items(holder) if item.text] if holder else []
        local = [text for text in texts if not text.startswith(_URL_SCHEMES)]
        return f"/{slug}" if local and all(text.startswith("/") for text in local) else slug
