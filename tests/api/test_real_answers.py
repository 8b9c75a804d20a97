"""Real answers of the service, each held against what `/openapi.json` says of it."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator, FormatChecker

from docstead.accounts.plans import OrganizationPlan
from docstead.app.service import create_service
from docstead.app.services import AppServices, open_services
from docstead.base.api_keys import KeyKind
from docstead.base.units import MIB
from docstead.export.records import ExportRecords, ExportStatus
from docstead.settings import Settings
from in_process import ask

BASE_URL = "http://service.test"
MESSAGE = "/discovery/v1/assistant/acme/message"
MESSAGE_2 = "/discovery/v2/assistant/acme/message"
RESUME = f"{MESSAGE}?chatId="
FEEDBACK = "/discovery/v2/assistant/acme/feedback"
CHAT = "a-chat-of-somebody"
SEARCH = "/discovery/v1/search/acme"
PAGE = "/discovery/v1/page/acme"
JOBS = "/v1/static-export/jobs"
QUESTION = {
    "id": "1",
    "role": "user",
    "content": "How?",
    "parts": [{"type": "text", "text": "How?"}],
}
PUBLISHING = "/v1/publishing"
ANALYTICS = (
    "feedback",
    "feedback/by-page",
    "assistant",
    "assistant/threads/{thread}",
    "assistant/caller-stats",
    "searches",
    "views",
    "visitors",
)
STARTERS = "/discovery/v2/assistant/acme/starters"
EVENTS = "/discovery/v1/events/acme"
THUMBS = "/discovery/v1/feedback/acme"
VIEW = {"event": "view", "path": "/guide"}
THUMB = {"id": "0123456789abcdef", "path": "/guide", "helpful": True}
ASK = {"fp": "anonymous", "messages": [QUESTION]}
HOST = {"domain": "docs.acme.test"}


class Live:
    """A published site behind the whole service, its keys, and the document."""

    def __init__(self, services: AppServices, source: Path) -> None:
        self._app = create_service(services)
        deployment = self._publish(services, source)
        organization, keys = deployment.organization_id, services.api_keys
        poor = services.tenancy.create_organization("Poor", OrganizationPlan.COMMUNITY)
        other = services.tenancy.create_organization("Other")
        scopes = {"scopes": ["read"]}
        self.keys = {
            "admin": keys.create(organization, KeyKind.ADMIN, "a").key,
            "read": keys.create(organization, KeyKind.ADMIN, "r", **scopes).key,
            "far": keys.create(organization, KeyKind.ADMIN, "f", allowlist=["198.51.100.7"]).key,
            "poor": keys.create(poor.id, KeyKind.ADMIN, "p").key,
            "other": keys.create(other.id, KeyKind.ADMIN, "o").key,
            "assistant": keys.create(
                organization, KeyKind.ASSISTANT, "q", deployment_id=deployment.id
            ).key,
            "away": keys.create(
                organization,
                KeyKind.ASSISTANT,
                "w",
                deployment_id=deployment.id,
                allowlist=["198.51.100.7"],
            ).key,
            "wrong": "svc_wrong",
        }
        empty = services.tenancy.create_project(organization, "Empty", "/nowhere")
        services.tenancy.create_deployment(empty.id, "empty", "docs.empty.test")
        done = services.exports.start(organization, deployment.hostname)
        failed = services.exports.start(organization, deployment.hostname)
        records = ExportRecords(services.database, services.clock)
        for export in (done, failed):
            records.advance(export.id, ExportStatus.RUNNING)
        key = f"exports/{done.id}/bundle.tar.gz"
        services.objects.put(key, b"bundle")
        values = {"object_key": key, "size_bytes": 6, "progress": 100.0, "page_count": 2}
        records.advance(done.id, ExportStatus.COMPLETED, **values)
        records.advance(failed.id, ExportStatus.FAILED, error="it broke")
        self.names = {
            "done": done.id,
            "failed": failed.id,
            "project": deployment.project_id,
            "update": services.updates.of_project(deployment.project_id)[0].id,
        }
        self.document = self.send("GET", "/openapi.json", None).json()
        answer = self.send("POST", MESSAGE_2, "assistant", json={**ASK, "id": CHAT})
        started = json.loads(answer.text.splitlines()[0].removeprefix("data: "))
        self.message_id = started["messageId"]
        self.names["thread"] = started["messageMetadata"]["threadId"]

    def _publish(self, services: AppServices, source: Path) -> Any:
        organization = services.tenancy.create_organization("Acme")
        project = services.tenancy.create_project(organization.id, "Docs", str(source))
        deployment = services.tenancy.create_deployment(project.id, "acme", "docs.acme.test")
        outcome = services.updates.run(services.updates.create(project.id, "internal").id)
        assert outcome.update.status == "success", outcome.update.summary
        return deployment

    def send(self, method: str, path: str, key: str | None, **options: Any) -> httpx.Response:
        authorization = {"authorization": f"Bearer {self.keys[key]}"} if key else {}
        headers = authorization | options.pop("headers", {})
        return ask(self._app, method, path, headers=headers, base_url=BASE_URL, **options)

    def described(self, method: str, path: str) -> dict[str, Any]:
        """The operation that the document has for this URL."""
        path = path.partition("?")[0]
        for template, operations in self.document["paths"].items():
            parts = list(zip(template.split("/"), path.split("/"), strict=False))
            same_length = template.count("/") == path.count("/")
            if same_length and all(a == b or a.startswith("{") for a, b in parts):
                found: dict[str, Any] = operations[method.lower()]
                return found
        raise AssertionError(f"{method} {path} is not in the document")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("live")
    source = folder / "docs"
    source.mkdir()
    (source / "docs.json").write_text(
        '{"name": "Acme", "theme": "mint", "colors": {"primary": "#0F766E"},'
        ' "navigation": {"pages": ["index", "guide"]}}'
    )
    (source / "index.mdx").write_text("---\ntitle: Start\n---\n\nHow do I begin? Read on.\n")
    (source / "guide.mdx").write_text("---\ntitle: Guide\n---\n\n## How\n\nPress the button.\n")
    with open_services(Settings(data=folder / "data", base_url=BASE_URL)) as services:
        yield Live(services, source)


def archive() -> bytes:
    """A repository without a page, as tar.gz."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        settings = b'{"name": "Sent"}'
        entry = tarfile.TarInfo("docs.json")
        entry.size = len(settings)
        tar.addfile(entry, io.BytesIO(settings))
    return packed.getvalue()


CASES: list[tuple[str, str, str | None, dict[str, Any], int]] = [
    ("POST", MESSAGE, "assistant", {"json": ASK}, 200),
    ("POST", MESSAGE, "assistant", {"json": {**ASK, "currentPath": "x" * 201}}, 400),
    ("POST", MESSAGE, "assistant", {"json": {"fp": "a"}}, 400),
    ("POST", MESSAGE, "assistant", {"content": b"{"}, 400),
    ("POST", MESSAGE, None, {"json": ASK}, 401),
    ("POST", MESSAGE, "admin", {"json": ASK}, 401),
    ("POST", MESSAGE, "away", {"json": ASK}, 403),
    ("POST", MESSAGE.replace("acme", "other"), "assistant", {"json": ASK}, 404),
    ("POST", MESSAGE, "assistant", {"content": b"x" * 16 * MIB}, 413),
    ("POST", MESSAGE_2, "assistant", {"json": ASK}, 200),
    ("POST", MESSAGE_2, "assistant", {"json": {"fp": "a"}}, 400),
    ("POST", MESSAGE_2, "admin", {"json": ASK}, 401),
    ("POST", MESSAGE_2, "away", {"json": ASK}, 403),
    ("POST", MESSAGE_2.replace("acme", "other"), "assistant", {"json": ASK}, 404),
    ("POST", MESSAGE_2, "assistant", {"content": b"x" * 16 * MIB}, 413),
    ("GET", f"{RESUME}{CHAT}", "assistant", {}, 200),
    ("GET", f"{RESUME}nothing", "assistant", {}, 204),
    ("GET", MESSAGE, "assistant", {}, 400),
    ("GET", f"{RESUME}{CHAT}", "admin", {}, 401),
    ("GET", f"{RESUME}{CHAT}", "away", {}, 403),
    ("GET", f"{RESUME.replace('acme', 'other')}{CHAT}", "assistant", {}, 404),
    ("GET", f"{MESSAGE_2}/{CHAT}/stream", "assistant", {}, 200),
    ("GET", f"{MESSAGE_2}/nothing/stream", "assistant", {}, 204),
    ("GET", f"{MESSAGE_2}/{CHAT}/stream", None, {}, 401),
    ("GET", f"{MESSAGE_2}/{CHAT}/stream", "away", {}, 403),
    ("GET", f"{MESSAGE_2.replace('acme', 'other')}/{CHAT}/stream", "assistant", {}, 404),
    ("POST", FEEDBACK, "assistant", {"json": {"messageId": "{message}", "helpful": True}}, 204),
    ("POST", FEEDBACK, "assistant", {"json": {"messageId": "{message}"}}, 400),
    ("POST", FEEDBACK, "wrong", {"json": {"messageId": "{message}", "helpful": True}}, 401),
    ("POST", FEEDBACK, "away", {"json": {"messageId": "{message}", "helpful": True}}, 403),
    ("POST", FEEDBACK, "assistant", {"json": {"messageId": "unknown", "helpful": True}}, 404),
    ("POST", FEEDBACK, "assistant", {"content": b"x" * 2_000_000}, 413),
    ("GET", f"{STARTERS}?currentPath=/guide", "assistant", {}, 200),
    ("GET", f"{STARTERS}?currentPath={'x' * 201}", "assistant", {}, 400),
    ("GET", STARTERS, None, {}, 401),
    ("GET", STARTERS, "away", {}, 403),
    ("GET", STARTERS.replace("acme", "other"), "assistant", {}, 404),
    ("POST", EVENTS, "assistant", {"json": VIEW}, 204),
    ("POST", EVENTS, "assistant", {"json": {**VIEW, "path": "/nowhere"}}, 404),
    ("POST", EVENTS, "assistant", {"json": {}}, 400),
    ("POST", EVENTS, "admin", {"json": VIEW}, 401),
    ("POST", EVENTS, "away", {"json": VIEW}, 403),
    ("POST", EVENTS.replace("acme", "other"), "assistant", {"json": VIEW}, 404),
    ("POST", EVENTS, "assistant", {"content": b"x" * 2_000_000}, 413),
    ("POST", THUMBS, "assistant", {"json": THUMB}, 204),
    ("POST", THUMBS, "assistant", {"json": {**THUMB, "id": "1"}}, 400),
    ("POST", THUMBS, None, {"json": THUMB}, 401),
    ("POST", THUMBS, "away", {"json": THUMB}, 403),
    ("POST", THUMBS, "assistant", {"json": {**THUMB, "path": "/nowhere"}}, 404),
    ("POST", THUMBS, "assistant", {"content": b"x" * 2_000_000}, 413),
    ("POST", SEARCH, "assistant", {"json": {"query": "button"}}, 200),
    ("POST", SEARCH, "assistant", {"json": {"query": "button", "pageSize": 51}}, 400),
    ("POST", SEARCH, "wrong", {"json": {"query": "button"}}, 401),
    ("POST", SEARCH, "away", {"json": {"query": "button"}}, 403),
    ("POST", SEARCH.replace("acme", "other"), "assistant", {"json": {"query": "b"}}, 404),
    ("POST", SEARCH, "assistant", {"content": b"x" * 2_000_000}, 413),
    ("POST", PAGE, "assistant", {"json": {"path": "/guide"}}, 200),
    ("POST", PAGE, "assistant", {"json": {}}, 400),
    ("POST", PAGE, "admin", {"json": {"path": "/guide"}}, 401),
    ("POST", PAGE, "away", {"json": {"path": "/guide"}}, 403),
    ("POST", PAGE, "assistant", {"json": {"path": "/nowhere"}}, 404),
    ("POST", PAGE.replace("acme", "other"), "assistant", {"json": {"path": "/guide"}}, 404),
    ("POST", PAGE, "assistant", {"content": b"x" * 2_000_000}, 413),
    ("POST", JOBS, "admin", {"json": HOST}, 202),
    ("POST", JOBS, "admin", {"json": {"domain": "https://docs.acme.test/"}}, 400),
    ("POST", JOBS, "admin", {"json": {**HOST, "paths": ["../etc/passwd"]}}, 400),
    ("POST", JOBS, "admin", {"json": {}}, 400),
    ("POST", JOBS, None, {"json": HOST}, 401),
    ("POST", JOBS, "assistant", {"json": HOST}, 401),
    ("POST", JOBS, "poor", {"json": HOST}, 403),
    ("POST", JOBS, "read", {"json": HOST}, 403),
    ("POST", JOBS, "admin", {"json": {"domain": "docs.unknown.test"}}, 404),
    ("POST", JOBS, "admin", {"json": {"domain": "docs.empty.test"}}, 409),
    ("POST", JOBS, "admin", {"content": b"x" * 2_000_000}, 413),
    ("GET", f"{JOBS}/{{done}}", "read", {}, 200),
    ("GET", f"{JOBS}/{{failed}}", "admin", {}, 200),
    ("GET", f"{JOBS}/{{done}}", "assistant", {}, 401),
    ("GET", f"{JOBS}/{{done}}", "poor", {}, 403),
    ("GET", f"{JOBS}/{{done}}", "other", {}, 404),
    ("GET", f"{JOBS}/{{done}}", "far", {}, 403),
    ("GET", f"{JOBS}/se_0000000000000000", "admin", {}, 404),
    ("POST", f"{JOBS}/{{done}}/bundle", "admin", {}, 200),
    ("POST", f"{JOBS}/{{failed}}/bundle", "admin", {}, 409),
    ("POST", f"{JOBS}/{{done}}/bundle", None, {}, 401),
    ("POST", f"{JOBS}/{{done}}/bundle", "read", {}, 403),
    ("POST", f"{JOBS}/{{done}}/bundle", "poor", {}, 403),
    ("POST", f"{JOBS}/{{done}}/bundle", "other", {}, 404),
    ("POST", "/v1/project/update/{project}", "admin", {}, 202),
    ("POST", "/v1/project/update/{project}", "wrong", {}, 401),
    ("POST", "/v1/project/update/{project}", "read", {}, 403),
    ("POST", "/v1/project/update/{project}", "poor", {}, 404),
    ("GET", "/v1/project/update-status/{update}", "read", {}, 200),
    ("GET", "/v1/project/update-status/{update}", None, {}, 401),
    ("GET", "/v1/project/update-status/{update}", "far", {}, 403),
    ("GET", "/v1/project/update-status/{update}", "poor", {}, 404),
    ("POST", f"{PUBLISHING}/sent", "admin", {"content": archive()}, 202),
    ("POST", f"{PUBLISHING}/sent", "admin", {"content": b""}, 400),
    ("POST", f"{PUBLISHING}/sent", None, {"content": archive()}, 401),
    ("POST", f"{PUBLISHING}/sent", "read", {"content": archive()}, 403),
    ("POST", f"{PUBLISHING}/acme", "other", {"content": archive()}, 409),
    ("GET", f"{PUBLISHING}/updates/{{update}}", "read", {}, 200),
    ("GET", f"{PUBLISHING}/updates/{{update}}", None, {}, 401),
    ("GET", f"{PUBLISHING}/updates/{{update}}", "far", {}, 403),
    ("GET", f"{PUBLISHING}/updates/{{update}}", "poor", {}, 404),
    *(
        ("GET", f"/v1/analytics/{project}/{name}", key, {}, status)
        for name in ANALYTICS
        for project, key, status in (
            ("{project}", "read", 200),
            ("{project}", None, 401),
            ("{project}", "far", 403),
            ("{project}", "poor", 404),
        )
    ),
    *(
        ("GET", f"/v1/analytics/{{project}}/{name}?dateFrom=yesterday", "read", {}, 400)
        for name in ANALYTICS
        if "threads" not in name
    ),
]
COMPRESSED = {"content": gzip.compress(b"{}"), "headers": {"Content-Encoding": "gzip"}}
CASES += [
    (method, path, key, COMPRESSED, 415)
    for method, path, key, _, status in CASES
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
]


@pytest.mark.parametrize(("method", "path", "key", "options", "status"), CASES)
def test_an_answer_is_as_described(  # noqa: PLR0917 - the columns of the table
    live: Live, method: str, path: str, key: str | None, options: dict[str, Any], status: int
) -> None:
    path = path.format(**live.names)
    if options.get("json", {}).get("messageId") == "{message}":
        options = {"json": {**options["json"], "messageId": live.message_id}}
    answer = live.send(method, path, key, **options)
    assert answer.status_code == status, answer.text[:500]
    described = live.described(method, path)["responses"][str(status)]
    if status == 204:
        assert answer.content == b""
        assert "content" not in described
        return
    media_type = answer.headers["content-type"].partition(";")[0]
    schema = described["content"][media_type]["schema"]
    whole = {**schema, "components": live.document["components"]}
    validator = Draft202012Validator(whole, format_checker=FormatChecker())
    for body in bodies(answer, media_type):
        validator.validate(body)


def bodies(answer: httpx.Response, media_type: str) -> list[Any]:
    """The values that the schema of `media_type` describes: the body, or each event of a stream."""
    if media_type == "application/json":
        return [answer.json()]
    if media_type != "text/event-stream":
        return [answer.text]
    events = answer.text.removesuffix("\n\n").split("\n\n")
    return [dict(line.split(": ", 1) for line in event.splitlines()) for event in events]


def test_the_table_covers_the_document(live: Live) -> None:
    """Limits (429, and 413 of archives), what is off (503) and agent jobs have their own tests."""
    seen = {
        (id(live.described(method, path.format(**live.names))), str(status))
        for method, path, _, _, status in CASES
    }
    for path, operations in live.document["paths"].items():
        for method, operation in () if "/agent/" in path else operations.items():
            limits = {"429", "503", "413"} if path.startswith(PUBLISHING) else {"429", "503"}
            for status in set(operation["responses"]) - limits:
                assert (id(operation), status) in seen, f"{method} {path} {status}"
