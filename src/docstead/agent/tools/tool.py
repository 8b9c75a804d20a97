"""A tool with its name, arguments and function."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from docstead.agent.tools.result import ToolResult
from docstead.base.errors import InvalidRequest
from docstead.base.validation_texts import validation_text
from docstead.models.chat import ToolSpec

_SHOWN_ERRORS = 5
_PLAIN = ("default", "additionalProperties")  # omitted if false, empty, null or 1
# Bounds without information: minimum up to, maximum from.
_BOUNDS: Mapping[str, tuple[float, float]] = {
    "minimum": (1, math.inf), "minLength": (1, math.inf), "minItems": (1, math.inf),
    "maxLength": (0, 200), "maxItems": (0, 20),
}  # fmt: skip


# Aliases of tool names that models know.
_ALIASES: Mapping[str, str] = {
    "file_path": "path", "filename": "path", "offset": "first_line", "limit": "lines",
    "content": "text", "contents": "text", "file_text": "text", "old": "old_string",
    "new": "new_string", "old_str": "old_string", "new_str": "new_string",
    "all": "replace_all", "regex": "pattern", "query": "pattern",
    "folder": "glob", "path": "glob", "node": "group",
}  # fmt: skip


_OPPOSITES = {"literal": "regex", "regex": "literal"}  # switches


class ToolArguments(BaseModel):
    """Arguments of a tool. Unknown names are errors, so that the model corrects its guess."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _translate(cls, values: Any) -> Any:
        """Rename arguments that other tools call differently."""
        if not isinstance(values, dict):
            return values
        return dict(_translated(name, values, cls.model_fields) for name in values)


@dataclass(frozen=True, slots=True)
class AgentTool:
    """`run` gets validated `arguments`; `InvalidRequest` errors are sent to the model."""

    name: str
    description: str
    arguments: type[ToolArguments]
    run: Callable[[Any], ToolResult]

    def spec(self, hidden: Collection[str] = ()) -> ToolSpec:
        """Return the tool's description for a model, without the `hidden` arguments."""
        return ToolSpec(self.name, self.description, _schema(self.arguments, hidden))

    def read(self, values: Mapping[str, Any]) -> ToolArguments:
        """Validate arguments.

        Raises:
            InvalidRequest: they are invalid; the message states what is expected.
        """
        try:
            return self.arguments.model_validate(dict(values))
        except ValidationError as error:
            problems = "; ".join(
                _validation_error_text(detail) for detail in error.errors()[:_SHOWN_ERRORS]
            )
            raise InvalidRequest(f"{self.name}: {problems}. It takes {_expected(self)}") from None


def _translated(
    name: str, values: Mapping[str, Any], known: Mapping[str, Any]
) -> tuple[str, object]:
    """Return the name and value of an argument as the tool calls it."""
    value = values[name]
    opposite = _OPPOSITES.get(name) if isinstance(value, bool) else None
    alias = opposite or _ALIASES.get(name, name)
    if name in known or alias not in known or alias in values:
        return name, value
    return alias, not value if opposite else value


def _validation_error_text(detail: Mapping[str, Any]) -> str:
    path = ".".join(str(part) for part in detail["loc"])
    is_unknown = detail["type"] == "extra_forbidden"
    text = "there is no such argument" if is_unknown else validation_text(detail)
    return f"{path or 'arguments'}: {text}"


def _expected(tool: AgentTool) -> str:
    fields = tool.arguments.model_fields
    names = (name if field.is_required() else f"{name}?" for name, field in fields.items())
    return f"{{{', '.join(names)}}}"


def _schema(arguments: type[ToolArguments], hidden: Collection[str]) -> dict[str, Any]:
    """Return a short JSON schema, because every request contains it."""
    schema = arguments.model_json_schema()
    definitions = schema.pop("$defs", {})
    cleaned: dict[str, Any] = _plain(schema, definitions)
    cleaned.pop("description", None)
    known = cleaned.get("properties", {})
    properties = {name: value for name, value in known.items() if name not in hidden}
    return {**cleaned, "type": "object", "properties": properties}


def _plain(value: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_plain(item, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("$ref"), str):
        target = definitions[value["$ref"].rpartition("/")[2]]
        value = {**target, **{key: item for key, item in value.items() if key != "$ref"}}
    value = _without_null(value)
    kept = {key: item for key, item in value.items() if not _is_idle(key, item)}
    return {key: _plain(item, definitions) for key, item in kept.items()}


def _without_null(value: dict[str, Any]) -> dict[str, Any]:
    """Remove null from the schema of an optional value."""
    kinds = [kind for kind in value.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return value
    return {**kinds[0], **{key: item for key, item in value.items() if key != "anyOf"}}


def _is_idle(key: str, item: Any) -> bool:
    """Report whether a schema keyword can be omitted."""
    if isinstance(item, dict | list):
        return False
    if key in _BOUNDS:
        low, high = _BOUNDS[key]
        return bool(item <= low or item >= high)
    is_plain = key in _PLAIN and item in (None, False, "", 0, 1) and item is not True
    return is_plain or (key == "title" and isinstance(item, str)) or key == "pattern"
