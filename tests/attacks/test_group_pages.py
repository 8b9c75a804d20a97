"""Pages for groups, asked for with the key that stands in the site's own HTML."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import patient_http
from free_ports import free_port
from ready_processes import shared_processes
from running_service import Service

SECRET = "ZEBRA47"
CONFIG = {
    "name": "Group",
    "theme": "mint",
    "colors": {"primary": "#0055ff"},
    "navigation": {"pages": ["index", "partners/prices"]},
}
CALLS = {
    "page": ("/discovery/v1/page/{}", {"path": "/partners/prices", "groups": ["partners"]}),
    "search": (
        "/discovery/v1/search/{}",
        {"query": "secret partner discount", "filter": {"groups": ["partners"]}},
    ),
    **{
        version: (
            f"/discovery/{version}/assistant/{{}}/message",
            {
                "fp": "anonymous",
                "filter": {"groups": ["partners"]},
                "messages": [
                    {
                        "id": "1",
                        "role": "user",
                        "content": "What is the secret partner discount?",
                        "parts": [{"type": "text", "text": "What is the secret partner discount?"}],
                    }
                ],
            },
        )
        for version in ("v1", "v2")
    },
}
ALL_CALLS = pytest.mark.parametrize("call", CALLS)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    source = tmp_path_factory.mktemp("group")
    (source / "docs.json").write_text(json.dumps(CONFIG))
    (source / "index.mdx").write_text("---\ntitle: Start\n---\n\nDiscounts are for partners.\n")
    (source / "partners").mkdir()
    (source / "partners" / "prices.mdx").write_text(
        "---\ntitle: Prices\ngroups: [partners]\n---\n\n"
        f"The secret partner discount is 47 percent with code {SECRET}.\n"
    )
    running = Service(source, tmp_path_factory.mktemp("data"), free_port())
    running.start()
    yield running
    running.stop()


def command(service: Service, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"DOCSTEAD_DATA": str(service.data)}
    invocation = ("docstead.cli", *arguments)
    return shared_processes().run(invocation, environment, folder=service.data, timeout=120)


@pytest.fixture(scope="module")
def groups_key(service: Service) -> str:
    made = command(service, "keys", "create", "assistant", "--scope", "groups")
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def asked(
    service: Service, call: str, key: str, origin: str | None = None, **more: str
) -> httpx.Response:
    path, body = CALLS[call]
    headers = {} if origin is None else {"Origin": origin}
    return patient_http.post(
        service.facts["baseUrl"] + path.format(service.facts["domain"]),
        json=body | more,
        headers={"Authorization": f"Bearer {key}", **headers},
    )


def keys_in_pages(service: Service) -> list[str]:
    page = service.get(f"/_sites/{service.facts['domain']}/").text
    return re.findall(r"svc_dsc_[A-Za-z0-9]{38}", page)


@ALL_CALLS
def test_the_key_of_the_site_reads_no_groups(service: Service, call: str) -> None:
    (key, *_) = keys_in_pages(service)
    answer = asked(service, call, key)
    assert SECRET not in answer.text
    assert answer.status_code == (404 if call == "page" else 200)


@ALL_CALLS
def test_a_key_that_may_be_used_in_browsers_reads_no_groups(service: Service, call: str) -> None:
    assert SECRET not in asked(service, call, service.facts["assistantKey"]).text


@ALL_CALLS
def test_a_key_made_for_groups_reads_them(service: Service, call: str, groups_key: str) -> None:
    assert SECRET in asked(service, call, groups_key).text


@ALL_CALLS
def test_a_key_made_for_groups_does_not_work_in_a_page(
    service: Service, call: str, groups_key: str
) -> None:
    for origin in (service.facts["baseUrl"], "https://elsewhere.example", "null"):
        answer = asked(service, call, groups_key, origin)
        assert (answer.status_code, SECRET in answer.text) == (403, False)


@pytest.fixture(scope="module")
def chat_for_partners(service: Service, groups_key: str) -> tuple[str, str]:
    """The ids of a chat with an answer for partners, and of its thread."""
    chat = "a-chat-of-the-partners"
    answer = asked(service, "v2", groups_key, id=chat)
    assert SECRET in answer.text
    return chat, answer.headers["x-thread-id"]


def resumed(service: Service, version: str, key: str, chat: str) -> httpx.Response:
    resource = f"?chatId={chat}" if version == "v1" else f"/{chat}/stream"
    return patient_http.get(
        f"{service.facts['baseUrl']}/discovery/{version}/assistant/{service.facts['domain']}"
        f"/message{resource}",
        headers={"Authorization": f"Bearer {key}"},
    )


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_chat_for_groups_is_resumed_only_with_a_key_made_for_them(
    service: Service, version: str, groups_key: str, chat_for_partners: tuple[str, str]
) -> None:
    for name in chat_for_partners:
        for key in (service.facts["assistantKey"], *keys_in_pages(service)):
            refused = resumed(service, version, key, name)
            assert (refused.status_code, SECRET in refused.text) == (404, False)
        assert SECRET in resumed(service, version, groups_key, name).text


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_thread_for_groups_is_continued_only_with_a_key_made_for_them(
    service: Service, version: str, groups_key: str, chat_for_partners: tuple[str, str]
) -> None:
    _, thread = chat_for_partners
    for key in (service.facts["assistantKey"], *keys_in_pages(service)):
        begun = asked(service, version, key, threadId=thread)
        assert (begun.status_code, SECRET in begun.text) == (200, False)
        assert begun.headers["x-thread-id"] != thread
    continued = asked(service, version, groups_key, threadId=thread)
    assert continued.headers["x-thread-id"] == thread


def test_a_thread_is_for_groups_from_the_first_answer_for_them(
    service: Service, groups_key: str
) -> None:
    public = service.facts["assistantKey"]
    own, other = (asked(service, "v2", public).headers["x-thread-id"] for _ in range(2))
    assert asked(service, "v2", public, threadId=own).status_code == 200
    assert SECRET in asked(service, "v2", groups_key, threadId=own).text
    assert asked(service, "v2", public, threadId=own).headers["x-thread-id"] != own
    assert resumed(service, "v2", public, own).status_code == 404
    assert asked(service, "v2", public, threadId=other).headers["x-thread-id"] == other
    assert resumed(service, "v2", public, other).status_code == 200


def test_feedback_on_an_answer_for_groups_needs_a_key_made_for_them(
    service: Service, groups_key: str
) -> None:
    answer = asked(service, "v2", groups_key)
    message = answer_id(answer)
    for key in (service.facts["assistantKey"], *keys_in_pages(service)):
        assert feedback_on(service, key, message).status_code == 404
    assert feedback_on(service, groups_key, message).status_code == 204
    public = service.facts["assistantKey"]
    assert feedback_on(service, public, answer_id(asked(service, "v2", public))).status_code == 204


def answer_id(answer: httpx.Response) -> str:
    (found,) = re.findall(r'"messageId":"([^"]+)"', answer.text)
    return str(found)


def feedback_on(service: Service, key: str, message: str) -> httpx.Response:
    return patient_http.post(
        f"{service.facts['baseUrl']}/discovery/v2/assistant/{service.facts['domain']}/feedback",
        json={"messageId": message, "helpful": True},
        headers={"Authorization": f"Bearer {key}"},
    )


@pytest.mark.parametrize(
    "options",
    [
        ("assistant", "--scope", "groups", "--origin", "https://a.example"),
        ("assistant", "--scope", "read"),
        ("admin", "--scope", "groups"),
        ("admin", "--scope", "read", "--scope", "groups"),
    ],
)
def test_no_other_key_can_have_the_scope(service: Service, options: tuple[Any, ...]) -> None:
    refused = command(service, "keys", "create", *options)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "docstead: --scope: only " in refused.stderr or "docstead: --origin: " in refused.stderr
