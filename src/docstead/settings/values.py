"""Value types shared by settings."""

from __future__ import annotations

import json
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator
from pydantic_settings import NoDecode

from docstead.base.errors import InvalidRequest
from docstead.base.networks import parsed_networks

_HOSTNAME = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_WEB_URL = re.compile(r"https?://[^\s/]")

DeploymentTypeName = Literal["cloud", "client-hosted", "air-gapped"]


def without_commas(value: object) -> object:
    """Split a comma-separated string; other values are unchanged."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _decoded(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError(f"must be valid JSON: {error}") from error


def _one_or_several(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        several = json.loads(value) if value.startswith("[") else None
    except ValueError:
        several = None  # a secret may also begin with a bracket
    return several if isinstance(several, list) else tuple(filter(None, [value]))


def _checked_url(value: str) -> str:
    if value and not _WEB_URL.match(value):
        given = "" if "@" in value else f", not {value!r}"  # it may contain a password
        raise ValueError(f"must begin with http:// or https://{given}")
    return value


def _checked_networks(value: tuple[str, ...]) -> tuple[str, ...]:
    try:
        parsed_networks(value)
    except InvalidRequest as error:
        raise ValueError(error.message) from error
    return value


def _checked_hostnames(value: tuple[str, ...]) -> tuple[str, ...]:
    for each in value:
        if not _HOSTNAME.fullmatch(each):
            raise ValueError(f"must be names such as *.docs.example.com, not {each!r}")
    return value


SPLIT_COMMAS = BeforeValidator(without_commas)
DECODE_JSON = BeforeValidator(_decoded)
ONE_OR_SEVERAL = BeforeValidator(_one_or_several)

CommaSeparated = Annotated[tuple[str, ...], NoDecode, SPLIT_COMMAS]
Networks = Annotated[tuple[str, ...], NoDecode, SPLIT_COMMAS, AfterValidator(_checked_networks)]
Hostnames = Annotated[tuple[str, ...], NoDecode, SPLIT_COMMAS, AfterValidator(_checked_hostnames)]
WebUrl = Annotated[str, AfterValidator(_checked_url)]
