"""Redirects for moved URLs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docstead.agent.tools.settings_text import SettingsPart, SettingsText
from docstead.content.config import Redirect
from docstead.repository.redirects import RedirectTable


def add_redirects(settings: SettingsText, requested: Mapping[str, str]) -> list[str]:
    """Add redirects from old to new paths; return the additions as text."""
    for old, new in requested.items():
        _add(settings, old, new)
    return [f"{old} -> {new}" for old, new in requested.items()]


def straighten(settings: SettingsText, moved: Mapping[str, str]) -> None:
    """Retarget redirects to old paths, and remove those from new paths."""
    _take_out(settings, set(moved.values()))
    _shorten(settings, moved)


def _add(settings: SettingsText, old: str, new: str) -> None:
    known = [(_text(settings, item, "source"), item) for item in _entries(settings)]
    for source, item in known:
        if source == old:
            destination = settings.get(item, "destination")
            if destination is not None:
                settings.replace(destination, new)
            return
    value = {"source": old, "destination": new}
    holder = settings.get(settings.root, "redirects")
    if holder is None:
        settings.append_key(settings.root, "redirects", [value])
        return
    # The first match wins, so it precedes patterns that would match the old path.
    patterns = RedirectTable(Redirect(s, "/elsewhere") for s, _ in known if s)
    first = 0 if patterns.match(old) else len(holder.span.items or ())
    settings.insert(holder, first, value)


def _take_out(settings: SettingsText, paths: Iterable[str]) -> None:
    paths = set(paths)
    holder = settings.get(settings.root, "redirects")
    found = [
        index
        for index, item in enumerate(_entries(settings))
        if _text(settings, item, "source").rstrip("/") in paths
    ]
    if holder is not None and found:
        settings.remove(holder, *found)


def _shorten(settings: SettingsText, requested: Mapping[str, str]) -> None:
    changes = []
    for item in _entries(settings):
        destination = settings.get(item, "destination")
        bare, mark, anchor = _text(settings, item, "destination").partition("#")
        new = requested.get(bare.rstrip("/"))
        if destination is not None and new is not None:
            changes.append((destination, new + mark + anchor))
    settings.replace_all(changes)


def _entries(settings: SettingsText) -> list[SettingsPart]:
    holder = settings.get(settings.root, "redirects")
    return list(settings.items(holder)) if holder is not None else []


def _text(settings: SettingsText, item: SettingsPart, key: str) -> str:
    value = settings.get(item, key) if item.span.members is not None else None
    text = (value.text or "") if value is not None else ""
    return text if not text or text.startswith(("/", "http")) else f"/{text}"
