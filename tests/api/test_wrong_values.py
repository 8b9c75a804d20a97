"""Refusals of wrong values name the field in the product's words and repeat no secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from inspect import isabstract
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from docstead.agent.tools.tool import AgentTool, ToolArguments
from docstead.agent.tools.toolbox import Toolbox
from docstead.api import application, local_sessions, publishing
from docstead.api.agent import v1
from docstead.api.json_body import BodyModel, parsed
from docstead.app import surfaces
from docstead.base.errors import InvalidRequest
from docstead.settings import ForgeCredential, ModelSettings, Settings, load_settings

IMPORTED = (application, local_sessions, publishing, surfaces, v1, Toolbox)  # with their models
HIDDEN = "hunter2-hunter2"
WRONG: tuple[Any, ...] = (
    None, True, -7, 1.5, 10**30, "", HIDDEN, HIDDEN * 900, "2026-11-21", "2026-11-21T12:00:00",
    [], [7], [HIDDEN], [{}], [[]], ["x"] * 12_000, {}, {"x": 7}, {"type": 7}, {"type": HIDDEN},
)  # fmt: skip
LIBRARY_WORDS = re.compile(
    r"[Ii]nput should|should (be|have|match)|Value error|Field required|Extra inputs|is not valid|"
    r"unable to|pydantic|ctx|discriminator"
)


def models(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in base.__subclasses__():
        if not isabstract(each):
            yield each
        yield from models(each)


def refusal(field: str, message: str) -> str:
    """Return the message after it was checked."""
    assert LIBRARY_WORDS.search(message) is None, f"{field}: {message}"
    assert re.search(rf"\b{field}\b", message), f"{field}: {message}"
    return message


def test_wrong_bodies_are_refused_in_our_words() -> None:
    refused = 0
    for shape in models(BodyModel):
        for field in shape.model_fields.values():
            for value in WRONG:
                try:
                    parsed(shape, json.dumps({field.alias: value}).encode())
                except InvalidRequest as error:
                    names = "|".join(re.escape(each.alias or "") for each in named(shape))
                    refusal(f"({names})", error.message)
                    refused += 1
    assert refused > 500


def named(shape: type[BaseModel]) -> list[Any]:
    return list(shape.model_fields.values())


def test_wrong_arguments_of_tools_are_refused_in_our_words() -> None:
    refused = 0
    for arguments in models(ToolArguments):
        tool = AgentTool("tool", "", arguments, run=lambda _: pytest.fail("it is never run"))
        for name in arguments.model_fields:
            for value in WRONG:
                try:
                    tool.read({name: value})
                except InvalidRequest as error:
                    refusal("tool", error.message)
                    refused += 1
    assert refused > 500


def test_wrong_settings_are_refused_in_our_words() -> None:
    for value in filter(lambda each: each is not None, WRONG):
        with pytest.raises(InvalidRequest) as caught:
            load_settings(**dict.fromkeys(Settings.model_fields, value))
        refusal("DOCSTEAD_[A-Z_]+", caught.value.message)


@pytest.mark.parametrize(
    ("table", "model"), [("models", ModelSettings), ("forge_credentials", ForgeCredential)]
)
def test_tables_with_secrets_are_refused_without_them(table: str, model: type[BaseModel]) -> None:
    secrets = [name for name, each in model.model_fields.items() if each.annotation is SecretStr]
    assert secrets
    for name in model.model_fields:
        for value in WRONG:
            entry = {**dict.fromkeys(secrets, HIDDEN), name: value}
            try:
                load_settings(**{table: {"one": entry}})
            except InvalidRequest as error:
                message = refusal(f"DOCSTEAD_{table.upper()}: one", error.message)
                assert name not in secrets or HIDDEN not in message


@pytest.mark.parametrize("name", ["secret", "admin_key", "model_api_key", "s3_secret_access_key"])
@pytest.mark.parametrize("value", [{HIDDEN: HIDDEN}, [[HIDDEN]], [{"x": HIDDEN}]])
def test_a_secret_of_a_wrong_form_is_not_repeated(name: str, value: Any) -> None:
    with pytest.raises(InvalidRequest, match=f"DOCSTEAD_{name.upper()}") as caught:
        load_settings(**{name: value})
    assert HIDDEN not in caught.value.message


def test_a_password_in_a_wrong_url_is_not_repeated() -> None:
    with pytest.raises(InvalidRequest, match="must begin with http:// or https://") as caught:
        load_settings(s3_endpoint=f"user:{HIDDEN}@store.example")
    assert HIDDEN not in caught.value.message
