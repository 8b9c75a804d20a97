"""Loading of settings, and messages about invalid ones."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

from docstead.base.errors import InvalidRequest
from docstead.base.validation_texts import validation_text
from docstead.settings.service import FILE_VARIABLE, PREFIX, Settings, settings_file

_SHORT_CUTOFF = 0.7  # minimum similarity of keys without prefix
_UNION_MEMBER = re.compile(r"constrained-\w+|literal\[.*\]")  # pydantic's names of types


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Map unknown variables with our prefix to the most similar setting, or ""."""
    known = [FILE_VARIABLE, *(f"{PREFIX}{name.upper()}" for name in Settings.model_fields)]
    unknown = [name for name in environment if name.upper().startswith(PREFIX)]
    return {
        name: _most_similar(name.upper(), known)
        for name in sorted(unknown)
        if name.upper() not in known
    }


def _most_similar(name: str, known: Iterable[str], cutoff: float = 0.8) -> str:
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)), "")


def load_settings(**overrides: object) -> Settings:
    """Return the settings of this process.

    Raises:
        InvalidRequest: a setting is invalid, or the settings file is unusable; the message names
            each.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = Settings(**given)  # type: ignore[arg-type]  # values are checked by the model
    except ValidationError as error:
        raise InvalidRequest("; ".join(_messages_of(error.errors(), given))) from error
    except SettingsError as error:
        raise InvalidRequest(_json_message(error)) from error
    # Git and workers run in other folders, where relative paths would be wrong.
    return settings.model_copy(update={"data": settings.data.expanduser().absolute()})


def _json_message(error: SettingsError) -> str:
    """Return a message about a variable that must be JSON; the library only names its field."""
    field = re.search(r'field "(\w+)"', str(error))
    name = f"{PREFIX}{field[1].upper()}" if field else "settings"
    return f"{name}: not valid JSON: {error.__cause__}"


def _messages_of(details: Iterable[ErrorDetails], overrides: Mapping[str, object]) -> list[str]:
    """Return a message for each invalid setting, with its name as set."""
    texts: dict[str, list[str]] = {}
    for detail in details:
        names = [str(each) for each in detail["loc"] if not _UNION_MEMBER.fullmatch(str(each))]
        texts.setdefault(_set_name(names, overrides), []).append(_message_text(detail, names))
    return [f"{name}{_joined(found)}" for name, found in texts.items()]


def _joined(texts: Sequence[str]) -> str:
    """Return one text for a value that is none of several kinds."""
    _, separator, given = texts[0].partition(", not ")
    kinds = [text.removesuffix(separator + given) for text in texts]
    others = (kind.removeprefix("must be ") for kind in kinds[1:])
    return " or ".join((kinds[0], *others)) + separator + given


def _set_name(names: list[str], overrides: Mapping[str, object]) -> str:
    """Return the start of a message: the variable or the line of the file."""
    first, *rest = names
    variable = f"{PREFIX}{first.upper()}"
    if first in overrides or variable in map(str.upper, os.environ):
        return f"{variable}: {'.'.join(rest)} " if rest else f"{variable}: "
    return f"{settings_file()}: {'.'.join(names)} "


def _message_text(detail: ErrorDetails, names: list[str]) -> str:
    """Return the message of an invalid setting. Only files can have unknown keys."""
    if detail["type"] != "extra_forbidden":
        return validation_text(detail)
    if len(names) > 1:
        return "is not a key of this table; correct or remove it"
    similar = _most_similar(names[0], Settings.model_fields, _SHORT_CUTOFF)
    return f"is not a setting; {f'did you mean {similar}?' if similar else 'remove it'}"
