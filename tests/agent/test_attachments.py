"""Pictures, PDFs and texts that come with instructions, over HTTP, as models receive them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

import patient_http
from agent_harness import new_repository
from agent_server import AgentServer, AgentTenant, agent_server
from chat_server import Call, ChatServer, Reply, Rule, chat_server
from docstead.agent.attachments import MOST_BYTES, MOST_CHARACTERS, MOST_FILES

PDF = b"%PDF-1.7\n%%EOF\n"
DONE = Reply(calls=(Call("finish", {"title": "Nothing", "summary": "Seen."}),))


def picture(kind: str = "PNG", size: tuple[int, int] = (2, 2)) -> bytes:
    file = BytesIO()
    Image.new("RGB", size).save(file, kind)
    return file.getvalue()


def attached(data: bytes, name: str = "a.png", media_type: str = "image/png") -> dict[str, str]:
    content = base64.b64encode(data).decode()
    return {"url": f"data:{media_type};base64,{content}", "name": name}


@dataclass(frozen=True)
class AttachmentService:
    """A service whose agent has a scripted model that takes pictures and PDFs."""

    server: AgentServer
    chat: ChatServer
    tenant: AgentTenant

    def send(self, attachments: Any, path: str = "") -> httpx.Response:
        return patient_http.post(
            f"{self.server.url}/v2/agent/{self.tenant.project.id}/job{path}",
            headers={"Authorization": f"Bearer {self.tenant.key}"},
            json={"prompt": "Describe what is attached.", "attachments": attachments},
        )

    def run(self, attachments: Any, path: str = "") -> tuple[str, list[dict[str, Any]]]:
        """The id of the job once it has ended, and the request that its model received last."""
        answer = self.send(attachments, path)
        assert answer.status_code in (200, 201), answer.text
        job = self.server.ended(self.tenant, answer.json()["id"])
        assert job["status"] == "completed", job
        return job["id"], self.chat.last_messages

    def refusal(self, *attachments: Any) -> tuple[int, str]:
        answer = self.send(list(attachments))
        return answer.status_code, answer.json()["error"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AttachmentService]:
    folder = tmp_path_factory.mktemp("attachments")
    with (
        chat_server() as chat,
        agent_server(folder / "data", chat, model_inputs=("image", "pdf")) as server,
    ):
        chat.rules = [Rule(lambda _: True, DONE)]
        yield AttachmentService(
            server, chat, server.tenant("acme", new_repository(folder / "repository"))
        )


def blocks(messages: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The blocks of this type in the user's messages."""
    contents = [each["content"] for each in messages if each["role"] == "user"]
    found = [block for content in contents if isinstance(content, list) for block in content]
    return [block for block in found if block["type"] == kind]


def test_openai_receives_pictures_and_pdfs_as_parts(site) -> None:
    png = picture()
    _, messages = site.run([attached(png), attached(PDF, "b.pdf", "application/pdf")])
    assert [each["image_url"]["url"] for each in blocks(messages, "image_url")] == [
        attached(png)["url"]
    ]
    assert [each["file"] for each in blocks(messages, "file")] == [
        {"filename": "b.pdf", "file_data": attached(PDF, media_type="application/pdf")["url"]}
    ]
    assert "Attached files: a.png (image/png), b.pdf (application/pdf)" in str(messages)


def test_a_follow_up_adds_files_to_those_of_the_job(site) -> None:
    first, second = picture(), picture("GIF")
    job, _ = site.run([attached(first)])
    _, messages = site.run([attached(second, "b.gif", "image/gif")], f"/{job}/message")
    assert [each["image_url"]["url"] for each in blocks(messages, "image_url")] == [
        attached(first)["url"],
        attached(second, media_type="image/gif")["url"],
    ]


def test_texts_are_delimited_parts_of_the_instruction(site) -> None:
    job, messages = site.run([attached("größer: 1\n".encode(), "limits.yaml", "text/yaml")])
    said = next(each["content"] for each in messages if each["role"] == "user")
    assert "attachment limits.yaml\ngrößer: 1" in said
    events = site.server.events(site.tenant, job)
    message = next(data for kind, data in events if kind == "message")
    assert message["attachments"] == ["limits.yaml"]


def test_files_that_cannot_be_used_are_refused_with_their_reason(site) -> None:
    assert site.refusal({"url": "https://files.example/a.png"}) == (
        400,
        "attachments.0.url: must be a data: URL with the whole file",
    )
    assert site.refusal(attached(picture()), {"url": "data:image/png;base64,%%"}) == (
        400,
        "attachments.1.url: the content is not base64",
    )
    assert site.refusal(attached(b"", "empty.txt")) == (
        400,
        "attachments.0: 'empty.txt' is empty",
    )
    status, error = site.refusal(attached(b"PK\x03\x04\x00\xff", "a.docx"))
    assert (status, "neither a picture" in error) == (400, True)
    status, error = site.refusal(attached(picture()[:30], "torn.png"))
    assert (status, "torn.png" in error) == (400, True)
    status, error = site.refusal(attached(picture(size=(8_001, 1)), "wide.png"))
    assert (status, "8001 by 1 pixels" in error) == (400, True)


def test_files_that_are_too_many_or_too_large_are_refused(site) -> None:
    status, error = site.refusal(*[attached(picture())] * (MOST_FILES + 1))
    assert (status, error) == (400, "attachments: must be at most 10 files, not 11")
    large = picture() + bytes(MOST_BYTES)
    status, error = site.refusal(attached(large))
    assert (status, error) == (413, "attachments.0: 'a.png' is larger than 5 MiB")
    status, error = site.refusal(*[attached(large[: MOST_BYTES - 10**6])] * 2)
    assert (status, "8 MiB in total" in error) == (413, True)
    status, error = site.refusal(attached(b"x" * (MOST_CHARACTERS + 1), "a.txt", "text/plain"))
    assert (status, "characters in total" in error) == (413, True)


def test_another_file_under_the_same_idempotency_key_is_another_request(site) -> None:
    body = {"prompt": "Look", "attachments": [attached(picture())]}
    url = f"{site.server.url}/v2/agent/{site.tenant.project.id}/job"
    headers = {"Authorization": f"Bearer {site.tenant.key}", "Idempotency-Key": "one"}
    first = patient_http.post(url, headers=headers, json=body)
    again = patient_http.post(url, headers=headers, json=body)
    other = {**body, "attachments": [attached(picture("GIF"))]}
    assert (first.status_code, again.json()["id"]) == (201, first.json()["id"])
    refused = patient_http.post(url, headers=headers, json=other)
    assert (refused.status_code, "Idempotency-Key" in refused.text) == (400, True)
    site.server.ended(site.tenant, first.json()["id"])


def test_files_are_removed_with_the_archived_job(site) -> None:
    job, _ = site.run([attached(picture())])
    agent = site.server.services.agent
    assert list(agent.file_names(job).values()) == [["a.png"]]
    agent.archive(job)
    assert agent.file_names(job) == {}
