"""Operations, fields and responses of the interface.

They are written from the interface and decisions about its gaps; they are not derived from
the code.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Expected(NamedTuple):
    security: str
    success: int
    failures: frozenset[int]
    more: frozenset[int] = frozenset()  # other status codes of success


ASSISTANT = frozenset({400, 401, 403, 404, 413, 415, 429, 503})
AGENT_START = frozenset({400, 401, 403, 404, 413, 415, 429, 503})
ARCHIVE = "post /v1/publishing/{domain}"
OPERATIONS = {
    "post /discovery/v1/assistant/{domain}/message": Expected("AssistantKey", 200, ASSISTANT),
    "post /discovery/v2/assistant/{domain}/message": Expected("AssistantKey", 200, ASSISTANT),
    "get /discovery/v1/assistant/{domain}/message": Expected(
        "AssistantKey", 200, ASSISTANT - {413, 415}, more=frozenset({204})
    ),
    "get /discovery/v2/assistant/{domain}/message/{chatId}/stream": Expected(
        "AssistantKey", 200, ASSISTANT - {400, 413, 415}, more=frozenset({204})
    ),
    "post /discovery/v2/assistant/{domain}/feedback": Expected("AssistantKey", 204, ASSISTANT),
    "get /discovery/v2/assistant/{domain}/starters": Expected(
        "AssistantKey", 200, ASSISTANT - {413, 415}
    ),
    "post /discovery/v1/events/{domain}": Expected("AssistantKey", 204, ASSISTANT),
    "post /discovery/v1/feedback/{domain}": Expected("AssistantKey", 204, ASSISTANT),
    "post /discovery/v1/search/{domain}": Expected("AssistantKey", 200, ASSISTANT),
    "post /discovery/v1/page/{domain}": Expected("AssistantKey", 200, ASSISTANT),
    **{
        f"get /v1/analytics/{{projectId}}/{name}": Expected(
            "AdminKey",
            200,
            frozenset({401, 403, 404, 429, 503} | ({400} if "threads" not in name else set())),
        )
        for name in (
            "feedback",
            "feedback/by-page",
            "assistant",
            "assistant/threads/{threadId}",
            "assistant/caller-stats",
            "searches",
            "views",
            "visitors",
        )
    },
    ARCHIVE: Expected("AdminKey", 202, frozenset({400, 401, 403, 409, 413, 429})),
    "get /v1/publishing/updates/{statusId}": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 429})
    ),
    "post /v1/static-export/jobs": Expected(
        "AdminKey", 202, frozenset({400, 401, 403, 404, 409, 413, 415, 429})
    ),
    "get /v1/static-export/jobs/{jobId}": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 429})
    ),
    "post /v1/static-export/jobs/{jobId}/bundle": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 409, 429})
    ),
    "post /v2/agent/{projectId}/job": Expected("AdminKey", 201, AGENT_START),
    "post /v2/agent/{projectId}/job/{id}/message": Expected("AdminKey", 200, AGENT_START),
    "get /v2/agent/{projectId}/job/{id}": Expected("AdminKey", 200, frozenset({401, 403, 404})),
    "get /v2/agent/{projectId}/job/{id}/events": Expected(
        "AdminKey", 200, frozenset({400, 401, 403, 404}), more=frozenset({204})
    ),
    "post /v2/agent/{projectId}/job/{id}/cancel": Expected(
        "AdminKey", 200, frozenset({401, 403, 404, 409})
    ),
    "post /v1/agent/{projectId}/job": Expected("AdminKey", 200, AGENT_START),
    "get /v1/agent/{projectId}/job/{id}": Expected("AdminKey", 200, frozenset({401, 403, 404})),
    "get /v2/agent/{projectId}/job": Expected("AdminKey", 200, frozenset({400, 401, 403, 404})),
    "get /v1/agent/{projectId}/jobs": Expected("AdminKey", 200, frozenset({400, 401, 403, 404})),
    "post /v1/project/update/{projectId}": Expected(
        "AdminKey", 202, frozenset({401, 403, 404, 429})
    ),
    "get /v1/project/update-status/{statusId}": Expected(
        "AdminKey", 200, frozenset({401, 403, 404})
    ),
}

DEPRECATED = ("/v1/assistant/", "/v1/agent/")

# Body fields: name -> (required, relevant part of the schema).
STRING = {"type": "string"}
BODIES: dict[str, dict[str, tuple[bool, dict[str, Any]]]] = {
    "post /discovery/v1/assistant/{domain}/message": {
        "fp": (True, STRING),
        "messages": (True, {"type": "array"}),
        "threadId": (False, {**STRING, "default": None}),
        "threadKey": (False, STRING),
        "retrievalPageSize": (False, {"type": "number", "default": 5}),
        "filter": (False, {"type": "object", "default": None}),
        "context": (False, {"type": "array"}),
        "currentPath": (False, {**STRING, "maxLength": 200}),
    },
    "post /discovery/v2/assistant/{domain}/message": {
        "fp": (True, STRING),
        "messages": (True, {"type": "array"}),
        "threadId": (False, {**STRING, "default": None}),
        "filter": (False, {"type": "object", "default": None}),
        "currentPath": (False, {**STRING, "maxLength": 200}),
    },
    "post /discovery/v2/assistant/{domain}/feedback": {
        "messageId": (True, STRING),
        "helpful": (True, {"type": "boolean"}),
        "comment": (False, {**STRING, "maxLength": 4000}),
        "fp": (False, {**STRING, "default": "anonymous"}),
    },
    "post /discovery/v1/events/{domain}": {
        "event": (True, {"enum": ["view", "search"]}),
        "path": (False, {**STRING, "maxLength": 1000}),
        "query": (False, {**STRING, "maxLength": 500}),
        "results": (False, {"type": "integer", "default": 0}),
        "clicked": (False, {**STRING, "maxLength": 1000}),
    },
    "post /discovery/v1/feedback/{domain}": {
        "id": (True, {**STRING, "minLength": 16, "maxLength": 64}),
        "path": (True, {**STRING, "maxLength": 1000}),
        "helpful": (True, {"type": "boolean"}),
        "comment": (False, {**STRING, "maxLength": 4000}),
        "contact": (False, {**STRING, "maxLength": 320}),
    },
    "post /discovery/v1/search/{domain}": {
        "query": (True, STRING),
        "pageSize": (False, {"type": "integer", "default": 10, "minimum": 1, "maximum": 50}),
        "scoreThreshold": (False, {"type": "number", "minimum": 0, "maximum": 1}),
        "filter": (False, {"type": "object"}),
    },
    "post /discovery/v1/page/{domain}": {
        "path": (True, STRING),
        "groups": (False, {"type": "array"}),
    },
    "post /v2/agent/{projectId}/job": {"prompt": (True, {**STRING, "minLength": 1})},
    "post /v2/agent/{projectId}/job/{id}/message": {"prompt": (True, {**STRING, "minLength": 1})},
    "post /v1/agent/{projectId}/job": {
        "messages": (True, {"type": "array"}),
        "branch": (False, STRING),
        "asDraft": (False, {"type": "boolean", "default": False}),
        "model": (False, {"enum": ["sonnet", "opus"], "default": "sonnet"}),
    },
    "post /v1/static-export/jobs": {
        "domain": (True, STRING),
        "version": (False, STRING),
        "paths": (False, {"type": "array"}),
    },
}
MESSAGE = {
    "id": (True, STRING),
    "role": (True, {"enum": ["system", "assistant", "data", "user"]}),
    "content": (True, STRING),
    "parts": (True, {"type": "array"}),
    "createdAt": (False, {**STRING, "format": "date-time"}),
    "annotations": (False, {"type": "array"}),
    "experimental_attachments": (False, {"type": "array"}),
}
UI_MESSAGE = {
    "id": (True, STRING),
    "role": (True, {"enum": ["system", "assistant", "user"]}),
    "parts": (True, {"type": "array"}),
    "createdAt": (False, {**STRING, "format": "date-time"}),
    "metadata": (False, {}),
}
CONTEXT = {
    "type": (True, {"enum": ["code", "textSelection"]}),
    "value": (True, STRING),
    "path": (False, STRING),
    "elementId": (False, STRING),
}
PARTS = {"text", "reasoning", "step-start", "source", "tool-invocation"}
MOMENT = {**STRING, "format": "date-time"}
JOB = {
    "jobId": (True, STRING),
    "status": (True, {"enum": ["queued", "running", "completed", "failed"]}),
    "progress": (True, {"type": "number"}),
    "pageCount": (True, {"type": "integer"}),
    "createdAt": (True, MOMENT),
    "updatedAt": (True, MOMENT),
    "error": (False, STRING),
}
AGENT_JOB = {
    "id": (True, STRING),
    "status": (True, {"enum": ["active", "completed", "archived", "failed"]}),
    "source": (True, {"type": "object"}),
    "model": (True, STRING),
    "prLink": (True, {**STRING, "format": "uri"}),
    "createdAt": (True, MOMENT),
    "archivedAt": (True, MOMENT),
}
SESSION = {
    "sessionId": (True, STRING),
    "subdomain": (True, STRING),
    "branch": (True, STRING),
    "haulted": (True, {"type": "boolean"}),
    "haultReason": (
        True,
        {"enum": ["completed", "github_missconfigured", "error", "processing", "interrupted"]},
    ),
    "pullRequestLink": (True, STRING),
    "messageToUser": (True, STRING),
    "todos": (True, {"type": "array"}),
    "userId": (True, STRING),
    "title": (True, STRING),
    "createdAt": (True, MOMENT),
}
ANSWERS: dict[str, dict[str, tuple[bool, dict[str, Any]]]] = {
    "post /v2/agent/{projectId}/job": AGENT_JOB,
    "get /v2/agent/{projectId}/job/{id}": AGENT_JOB,
    "post /v2/agent/{projectId}/job/{id}/message": AGENT_JOB,
    "post /v2/agent/{projectId}/job/{id}/cancel": AGENT_JOB,
    "get /v1/agent/{projectId}/job/{id}": SESSION,
    "get /v2/agent/{projectId}/job": {
        "jobs": (True, {"type": "array"}),
        "hasMore": (True, {"type": "boolean"}),
    },
    "get /v1/agent/{projectId}/jobs": {"allSessions": (True, {"type": "array"})},
    "post /v1/static-export/jobs": JOB,
    "get /v1/static-export/jobs/{jobId}": JOB,
    "post /v1/static-export/jobs/{jobId}/bundle": {
        "jobId": (True, STRING),
        "bundleUrl": (True, {**STRING, "format": "uri"}),
        "sizeBytes": (True, {"type": "integer"}),
        "expiresAt": (True, MOMENT),
    },
    "post /v1/project/update/{projectId}": {"statusId": (True, STRING)},
    "get /v1/project/update-status/{statusId}": {
        "_id": (True, STRING),
        "projectId": (True, STRING),
        "createdAt": (True, MOMENT),
        "endedAt": (False, MOMENT),
        "status": (True, {"enum": ["queued", "in_progress", "success", "failure"]}),
        "summary": (False, STRING),
        "logs": (True, {"type": "array"}),
        "subdomain": (True, STRING),
        "commit": (False, {"type": "object"}),
        "source": (True, {"type": "string"}),
    },
    "post /discovery/v1/page/{domain}": {"path": (True, STRING), "content": (True, STRING)},
}
LIMITED = {429: {"Retry-After", "RateLimit", "RateLimit-Policy"}, 401: {"WWW-Authenticate"}}
