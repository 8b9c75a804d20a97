"""Pages of a change: conversation, commits, diffs and page previews.

All content of a change is untrusted. It is escaped, and page previews are shown in a sandboxed
frame that runs no scripts and loads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import HTMLResponse, JSONResponse, Response

from docstead.agent.reviews.change_marks import FIRST
from docstead.agent.reviews.preview_task import ChangePreview
from docstead.agent.reviews.records import Review
from docstead.agent.reviews.revisions import ChangeRevisions
from docstead.agent.reviews.service import COMMENT_CHARACTERS
from docstead.agent.states import JobStatus
from docstead.agent.values import AgentJob
from docstead.agent.workspace.bare_repository import EMPTY_TREE
from docstead.base.errors import DocsteadError, NotFound
from docstead.dashboard.diffs import ShownFile, shown_files
from docstead.dashboard.pages import PageRenderer, see
from docstead.dashboard.prose import prose
from docstead.dashboard.review_threads import ReviewThread, review_threads, threads_of, timeline
from docstead.dashboard.services import DashboardServices
from docstead.dashboard.visits import HOME, DashboardRequest, OwnerVisit

_SIDES = ("before", "after")
_DIAGNOSTICS_SHOWN = 100
_EVENTS = 400  # latest of a job, which include its last check

_FRAME_HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


class ChangePages:
    """Pages under `/dashboard/changes/{change_id}`; `/changes/{change_id}` redirects there."""

    def __init__(self, services: DashboardServices, pages: PageRenderer) -> None:
        self._services = services
        self._reviews = services.reviews
        self._pages = pages

    def redirect(self, visit: DashboardRequest) -> Response:
        """Redirect from the short URL, which commit messages and other pages use."""
        return see(change_url(visit.parameter("change_id")))

    def show(self, visit: OwnerVisit) -> Response:
        return self.conversation(visit)

    def conversation(
        self, visit: OwnerVisit, error: DocsteadError | None = None, *, since: str = ""
    ) -> Response:
        """Show the conversation, with the submitted values of a rejected form.

        `since` is the last commit that the reviewer has seen, if newer ones exist.
        """
        return self._pages.render(
            visit,
            "change.html",
            status_code=200 if error is None else error.status,
            **self._conversation(visit),
            error=None if error is None else error.message,
            since=since,
            given=_given(visit),
        )

    def state(self, visit: OwnerVisit) -> Response:
        """Return the rendered conversation and parts of the page header for polling.

        `running` reports whether the agent is active.
        """
        shown = self._conversation(visit)
        html = self._pages.text(visit, "change_conversation.html", **shown, given=_given(visit))
        head = {
            "change-facts": self._pages.text(visit, "change_facts.html", **shown),
            "commit-count": str(shown["commit_count"]),
            "file-count": str(shown["file_count"]),
        }
        return JSONResponse({"running": shown["is_active"], "html": html, "others": head})

    def news(self, visit: OwnerVisit) -> Response:
        """Return a notice for polling if the branch has newer commits than the open page."""
        known = self._known(visit)
        seen = visit.request.query_params.get("head", "")
        html = self._pages.text(visit, "change_news.html", **known, seen=seen)
        is_shown = known["revisions"] is not None and known["revisions"].head == seen
        goes_on = known["review"].is_open and is_shown
        return JSONResponse({"running": goes_on, "seconds": known["news_seconds"], "html": html})

    def commits(self, visit: OwnerVisit) -> Response:
        known = self._known(visit)
        commits = known["revisions"].commits() if known["revisions"] else ()
        return self._pages.render(
            visit, "change_commits.html", **known, commits=commits, part="commits"
        )

    def files(self, visit: OwnerVisit) -> Response:
        """Show the diffs of the whole change, of one commit, or since a commit."""
        known = self._known(visit)
        revisions: ChangeRevisions | None = known["revisions"]
        review: Review = known["review"]
        shown: list[ShownFile] = []
        since, until = _range(visit, revisions) if revisions else (None, None)
        try:
            shown = shown_files(revisions.files(since, until)) if revisions else []
        except DocsteadError as error:
            known["unreadable"] = error.message
        threads = self._threads(review, known["job"])
        viewed = self._reviews.viewed(review, visit.owner)
        query = visit.request.query_params
        return self._pages.render(
            visit,
            "change_files.html",
            **known,
            shown=shown,
            threads={file.anchor: threads_of(file, threads) for file in shown},
            viewed=viewed,
            viewed_count=sum(viewed.get(file.path) == file.digest for file in shown),
            is_whole=since is None,
            only_commit=bool(query.get("commit")),
            until=until,
            since=since,
            is_split=query.get("view") == "split",
            commented=query.get("comment", ""),
            most=COMMENT_CHARACTERS,
            part="files",
        )

    def pages(self, visit: OwnerVisit) -> Response:
        """Show previews of changed pages, and the checks, while rendering continues."""
        known = self._previewed(visit) | {"first_change": FIRST}
        response = self._pages.render(visit, "change_pages.html", **known, part="pages")
        response.headers["Content-Security-Policy"] = _WITH_FRAMES
        return response

    def pages_state(self, visit: OwnerVisit) -> Response:
        """Return the rendered checks and list of pages for polling.

        `running` reports whether pages are still being rendered.
        """
        known = self._previewed(visit)
        if known["preview"] is None:
            return JSONResponse({"running": False, "html": ""})
        html = self._pages.text(visit, "change_preview_checks.html", **known)
        others = {}
        if known["is_done"] and known["chosen"]:  # some pages turned out to be the same
            others["page-list"] = self._pages.text(visit, "change_page_list.html", **known)
        return JSONResponse({"running": not known["is_done"], "html": html, "others": others})

    def _previewed(self, visit: OwnerVisit) -> dict[str, Any]:
        known = self._known(visit)
        progress = None
        if known["revisions"] is not None:
            try:
                progress = self._reviews.preview_progress(known["revisions"])
            except DocsteadError as error:
                known["unreadable"] = error.message
        query = visit.request.query_params
        shown, show = progress.shown if progress else None, query.get("show", "")
        return {
            **known,
            **_chosen(shown, query.get("page", "")),
            "show": show if show in _SIDES else "both",
            "preview": shown,
            "rendered": progress.rendered if progress else 0,
            "is_done": progress is not None and progress.done is not None,
            "diagnostics_shown": _DIAGNOSTICS_SHOWN,
        }

    def document(self, visit: OwnerVisit) -> Response:
        """Return one version of a changed page, for the preview frame."""
        side = visit.parameter("side")
        if side not in _SIDES:
            raise NotFound("there is no such page")
        review = self.review(visit)
        slug = visit.request.query_params.get("page", "")
        html = self._reviews.document(self._reviews.revisions(review), side, slug)
        return HTMLResponse(html, headers=_FRAME_HEADERS)

    def review(self, visit: OwnerVisit) -> Review:
        return self._reviews.get(visit.parameter("change_id"), visit.organization.id)

    def url(self, review: Review) -> str:
        return change_url(review.id)

    def frame(self, review: Review) -> dict[str, Any]:
        """Return template data for the page header."""
        deployments = self._services.tenancy.deployments_of_project(review.project_id)
        return {"deployment": next(iter(deployments), None), "tab": "agent"}

    def job(self, review: Review) -> AgentJob | None:
        """Return the agent job that works on the branch of the change."""
        return self._services.agent.on_branch(review.project_id, review.branch)

    def _conversation(self, visit: OwnerVisit) -> dict[str, Any]:
        known = self._known(visit)
        revisions: ChangeRevisions | None = known["revisions"]
        review: Review = known["review"]
        fits = revisions is not None and review.is_open
        threads = self._threads(review, known["job"])
        return {
            **known,
            "timeline": timeline(threads, revisions.commits() if revisions else ()),
            "approvals": self._reviews.approvals(review),
            "conflicts": self._reviews.conflicts(revisions) if revisions and fits else (),
            "preview": self._reviews.known_preview(revisions) if revisions else None,
            "agent_check": self._agent_check(known["job"], revisions.head) if revisions else None,
            "most": COMMENT_CHARACTERS,
            "part": "talk",
        }

    def _agent_check(self, job: AgentJob | None, head: str) -> Mapping[str, Any] | None:
        """Return the check that the agent ran on this head commit, or None."""
        turns = self._services.agent.turns(job.id) if job else ()
        turn = next((each for each in turns if each.commit == head), None)
        if job is None or turn is None:
            return None
        events = self._services.agent.latest_events(job.id, _EVENTS)
        checks = [e.data for e in events if e.turn_id == turn.id and e.kind == "check"]
        return checks[-1] if checks else None

    def _threads(self, review: Review, job: AgentJob | None) -> list[ReviewThread]:
        turns = self._services.agent.turns(job.id) if job else ()
        return review_threads(self._reviews.comments(review), turns)

    def _known(self, visit: OwnerVisit) -> dict[str, Any]:
        """Return template data of all pages of a change; `unreadable` is an error message."""
        review, revisions, unreadable = self.review(visit), None, None
        try:
            revisions = self._reviews.revisions(review)
            review = (
                self._reviews.with_current_state(review, revisions) if review.number else review
            )
        except DocsteadError as error:
            unreadable = error.message
        job = self.job(review)
        return {
            "review": review,
            "revisions": revisions,
            "unreadable": unreadable,
            "body": prose(review.body),
            "file_count": len(revisions.changes()) if revisions else 0,
            "commit_count": len(revisions.commits()) if revisions else 0,
            "url": self.url(review),
            **self.frame(review),
            "job": job,
            "is_active": (is_active := job is not None and job.status is JobStatus.ACTIVE),
            "news_seconds": _NEWS_SECONDS if is_active else _IDLE_NEWS_SECONDS,
        }


_NEWS_SECONDS, _IDLE_NEWS_SECONDS = 3, 30  # between two polls; each fetches from the remote
_WITH_FRAMES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def change_url(change_id: str) -> str:
    return f"{HOME}/changes/{quote(change_id, safe='')}"


def _chosen(preview: ChangePreview | None, slug: str) -> dict[str, Any]:
    """Return the selected page with its position and neighbors in the list."""
    pages = preview.pages if preview else ()
    at = next((number for number, page in enumerate(pages) if page.slug == slug), 0)
    return {
        "chosen": pages[at] if pages else None,
        "position": at + 1,
        "previous_page": pages[at - 1] if at else None,
        "next_page": pages[at + 1] if at + 1 < len(pages) else None,
    }


def _range(visit: OwnerVisit, revisions: ChangeRevisions) -> tuple[str | None, str | None]:
    """Return the two commits to compare, or a pair of None for the whole change.

    Raises:
        NotFound: the commit is not part of the change.
    """
    query = visit.request.query_params
    commit, since = query.get("commit", ""), query.get("since", "")
    if not commit and not since:
        return None, None
    if (commit or since) not in {each.id for each in revisions.commits()}:
        raise NotFound("the commit is not part of this change")
    if not commit:
        return since, revisions.head
    parents = revisions.store.header(commit).parents
    return (parents[0] if parents else EMPTY_TREE), commit


def _given(visit: OwnerVisit) -> dict[str, str]:
    """Return the submitted form values, or those in the query string."""
    query = visit.request.query_params
    fields = ("text", "file", "line", "side")
    return {name: visit.form.text(name) or query.get(name, "") for name in fields}
