"""Tools of a site's MCP server, independent of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anyio import to_thread

from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.api.assistant.contents import ContentSearch
from docstead.api.assistant.shapes import SearchRequest
from docstead.api.mcp.resources import McpResources
from docstead.assistant.conversation import (
    AnswerSource,
    ConversationMessage,
    Question,
    QuestionChannel,
    Speaker,
)
from docstead.assistant.events import AnswerFailed, SourceFound, TextDelta
from docstead.assistant.streams import AnswerStreams
from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.features import Features
from docstead.base.ids import new_id
from docstead.base.texts import clean
from docstead.limits import policies
from docstead.limits.rate_limits import RateLimits

_PASSAGES = 6
_LONGEST = 4_000  # characters of a query or question
_READER = "mcp"  # clients are not identified


@dataclass(frozen=True)
class McpTools:
    """Implements the tools within the limits and features of a deployment."""

    contents: ContentSearch
    streams: AnswerStreams[Deployment]
    rate_limits: RateLimits
    readers: EventCollector[Deployment]
    resources: McpResources
    features: Callable[[Deployment], Features]

    async def admit(self, client_ip: str) -> None:
        """Count a request against the rate limit.

        Raises:
            RateLimited: there were too many requests from this IP address.
        """
        await to_thread.run_sync(self.rate_limits.spend, policies.mcp_request(client_ip))

    async def search(self, deployment: Deployment, arguments: dict[str, Any]) -> str:
        only = {
            name: _text(arguments, name) for name in ("version", "language") if arguments.get(name)
        }
        requested = SearchRequest.model_validate(
            {"query": _text(arguments, "query"), "pageSize": _PASSAGES, "filter": only}
        )
        found = await to_thread.run_sync(self.contents.search, deployment, requested)
        if not found and only:
            return f"No results with {_listed(only)}. Search without, or in other words."
        return "\n\n---\n\n".join(map(_passage, found)) or "No results."

    async def read_page(self, deployment: Deployment, arguments: dict[str, Any]) -> str:
        path = _text(arguments, "path")
        page = await to_thread.run_sync(self.contents.page, deployment, path)
        return page["content"]

    async def ask(self, deployment: Deployment, arguments: dict[str, Any], client_ip: str) -> str:
        """Return a complete answer with its sources.

        Raises:
            Unavailable: the answer failed.
            RateLimited: a limit is exceeded; limits equal those of messages but count separately.
        """
        text = _text(arguments, "question")
        charges = policies.assistant_message(deployment.organization_id, client_ip, "mcp")
        await to_thread.run_sync(lambda: self.rate_limits.spend(*charges))
        asked = (ConversationMessage(Speaker.USER, text),)
        question = Question(asked, fp=_READER, channel=QuestionChannel.MCP)
        recording = await self.streams.ask(deployment, question)
        while not recording.over:
            await recording.after(len(recording.events))
        if isinstance(last := recording.events[-1], AnswerFailed):
            raise Unavailable(last.message)
        said = "".join(each.text for each in recording.events if isinstance(each, TextDelta))
        sources = [each.source for each in recording.events if isinstance(each, SourceFound)]
        return said + _cited(sources)

    async def report(
        self, deployment: Deployment, arguments: dict[str, Any], client_ip: str
    ) -> str:
        """Store a problem report on a page for the maintainers.

        Raises:
            NotFound: there is no such page.
            RateLimited: there were too many reports from one IP address.
        """
        feedback = ReaderFeedback(
            new_id("mcp"),
            _text(arguments, "path"),
            helpful=False,
            comment=_text(arguments, "problem"),
            by_agent=True,
        )
        await to_thread.run_sync(
            lambda: self.readers.record_feedback(deployment, feedback, client_ip=client_ip)
        )
        return "Thank you. The maintainers of the documentation will read it."


Finder = Callable[[str, str], Deployment]  # by Host header and path


def _listed(only: dict[str, str]) -> str:
    return " and ".join(f"{name} {value!r}" for name, value in only.items())


def _text(arguments: dict[str, Any], name: str) -> str:
    value = arguments.get(name) or ""
    if not isinstance(value, str):
        raise InvalidRequest(f"{name}: must be a string")
    if not (text := clean(value).strip()):
        raise InvalidRequest(f"{name}: must not be empty")
    if len(text) > _LONGEST:
        raise InvalidRequest(f"{name}: must have at most {_LONGEST} characters")
    return text


def _passage(found: dict[str, Any]) -> str:
    about = found["metadata"]
    headings = " › ".join([about["title"], *about.get("headings", [])])
    return f"{headings}\n{about['url']}\npath: {found['path']}\n\n{found['content']}"


def _cited(sources: list[AnswerSource]) -> str:
    lines = [f"- [{each.title}]({each.url})" for each in sources]
    return "\n\nSources:\n" + "\n".join(lines) if lines else ""
