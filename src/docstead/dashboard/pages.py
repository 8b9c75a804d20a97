"""Template rendering with the shared page frame and headers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from docstead.base.clock import Clock
from docstead.base.errors import DocsteadError
from docstead.base.texts import counted, stopped
from docstead.content.diagnostics import number_of
from docstead.dashboard import formats
from docstead.dashboard.assets import DashboardAssets
from docstead.dashboard.forms import CONFIRMED
from docstead.dashboard.prose import prose_line
from docstead.dashboard.visits import DashboardRequest

_SEE_OTHER = 303


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmation question with its labels and the URL to go back to."""

    title: str
    consequence: str
    yes: str
    no: str
    back: str  # path of the previous page
    is_destructive: bool = True


class PageRenderer:
    """Renders templates with the frame that all pages share."""

    def __init__(self, assets: DashboardAssets, clock: Clock) -> None:
        self._clock = clock
        self._templates = Environment(
            loader=PackageLoader("docstead.dashboard"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(
            asset=assets.url, first_font=assets.first_font, counted=counted
        )
        self._templates.globals["number_of"] = number_of
        self._templates.filters.update(
            moment=formats.moment,
            date=formats.date,
            sentence=formats.sentence,
            stopped=stopped,
            without_scheme=formats.without_scheme,
            network=formats.network,
            took=formats.took,
            size=formats.size,
            cost=formats.cost,
            broken=formats.broken,
            prose_line=prose_line,
            ago=self._ago,
            left=self._left,
        )

    def render(
        self, visit: DashboardRequest, template: str, *, status_code: int = 200, **context: Any
    ) -> HTMLResponse:
        return HTMLResponse(self.text(visit, template, **context), status_code)

    def text(self, visit: DashboardRequest, template: str, **context: Any) -> str:
        """Render a template to HTML, as for page fragments that are polled."""
        frame = {
            "owner": visit.owner,
            "organization": visit.organization,
            "csrf_token": visit.csrf_token,
            "deployment": None,
            "tab": "",
        }
        return self._templates.get_template(template).render({**frame, **context})

    def confirm(
        self, visit: DashboardRequest, question: Confirmation, **context: Any
    ) -> HTMLResponse:
        """Render a confirmation page that submits the form again."""
        fields = [*visit.form.items(), (CONFIRMED, "yes")]
        shown: dict[str, Any] = {
            "question": question,
            "fields": fields,
            "action": visit.request.url.path,
        }
        return self.render(visit, "confirm.html", **shown, **context)

    def failure(self, visit: DashboardRequest, error: DocsteadError) -> Response:
        """Render the error page, for errors that no form can show."""
        response = self.render(
            visit,
            "failure.html",
            status_code=error.status,
            message=error.message,
            code=error.status,
        )
        response.headers.update(error.headers)
        return response

    def _ago(self, moment: datetime) -> str:
        return formats.ago(moment, self._clock.now())

    def _left(self, moment: datetime) -> str:
        return formats.left(moment - self._clock.now())


def see(url: str) -> RedirectResponse:
    """Redirect with 303, so that the browser continues with GET after a form."""
    return RedirectResponse(url, _SEE_OTHER)
