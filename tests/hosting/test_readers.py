"""Views and thumbs of a hosted site, as its pages send them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from docstead.accounts.tenancy import Deployment
from docstead.analytics.event_collector import EventCollector
from docstead.analytics.insights import ReaderInsights
from docstead.analytics.period import ReportPeriod
from docstead.hosting.application import HostingApp
from docstead.limits.rate_limits import RateLimits

SITE = "http://docs.acme.test"
VIEWS = f"{SITE}/_docs/api/v1/e"
FEEDBACK = f"{SITE}/_docs/api/feedback"
BROWSER = {"Origin": SITE, "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0"}
VIEW = {"event": "view", "path": "/guides/start"}
TOKEN = "0123456789abcdef"


class CountingCollector:
    """A site whose readers are counted."""

    def __init__(self, world: Any, deployment: Deployment) -> None:
        self._world = world
        self._deployment = deployment
        self.insights = ReaderInsights.over(world.database, world.clock)
        collector = EventCollector[Deployment](
            self.insights.visits,
            self.insights.page_feedback,
            self.insights.searches,
            world.editions,
            RateLimits(world.database, world.clock),
        )
        self.hosting: HostingApp = world.hosting(collector=collector)

    def ask(self, method: str, url: str, **more: Any) -> httpx.Response:
        answer: httpx.Response = self._world.get(url, method, self.hosting, **more)
        return answer

    def post(self, url: str, body: Any, **headers: str) -> httpx.Response:
        return self.ask("POST", url, json=body, headers={**BROWSER, **headers})

    def views(self) -> dict[str, tuple[int, int]]:
        """Human and AI views by page."""
        found = self.insights.visits.most_viewed([self._deployment.id], ReportPeriod(), limit=99)
        return {each.path: (each.counted.human, each.counted.ai) for each in found}

    def feedback(self) -> list[tuple[str, bool, str | None]]:
        found = self.insights.feedback.newest([self._deployment.id], limit=99)
        return [(each.path, each.helpful, each.comment) for each in found]


@pytest.fixture
def counting(world: Any, acme: Deployment) -> CountingCollector:
    return CountingCollector(world, acme)


def test_a_view_is_counted_at_its_page(counting: CountingCollector) -> None:
    assert counting.post(VIEWS, VIEW).status_code == 204
    assert counting.post(VIEWS, {**VIEW, "path": "/guides/start/"}).status_code == 204
    assert counting.views() == {"/guides/start": (2, 0)}


@pytest.mark.parametrize("wish", [{"DNT": "1"}, {"Sec-GPC": "1"}])
def test_who_does_not_want_to_be_tracked_is_not(
    counting: CountingCollector, wish: dict[str, str]
) -> None:
    assert counting.post(VIEWS, VIEW, **wish).status_code == 204
    assert counting.views() == {}


def test_search_engines_are_no_readers(counting: CountingCollector) -> None:
    robot = {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"}
    assert counting.post(VIEWS, VIEW, **robot).status_code == 204
    assert counting.views() == {}


@pytest.mark.parametrize(
    ("headers", "path", "counted"),
    [
        ({"User-Agent": "GPTBot/1.2"}, "/guides/start", True),
        ({"User-Agent": "tool/1.0"}, "/guides/start.md", True),
        ({"User-Agent": "tool/1.0", "Accept": "text/markdown"}, "/guides/start", True),
        ({"User-Agent": "tool/1.0"}, "/guides/start", False),
        ({"User-Agent": "Googlebot/2.1"}, "/guides/start.md", False),
        ({"User-Agent": BROWSER["User-Agent"]}, "/guides/start.md", False),
        ({"User-Agent": "GPTBot/1.2"}, "/images/logo.svg", False),
        ({"User-Agent": "GPTBot/1.2"}, "/nowhere", False),
    ],
)
def test_programs_that_read_for_models_are_counted_when_a_page_is_sent(
    counting: CountingCollector, headers: dict[str, str], path: str, counted: bool
) -> None:
    for _ in range(2):  # made, and sent again
        counting.ask("GET", f"{SITE}{path}", headers=headers)
    assert counting.views() == ({"/guides/start": (0, 2)} if counted else {})


def test_a_search_and_where_it_led(counting: CountingCollector, acme: Deployment) -> None:
    search = {"event": "search", "query": "Install", "results": 4}
    clicked = {**search, "query": "install", "clicked": "/guides/start.html#install"}
    home = {**search, "query": "home", "clicked": "/"}
    for body in (search, clicked, {**search, "query": " "}, home):
        assert counting.post(VIEWS, body).status_code == 204
    found, first = counting.insights.searches.most([acme.id], limit=9)
    assert first.top_page == "/"
    assert (found.term, found.hits, found.clicks) == ("install", 2, 1)
    assert found.top_page == "/guides/start"


def test_words_join_their_thumb(counting: CountingCollector) -> None:
    feedback = {"id": TOKEN, "path": "/quickstart", "helpful": True}
    assert counting.post(FEEDBACK, feedback).status_code == 204
    changed = {**feedback, "helpful": False, "comment": "  Too\x00 short. "}
    assert counting.post(FEEDBACK, changed).status_code == 204
    assert counting.feedback() == [("/quickstart", False, "Too short.")]


@pytest.mark.parametrize(
    ("url", "body", "headers", "status"),
    [
        (VIEWS, {**VIEW, "path": "/nowhere"}, {}, 404),
        (VIEWS, {**VIEW, "path": "/nowhere"}, {"User-Agent": "Googlebot/2.1"}, 404),
        (VIEWS, {**VIEW, "event": "click"}, {}, 400),
        (VIEWS, VIEW, {"Origin": "http://elsewhere.test"}, 403),
        (FEEDBACK, {"id": "1", "path": "/", "helpful": True}, {}, 400),
        (FEEDBACK, {"id": TOKEN, "path": "/nowhere", "helpful": True}, {}, 404),
        (FEEDBACK, {"id": TOKEN, "path": "/", "helpful": "yes"}, {}, 400),
        (FEEDBACK, {"id": TOKEN, "path": "/", "helpful": True, "comment": "x" * 30_000}, {}, 400),
    ],
)
def test_what_is_wrong_is_said_and_not_kept(
    counting: CountingCollector, url: str, body: Any, headers: dict[str, str], status: int
) -> None:
    answer = counting.post(url, body, **headers)
    assert answer.status_code == status
    assert answer.json()["error"]
    assert (counting.views(), counting.feedback()) == ({}, [])


def test_nobody_takes_it_where_nobody_wants_to_know(world: Any, acme: Deployment) -> None:
    answer = world.get(VIEWS, "POST", json=VIEW, headers=BROWSER)
    assert answer.status_code == 405
