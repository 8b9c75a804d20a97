"""Changes of plain git and local repositories: read, previewed, commented, merged, closed.

Everything in a change was written by somebody else. It is escaped, and pages are shown in
a frame in which nothing runs and from which nothing is asked for.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response

from docstead.agent.reviews.desk import COMMENT_CHARACTERS
from docstead.agent.reviews.marks import FIRST
from docstead.agent.reviews.records import Place, Review
from docstead.agent.reviews.sides import Sides
from docstead.base.errors import DocsteadError, InvalidRequest, NotFound
from docstead.dashboard.diffs import ShownFile, shown_files
from docstead.dashboard.pages import Pages, Question, see
from docstead.dashboard.prose import prose
from docstead.dashboard.services import Services
from docstead.dashboard.visits import HOME, OwnerVisit, Visit

_SIDES = ("before", "after")
_FAULTS_SHOWN = 100
_PATH_CHARACTERS = 1_000

_FRAME_HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


class ChangePages:
    """`/dashboard/changes/{change_id}`, to which `/changes/{change_id}` leads."""

    def __init__(self, services: Services, pages: Pages) -> None:
        self._services = services
        self._desk = services.reviews
        self._pages = pages

    def lead_on(self, visit: Visit) -> Response:
        """From the short address, which is in commit messages and on other pages."""
        return see(_address(visit.parameter("change_id")))

    def show(self, visit: OwnerVisit) -> Response:
        return self._show(visit)

    def files(self, visit: OwnerVisit) -> Response:
        """Return the differences, file by file."""
        known = self._known(visit)
        sides: Sides | None = known["sides"]
        shown: list[ShownFile] = []
        try:
            shown = shown_files(sides.files()) if sides else []
        except DocsteadError as error:
            known["fault"] = error.message
        return self._pages.draw(visit, "change_files.html", **known, shown=shown, part="files")

    def pages(self, visit: OwnerVisit) -> Response:
        """Changed pages side by side, and what checking says. Takes seconds the first time."""
        known = self._known(visit)
        preview, chosen = None, None
        if known["sides"] is not None:
            try:
                preview = self._desk.preview(known["sides"])
            except DocsteadError as error:
                known["fault"] = error.message
        if preview is not None and preview.pages:
            wanted = visit.request.query_params.get("page", "")
            named = (each for each in preview.pages if each.slug == wanted)
            chosen = next(named, preview.pages[0])
        known |= {"preview": preview, "chosen": chosen, "faults_shown": _FAULTS_SHOWN}
        known["first_change"] = FIRST
        response = self._pages.draw(visit, "change_pages.html", **known, part="pages")
        response.headers["Content-Security-Policy"] = _WITH_FRAMES
        return response

    def document(self, visit: OwnerVisit) -> Response:
        """One side of a changed page, for a frame."""
        side = visit.parameter("side")
        if side not in _SIDES:
            raise NotFound("there is no such page")
        review = self._review(visit)
        slug = visit.request.query_params.get("page", "")
        html = self._desk.document(self._desk.sides(review), side, slug)
        return HTMLResponse(html, headers=_FRAME_HEADERS)

    def comment(self, visit: OwnerVisit) -> Response:
        """Hand a comment on to the agent's job."""
        review = self._review(visit)
        try:
            about = _place(visit)
            self._desk.comment(review, visit.owner.name, visit.form.text("text"), about)
        except NotFound:
            raise
        except DocsteadError as error:
            return self._show(visit, error)
        return see(f"{_address(review.id)}#last")

    def merge(self, visit: OwnerVisit) -> Response:
        review = self._review(visit)
        if review.is_open and not visit.form.is_confirmed:
            return self._pages.confirm(visit, _merge_question(review), **self._frame(review))
        try:
            self._desk.merge(review, visit.owner.name)
        except DocsteadError as error:
            return self._show(visit, error)
        return see(_address(review.id))

    def close(self, visit: OwnerVisit) -> Response:
        review = self._review(visit)
        if review.is_open and not visit.form.is_confirmed:
            return self._pages.confirm(visit, _close_question(review), **self._frame(review))
        try:
            self._desk.close(review, visit.owner.name)
        except DocsteadError as error:
            return self._show(visit, error)
        return see(_address(review.id))

    def _show(self, visit: OwnerVisit, error: DocsteadError | None = None) -> Response:
        known = self._known(visit)
        sides: Sides | None = known["sides"]
        review: Review = known["review"]
        fits = sides is not None and review.is_open
        return self._pages.draw(
            visit,
            "change.html",
            status_code=200 if error is None else error.status,
            **known,
            comments=[(each, prose(each.text)) for each in self._desk.comments(review)],
            conflicts=self._desk.conflicts(sides) if sides and fits else (),
            preview=self._desk.known_preview(sides) if sides else None,
            error=None if error is None else error.message,
            given=_given(visit) if error else _asked(visit),
            most=COMMENT_CHARACTERS,
            part="talk",
        )

    def _frame(self, review: Review) -> dict[str, Any]:
        deployments = self._services.tenancy.deployments_of_project(review.project_id)
        return {"deployment": next(iter(deployments), None), "tab": "agent"}

    def _known(self, visit: OwnerVisit) -> dict[str, Any]:
        """Return the data that every page of a change shows; an unreadable remote is a `fault`."""
        review, sides, fault = self._review(visit), None, None
        try:
            sides = self._desk.sides(review)
            review = self._desk.settled(review, sides)
        except DocsteadError as error:
            fault = error.message
        return {
            "review": review,
            "sides": sides,
            "fault": fault,
            "body": prose(review.body),
            "file_count": len(sides.changes()) if sides else 0,
            "address": _address(review.id),
            **self._frame(review),
            "job": self._services.agent.on_branch(review.project_id, review.branch),
        }

    def _review(self, visit: OwnerVisit) -> Review:
        return self._desk.get(visit.parameter("change_id"), visit.organization.id)


_WITH_FRAMES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def _address(change_id: str) -> str:
    return f"{HOME}/changes/{quote(change_id, safe='')}"


def _merge_question(review: Review) -> Question:
    return Question(
        f"Merge into {review.base}?",
        f"The changes of “{review.title}” are pushed to {review.base}.",
        yes="Merge",
        no="Not yet",
        back=_address(review.id),
    )


def _close_question(review: Review) -> Question:
    return Question(
        "Close without merging?",
        f"“{review.title}” is closed. Its branch {review.branch} stays in the repository.",
        yes="Close without merging",
        no="Keep it open",
        back=_address(review.id),
    )


def _place(visit: OwnerVisit) -> Place | None:
    path, line = visit.form.text("file"), visit.form.text("line")
    if not path:
        return None
    if len(path) > _PATH_CHARACTERS or not path.isprintable():
        raise InvalidRequest("file: not a file of this change")
    if line and not (line.isascii() and line.isdigit() and 0 < int(line) < 10**7):
        raise InvalidRequest("line: must be a number")
    return Place(path, int(line) if line else None)


def _given(visit: OwnerVisit) -> dict[str, str]:
    """Return the submitted values, for a form that is shown again."""
    return {name: visit.form.text(name) for name in ("text", "file", "line")}


def _asked(visit: OwnerVisit) -> dict[str, str]:
    """A link next to a file opens the form with that file in it."""
    query = visit.request.query_params
    return {"text": "", "file": query.get("file", ""), "line": query.get("line", "")}
