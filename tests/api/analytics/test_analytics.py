"""Analytics over HTTP, on both databases."""

from __future__ import annotations

import secrets
from datetime import timedelta
from functools import cache
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from conversations import SOURCE, Talks
from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Deployment
from docstead.analytics.feedback_entries import FeedbackStatus
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.page_feedback import ReaderFeedback
from docstead.analytics.readers import Reader
from docstead.analytics.visits import PageVisit
from docstead.api.analytics.routes import analytics_routes
from docstead.api.application import create_api
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.assistant.conversation import QuestionChannel
from docstead.assistant.feedback import AnswerFeedback
from docstead.base.api_keys import KeyKind
from docstead.base.errors import NotFound
from docstead.base.features import ALL_FEATURES
from docstead.limits.rate_limits import RateLimits
from docstead.storage.schema import page_visits, visit_salts
from handmade_sites import HandmadeSites
from in_process import ask


class AnalyticsService:
    """The API of analytics over real stores."""

    def __init__(self, sites: HandmadeSites) -> None:
        self.sites = sites
        self.keys = ApiKeys(sites.database, sites.clock, secrets.token_bytes(32))
        self.insights = ReaderInsights.over(sites.database, sites.clock, days=30)
        self.talks = Talks(sites.database, sites.clock)
        routes = analytics_routes(
            insights=self.insights,
            tenancy=sites.tenancy,
            rate_limits=RateLimits(sites.database, sites.clock),
            authentication=Authentication(self.keys, ClientAddress()),
            features=lambda _: ALL_FEATURES,
        )
        self.api = create_api([routes], base_url="http://localhost")
        self.acme = self.deployment("acme")

    def deployment(self, name: str) -> Deployment:
        return self.sites.deployment(name, f"docs.{name}.test")

    def get(
        self,
        path: str,
        deployment: Deployment | None = None,
        *,
        key: str | None = None,
        **query: Any,
    ) -> httpx.Response:
        owner = deployment or self.acme
        key = key or self._key(owner.organization_id)
        url = f"http://localhost/v1/analytics/{self.acme.project_id}/{path}"
        return ask(self.api, "GET", url, params=query, headers={"authorization": f"Bearer {key}"})

    @cache  # noqa: B019 - a service lives as long as its test
    def _key(self, organization_id: str) -> str:
        return self.keys.create(organization_id, KeyKind.ADMIN, "reads").key


@pytest.fixture
def service(backend: Any, tmp_path: Any, clock: Any) -> AnalyticsService:
    return AnalyticsService(HandmadeSites(backend.database, backend.objects, tmp_path, clock))


def pass_a_minute(clock: Any) -> None:
    clock.move_to(clock.now() + timedelta(minutes=1))


def test_questions_and_answers_newest_first(service: AnalyticsService, clock: Any) -> None:
    thread = service.talks.ask(service.acme.id, "How do I install it?", "Run it.", path="/start")
    pass_a_minute(clock)
    service.talks.ask(service.acme.id, "And on the moon?", thread=thread)
    body = service.get("assistant").json()
    assert (body["hasMore"], body["nextCursor"]) == (False, None)
    second, first = body["conversations"]
    assert first.pop("id") != second["id"]
    assert first == {
        "conversationId": thread.id,
        "timestamp": "2026-11-21T12:00:00.000Z",
        "query": "How do I install it?",
        "response": "Run it.",
        "responseType": "answer",
        "sources": [{"title": SOURCE.title, "url": SOURCE.url}],
        "resolutionStatus": "answered",
        "queryCategory": None,
        "pageUrl": "/start",
    }
    assert (second["resolutionStatus"], second["sources"]) == ("unanswered", [])


def test_pages_of_questions_meet_without_a_gap(service: AnalyticsService) -> None:
    for number in range(5):  # all at the same moment
        service.talks.ask(service.acme.id, f"Question {number}?")
    seen, cursor = [], None
    while True:
        body = service.get("assistant", limit=2, **({"cursor": cursor} if cursor else {})).json()
        seen += [each["query"] for each in body["conversations"]]
        cursor = body["nextCursor"]
        if not body["hasMore"]:
            break
    assert sorted(seen) == [f"Question {number}?" for number in range(5)]


def test_a_period_ends_before_its_second_date(service: AnalyticsService, clock: Any) -> None:
    service.talks.ask(service.acme.id, "On the 21st?")
    clock.move_to(clock.now() + timedelta(hours=12))
    service.talks.ask(service.acme.id, "On the 22nd?")

    def asked(**period: str) -> list[str]:
        found = service.get("assistant", **period).json()["conversations"]
        return [each["query"] for each in found]

    assert asked(dateFrom="2026-11-21", dateTo="2026-11-22") == ["On the 21st?"]
    assert asked(dateFrom="2026-11-22T00:00:00Z") == ["On the 22nd?"]
    assert asked(dateTo="2026-11-22T01:00:00+01:00") == ["On the 21st?"]


def test_a_whole_conversation(service: AnalyticsService, clock: Any) -> None:
    thread = service.talks.ask(service.acme.id, "One?", "1")
    pass_a_minute(clock)
    service.talks.ask(service.acme.id, "Two?", "2", thread=thread)
    body = service.get(f"assistant/threads/{thread.id}").json()
    assert (body["threadId"], body["createdAt"]) == (thread.id, "2026-11-21T12:00:00.000Z")
    said = [(each["role"], each["content"]) for each in body["messages"]]
    assert said == [("user", "One?"), ("assistant", "1"), ("user", "Two?"), ("assistant", "2")]
    assert body["messages"][2]["createdAt"] == "2026-11-21T12:01:00.000Z"


def test_feedback_with_and_without_a_comment(service: AnalyticsService, clock: Any) -> None:
    ask = service.talks.ask
    ask(
        service.acme.id,
        "Q",
        "A",
        path="/a",
        feedback=AnswerFeedback(helpful=False, comment="Too long"),
    )
    pass_a_minute(clock)
    ask(service.acme.id, "Q", "A", path="/a", feedback=AnswerFeedback(helpful=True))
    ask(service.acme.id, "Q", "A")
    thumb, comment = service.get("feedback").json()["feedback"]
    assert set(thumb) == {"id", "path", "comment", "createdAt", "source", "status"}
    assert (thumb["source"], thumb["status"]) == ("thumbs_only", "pending")
    assert (comment["comment"], comment["helpful"], comment["contact"]) == ("Too long", False, None)
    assert service.get("feedback", source="contextual").json()["feedback"] == [comment]
    assert service.get("feedback", source="agent").json()["feedback"] == []
    assert service.get("feedback", status="resolved,dismissed").json()["feedback"] == []
    first = service.get("feedback", limit=1).json()
    assert (first["feedback"], first["hasMore"]) == ([thumb], True)
    rest = service.get("feedback", limit=1, cursor=first["nextCursor"]).json()
    assert (rest["feedback"], rest["hasMore"], rest["nextCursor"]) == ([comment], False, None)
    assert service.get("feedback/by-page").json() == {
        "feedback": [{"path": "/a", "thumbsUp": 1, "thumbsDown": 1, "code": 0, "total": 2}],
        "hasMore": False,
    }


def test_what_asks(service: AnalyticsService) -> None:
    for channel in (QuestionChannel.WEB, QuestionChannel.WEB, QuestionChannel.MCP):
        service.talks.ask(service.acme.id, "Q", channel=channel)
    body = service.get("assistant/caller-stats").json()
    assert body == {"web": 2, "api": 0, "other": 1, "total": 3}


def test_terms_whatever_their_case(service: AnalyticsService, clock: Any) -> None:
    for term, results in (("Install", 3), ("install ", 3), ("moon", 0)):
        service.insights.searches.note(service.acme.id, term, results)
        pass_a_minute(clock)
    body = service.get("searches", limit=1).json()
    assert body["searches"] == [
        {
            "searchQuery": "install",
            "hits": 2,
            "ctr": 0.0,
            "topClickedPage": None,
            "lastSearchedAt": "2026-11-21T12:01:00.000Z",
        }
    ]
    assert body["totalSearches"] == 3
    rest = service.get("searches", limit=1, cursor=body["nextCursor"]).json()
    assert [each["searchQuery"] for each in rest["searches"]] == ["moon"]
    assert rest["nextCursor"] is None
    missing = service.insights.searches.most([service.acme.id], limit=9, found_nothing=True)
    assert [each.term for each in missing] == ["moon"]


def test_what_belongs_to_others_does_not_exist(service: AnalyticsService) -> None:
    other = service.deployment("other")
    thread = service.talks.ask(other.id, "A secret?")
    assert service.get("assistant").json()["conversations"] == []
    answers = [
        service.get(f"assistant/threads/{thread.id}"),
        service.get("assistant/threads/01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        service.get("assistant", other),
        service.get("searches", other),
    ]
    for answer in answers:
        assert answer.status_code == 404
        assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    ("path", "query", "named"),
    [
        ("assistant", {"limit": 1001}, "limit"),
        ("assistant", {"limit": "many"}, "limit"),
        ("assistant", {"cursor": "nonsense"}, "cursor"),
        ("assistant", {"cursor": "f" * 40 + "-turn"}, "cursor"),
        ("feedback", {"status": "pending,lost"}, "status"),
        ("feedback", {"source": "nobody"}, "source"),
        ("searches", {"cursor": "-1"}, "cursor"),
        ("assistant/caller-stats", {"dateFrom": "yesterday"}, "dateFrom"),
        ("searches", {"dateFrom": "2026-11-22", "dateTo": "2026-11-21"}, "dateTo"),
    ],
)
def test_a_wrong_parameter_is_named(
    service: AnalyticsService, path: str, query: dict[str, Any], named: str
) -> None:
    answer = service.get(path, **query)
    assert answer.status_code == 400
    assert named in answer.json()["error"]


def test_keys_and_the_limit(service: AnalyticsService) -> None:
    assert service.get("assistant", key="svc_wrong").status_code == 401
    statuses = [service.get("searches").status_code for _ in range(101)]
    assert statuses == [200] * 100 + [429]


def test_projects_of_others_do_not_count(service: AnalyticsService) -> None:
    other = service.deployment("other")
    assert {service.get("searches", other).status_code for _ in range(101)} == {404}


def test_conversations_are_forgotten_by_reader_and_by_age(
    service: AnalyticsService, clock: Any
) -> None:
    ask, forgetting = service.talks.ask, service.insights.forgetting
    thread = ask(service.acme.id, "Old?", "Yes", feedback=AnswerFeedback(helpful=True))
    ask(service.acme.id, "Mine?", fp="reader-1")
    service.insights.searches.note(service.acme.id, "old", 1)
    service.insights.searches.write()
    assert forgetting.of_reader(service.acme.id, "reader-1") == 1
    clock.move_to(clock.now() + timedelta(days=29))
    ask(service.acme.id, "Still there?", thread=thread)
    clock.move_to(clock.now() + timedelta(days=2))
    assert forgetting.sweep() == 0  # something was said in it
    assert service.get("searches").json()["totalSearches"] == 0
    clock.move_to(clock.now() + timedelta(days=30))
    assert forgetting.sweep() == 1
    assert service.get("assistant").json()["conversations"] == []


def test_thumbs_on_pages_and_on_answers_in_one_list(service: AnalyticsService, clock: Any) -> None:
    service.talks.ask(service.acme.id, "How?", path="/start", feedback=AnswerFeedback(helpful=True))
    pass_a_minute(clock)
    pages, here = service.insights.page_feedback, service.acme.id
    pages.give(here, ReaderFeedback("t" * 32, "/start", helpful=False))
    pages.give(here, ReaderFeedback("t" * 32, "/start", False, "Too short.", "a@reader.test"))
    newest, older = service.get("feedback").json()["feedback"]
    assert newest.pop("id").startswith("fbk_")
    assert newest == {
        "path": "/start",
        "comment": "Too short.",
        "createdAt": "2026-11-21T12:01:00.000Z",
        "source": "contextual",
        "status": "pending",
        "helpful": False,
        "contact": "a@reader.test",
    }
    assert (older["source"], older["path"]) == ("thumbs_only", "/start")
    assert service.get("feedback/by-page").json()["feedback"] == [
        {"path": "/start", "thumbsUp": 1, "thumbsDown": 1, "code": 0, "total": 2}
    ]
    only = service.get("feedback", source="thumbs_only").json()["feedback"]
    assert [each["id"] for each in only] == [older["id"]]


def test_feedback_on_an_answer_without_a_page_has_no_path(service: AnalyticsService) -> None:
    for path in (None, ""):
        service.talks.ask(service.acme.id, "How?", path=path, feedback=AnswerFeedback(helpful=True))
    found = service.get("feedback").json()["feedback"]
    assert [each["path"] for each in found] == [None, None]
    assert service.get("feedback/by-page").json() == {"feedback": [], "hasMore": False}


def test_feedback_by_what_became_of_it(service: AnalyticsService) -> None:
    service.insights.page_feedback.give(
        service.acme.id, ReaderFeedback("t" * 32, "/", helpful=True)
    )
    service.talks.ask(service.acme.id, "How?", feedback=AnswerFeedback(helpful=False))
    for feedback in service.insights.feedback.newest([service.acme.id], limit=9):
        service.insights.feedback.mark(service.acme.id, feedback.id, FeedbackStatus.RESOLVED)
    assert service.get("feedback", status="pending").json()["feedback"] == []
    marked = service.get("feedback", status="resolved, dismissed").json()["feedback"]
    assert [each["status"] for each in marked] == ["resolved", "resolved"]
    with pytest.raises(NotFound):
        service.insights.feedback.mark(service.acme.id, "fbk_0", FeedbackStatus.RESOLVED)


def test_views_and_visitors(service: AnalyticsService, clock: Any) -> None:
    def visit(path: str, reader: Reader, ip_address: str) -> None:
        service.insights.visits.note(
            PageVisit(service.acme.id, path, reader, ip_address, "Mozilla/5.0")
        )

    for path in ("/start", "/start", "/more"):
        visit(path, Reader.HUMAN, "192.0.2.1")
    visit("/start", Reader.AI, "192.0.2.2")
    expected = {"human": 3, "ai": 1, "total": 4}
    body = service.get("views", limit=1).json()
    assert body == {
        "totals": expected,
        "views": [{"path": "/start", "human": 2, "ai": 1, "total": 3}],
        "hasMore": True,
    }
    assert service.get("views", offset=1).json()["views"][0]["path"] == "/more"
    body = service.get("visitors").json()
    assert body["totals"] == {"human": 1, "ai": 1, "total": 2}
    assert body["visitors"][0] == {"path": "/start", "human": 1, "ai": 1, "total": 2}

    clock.move_to(clock.now() + timedelta(days=1))
    visit("/start", Reader.HUMAN, "192.0.2.1")  # somebody else, as far as anybody can see
    assert service.get("visitors").json()["totals"]["human"] == 2
    assert service.get("views", dateFrom="2026-11-22").json()["totals"]["total"] == 1


def test_nothing_stored_leads_back_to_a_visitor(service: AnalyticsService, clock: Any) -> None:
    def write(ip_address: str) -> list[str]:
        visit = PageVisit(service.acme.id, "/", Reader.HUMAN, ip_address, "Mozilla/5.0")
        service.insights.visits.note(visit)
        service.insights.upkeep()
        with service.sites.database.reading() as connection:
            found = connection.execute(select(page_visits.c.visitor)).scalars()
            salts = connection.execute(select(visit_salts.c.day)).scalars().all()
        assert all("192.0.2" not in each for each in found)
        return list(salts)

    assert write("192.0.2.1") == ["2026-11-21"]
    clock.move_to(clock.now() + timedelta(days=2))
    assert write("192.0.2.1") == ["2026-11-23"]
