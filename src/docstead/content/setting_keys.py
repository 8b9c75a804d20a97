"""Declarations of the keys of `docs.json`: fields of the classes that hold the settings.

Reading of values, detection of unknown keys and documentation tables are based on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
_KEY = "docs.json"


@dataclass(frozen=True, slots=True)
class SettingKey:
    """Properties of a setting in addition to its field."""

    about: str = ""  # its description in the documentation
    key: str = ""  # path from the enclosing object, "." for that object; "" for the field's name
    choices: tuple[str, ...] = ()
    true_for: str = ""  # the string that makes a flag true
    most: int = 0  # upper bound of a number; the lower one is 1
    shape: type | None = None  # class that declares the keys of a value kept as written
    type: str = ""  # type in the documentation, if the field's is insufficient
    shown_default: str = ""  # default in the documentation


def setting(default: T, about: str = "", key: str = "", **facts: Any) -> T:
    """Declare a field with a default. `facts` are fields of `SettingKey`."""
    made: T = field(default=default, metadata={_KEY: SettingKey(about, key, **facts)})
    return made


def setting_from(make: Callable[[], T], about: str = "", key: str = "", **facts: Any) -> T:
    """Declare a field with a default factory."""
    made: T = field(default_factory=make, metadata={_KEY: SettingKey(about, key, **facts)})
    return made


def about(text: str, key: str = "", **facts: Any) -> Mapping[str, SettingKey]:
    """Return the metadata of a field without a default."""
    return {_KEY: SettingKey(text, key, **facts)}


#: Metadata of a field that is not a setting.
COMPUTED: Mapping[str, None] = {_KEY: None}


@dataclass(frozen=True, slots=True)
class SettingField:
    """A declared setting. `kind` is its type without None, `path` is relative to its object."""

    name: str
    kind: Any
    is_optional: bool
    default: Any
    key: SettingKey
    path: tuple[str, ...]

    @property
    def shape(self) -> type | None:
        """Class that declares the keys of the value, or of a list's items."""
        items = get_args(self.kind) if get_origin(self.kind) in (tuple, Union) else ()
        kinds = (self.key.shape, getattr(self.kind, "__origin__", self.kind), *items)
        return next((each for each in kinds if isinstance(each, type) and is_dataclass(each)), None)


@cache
def setting_fields(holder: type) -> tuple[SettingField, ...]:
    """Return the settings declared by a class."""
    hints = get_type_hints(holder, include_extras=True)
    found = []
    for each in fields(holder):
        key = each.metadata.get(_KEY, SettingKey())
        if key is not None:
            kinds = [kind for kind in get_args(hints[each.name]) if kind is not NoneType]
            is_optional = NoneType in get_args(hints[each.name])
            kind = Union[tuple(kinds)] if is_optional else hints[each.name]  # noqa: UP007
            default = None if is_optional else ""
            if each.default_factory is not MISSING:
                default = each.default_factory()
            elif each.default is not MISSING:
                default = each.default
            path = _path(each.name, key.key)
            found.append(SettingField(each.name, kind, is_optional, default, key, path))
    return tuple(found)


@cache
def _paths(holder: type) -> Mapping[str, tuple[str, ...]]:
    keys = ((each.name, each.metadata.get(_KEY, SettingKey())) for each in fields(holder))
    return {name: _path(name, key.key) for name, key in keys if key is not None}


class _Declaration:
    """Placeholder for a setting's value, which only knows the path of its key."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self.path = path


class _ClassDeclarations:
    def __init__(self, holder: type) -> None:
        self._holder = holder

    def __getattr__(self, name: str) -> _Declaration:
        return _Declaration(_paths(self._holder)[name])


def declared(holder: type[T]) -> T:
    """Return an object whose attributes represent the settings of a class; see `key_of`."""
    return cast(T, _ClassDeclarations(holder))


def path_of(setting: object) -> tuple[str, ...]:
    """Return the path of a setting relative to its object."""
    if not isinstance(setting, _Declaration):
        raise TypeError("name a setting by an attribute of `declared(...)`")
    return setting.path


def key_of(setting: object) -> str:
    """Return the key of a setting: `key_of(declared(Colors).primary)`.

    The key is spelled by the field only, so the type checker finds wrong names.
    """
    return path_of(setting)[-1]


def _path(name: str, key: str) -> tuple[str, ...]:
    first, *others = name.split("_")
    written = key or first + "".join(each.capitalize() for each in others)
    return tuple(each for each in written.split(".") if each)


def declared_settings(
    holder: type, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], SettingField]]:
    """Yield each setting declared below a class, with its path."""
    for each in setting_fields(holder):
        own = (*path, *each.path)
        if each.path:
            yield own, each
        if each.shape is not None:
            yield from declared_settings(each.shape, own)


@cache
def keys_by_object(holder: type) -> Mapping[str, frozenset[str]]:
    """Return the keys of each object by path; "" has the top-level keys."""
    found: dict[str, set[str]] = {}
    for path, _ in declared_settings(holder):
        for depth, name in enumerate(path):
            found.setdefault(".".join(path[:depth]), set()).add(name)
    return {path: frozenset(names) for path, names in found.items()}
