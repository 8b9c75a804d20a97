"""The import hook, and the functions that marked conditions call.

`DOCSTEAD_DROPPED` names the condition to drop in this process and in those that it starts.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import CodeType, ModuleType

from conditions import rewriting

DROPPED = "DOCSTEAD_DROPPED"
_QUERIES = (b"sqlalchemy", b" WHERE ")

reached: set[str] = set()  # by the test that runs now
_dropped = ""


class _Loader(importlib.machinery.SourceFileLoader):
    """Marks modules that hold queries; their bytecode is not cached."""

    def get_code(self, fullname: str) -> CodeType | None:
        source = self.get_data(self.path)
        if not any(mark in source for mark in _QUERIES):
            return super().get_code(fullname)
        tree, _ = rewriting.mark(source.decode(), module_path(self.path))
        return compile(tree, self.path, "exec", dont_inherit=True)


class _Finder(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith("docstead."):
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


def module_path(file: str) -> str:
    """The path of a module below `src/docstead`."""
    return Path(file).as_posix().rpartition("/docstead/")[2]


def install() -> None:
    """Mark the modules of `docstead` that are imported from now on."""
    drop(os.environ.get(DROPPED, ""))
    sys.meta_path.insert(0, _Finder)
    vars(builtins).update(
        {
            rewriting.MARK: _condition,
            rewriting.MARK_EACH: _conditions,
            rewriting.MARK_SQL: _sql,
            rewriting.MARK_ENTRY: reached.add,
        }
    )


def drop(site: str) -> None:
    """Drop this condition from now on, here and in processes that this one starts."""
    global _dropped  # noqa: PLW0603 - marked code reaches nothing else
    _dropped = os.environ[DROPPED] = site


def _condition(site: str, value: object, is_alternative: bool) -> object:
    if not _is_condition(value):
        return value
    reached.add(site)
    if site != _dropped:
        return value
    if type(value).__name__ == "TextClause":  # of a partial index
        return None
    return _neutral(value, is_alternative)


def _conditions(site: str, values: Iterable[object], is_alternative: bool) -> list[object]:
    return [
        _condition(f"{site}[{number}]", value, is_alternative)
        for number, value in enumerate(values)
    ]


def _sql(site: str, text: str, _: bool) -> str:
    for number in range(text.count(" WHERE ") + text.count(" AND ") + text.count(" ON ")):
        reached.add(f"{site}[{number}]")
    if not _dropped.startswith(f"{site}["):
        return text
    return rewriting.sql_without(text, int(_dropped[len(site) + 1 : -1]))


def _is_condition(value: object) -> bool:
    if isinstance(value, (bool, str, int, float, type(None))):
        return False
    sqlalchemy = sys.modules.get("sqlalchemy")
    if sqlalchemy is None:
        return False
    if isinstance(value, sqlalchemy.TextClause):
        return True
    if not isinstance(value, sqlalchemy.ColumnElement):
        return False
    is_parameter = isinstance(value, sqlalchemy.BindParameter)
    return isinstance(value.type, sqlalchemy.Boolean) and not is_parameter


def _neutral(value: object, is_alternative: bool) -> object:
    """The condition without effect. It keeps its parameters, so that no statement breaks."""
    from sqlalchemy import and_, or_, text

    if is_alternative:
        return and_(value, text("1 = 0"))
    return or_(value, text("1 = 1"))
