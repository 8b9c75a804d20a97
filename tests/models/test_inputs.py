"""Pictures and PDFs in messages, as providers receive them."""

from __future__ import annotations

import base64
from typing import Any

from chat_server import ChatServer
from docstead.models.chat import ChatMessage, ChatRole, InputFile
from docstead.models.known_models import known_model

PICTURE = InputFile("a.png", "image/png", b"\x89PNG")
DOCUMENT = InputFile("b.pdf", "application/pdf", b"%PDF-1.7")
QUESTION = (ChatMessage(ChatRole.USER, "Compare.", files=(PICTURE, DOCUMENT)),)


def encoded(file: InputFile) -> str:
    return base64.b64encode(file.data).decode()


def test_anthropic_gets_blocks_before_the_text(server: ChatServer, anthropic_client: Any) -> None:
    anthropic_client.ask(QUESTION, inputs=("image", "pdf"))
    image, document, text = server.requests[0]["messages"][0]["content"]
    source = {"type": "base64", "media_type": "image/png", "data": encoded(PICTURE)}
    assert image == {"type": "image", "source": source}
    source = {"type": "base64", "media_type": "application/pdf", "data": encoded(DOCUMENT)}
    assert document == {"type": "document", "title": "b.pdf", "source": source}
    assert (text["type"], text["text"]) == ("text", "Compare.")


def test_openai_gets_parts_after_the_text(server: ChatServer, openai_client: Any) -> None:
    openai_client.ask(QUESTION, inputs=("image", "pdf"))
    assert server.requests[0]["messages"][0]["content"] == [
        {"type": "text", "text": "Compare."},
        {
            "type": "image_url",
            "image_url": {"url": f"data:image/png;base64,{encoded(PICTURE)}"},
        },
        {
            "type": "file",
            "file": {
                "filename": "b.pdf",
                "file_data": f"data:application/pdf;base64,{encoded(DOCUMENT)}",
            },
        },
    ]


def test_a_note_replaces_files_that_a_model_does_not_take(
    server: ChatServer, anthropic_client: Any
) -> None:
    anthropic_client.ask(QUESTION, inputs=("image",))
    image, text = server.requests[0]["messages"][0]["content"]
    assert image["type"] == "image"
    assert text["text"] == (
        "Compare.\n\n[The file 'b.pdf' is not shown: you take no files of the type "
        "application/pdf.]"
    )


def test_a_text_model_gets_a_text_as_before(server: ChatServer, openai_client: Any) -> None:
    openai_client.ask(QUESTION)
    content = server.requests[0]["messages"][0]["content"]
    assert content.startswith("Compare.\n\n[The file 'a.png' is not shown")


def test_well_known_models_need_no_setting() -> None:
    assert known_model("anthropic", "claude-sonnet-4-5").inputs == {"image", "pdf"}
    assert known_model("anthropic", "claude-3-haiku-20240307").inputs == {"image"}
    assert known_model("openai", "openai/gpt-4o").inputs == {"image", "pdf"}
    assert known_model("openai", "mistral-large-2512").inputs == {"image"}
    assert known_model("openai", "mistral-large-2411").inputs == frozenset()
    assert known_model("openai", "llama-3").inputs == frozenset()
