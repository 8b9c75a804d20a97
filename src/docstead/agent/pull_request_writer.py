"""Text of a job's pull request, and the status of its checks on the forge."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from docstead.agent.event_log import EventLog
from docstead.agent.forges import Forge, ForgeChange
from docstead.agent.forges.forge import ChangeReport, CommitStatus
from docstead.agent.pull_request import Description, Findings, JobLinks, description_of
from docstead.agent.records import AgentRecords
from docstead.agent.texts import title_of
from docstead.agent.turn_ends import TurnEnd, TurnFinished
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import AgentJob, StepRecord, Turn
from docstead.agent.workspace import Workspace
from docstead.agent.workspace.bare_repository import FOLDER, LINK, BareRepository
from docstead.base.errors import OUTAGES, DocsteadError
from docstead.base.texts import counted
from docstead.publishing.git import GitFailed

_log = logging.getLogger(__name__)
# Pull request templates of repositories on GitHub and GitLab.
_TEMPLATE_FOLDERS = ("", ".github", "docs", ".gitlab/merge_request_templates")
_TEMPLATE_NAMES = ("pull_request_template.md", "pull_request_template.txt", "default.md")
_TEMPLATE_CHARACTERS = 10_000


class PullRequestWriter:
    """Writes the pull request of one job. `job_url` is the job's page in the dashboard."""

    def __init__(
        self,
        job: AgentJob,
        *,
        turn_workspace: TurnWorkspace,
        forge: Callable[[], Forge],
        event_log: EventLog,
        records: AgentRecords,
        job_url: str,
        reviewers: Sequence[str] = (),
    ) -> None:
        self._job = job
        self._turn_workspace = turn_workspace
        self._forge = forge
        self._event_log = event_log
        self._records = records
        self._job_url = job_url
        self._reviewers = reviewers

    def describe(
        self, turn: Turn, end: TurnEnd, known: ForgeChange | None, found: Findings
    ) -> Description:
        """Return title and body after this turn; `known` is the branch's latest change."""
        job = self._records.get(self._job.id)
        workspace = self._turn_workspace.workspace()
        return description_of(
            replace(job, title=self._title(turn, end, known)),
            self._turns_of(turn, known),
            turn,
            end,
            files=workspace.changed_files(),
            found=found,
            links=JobLinks(self._job_url, self._preview_url if self._is_hosted else ""),
            template=self._template(workspace),
        )

    def report_check(self, commit: str, count: int) -> None:
        """Report the result of checks to the forge, if the token permits it."""
        summary = counted(count, "new problem") if count else "No new problems"
        report = CommitStatus(commit, not count, summary, self._preview_url)
        try:
            self._forge().report_check(report)
        except OUTAGES:
            raise
        except DocsteadError as error:
            _log.warning(
                "job %s: the checks could not be reported: %s", self._job.id, error.message
            )

    def request_reviews(self, turn: Turn, change: ForgeChange) -> None:
        """Request reviews once per pull request, when it is ready for review."""
        is_asked = change.url in self._event_log.reviewed_urls(self._job.id)
        if not self._reviewers or change.draft or is_asked or not self._is_hosted:
            return
        try:
            problems = list(self._forge().request_reviews(change, self._reviewers))
        except OUTAGES:
            raise
        except DocsteadError as error:
            problems = [error.message]
        data = {"url": change.url, "names": list(self._reviewers), "problems": problems}
        self._event_log.write(turn, StepRecord("reviewers", events=[("reviewers", data)]))

    def record_state(self, change: ForgeChange) -> None:
        """Record the state of a pull request on a forge; that of others is read when shown."""
        if self._is_hosted:
            report = ChangeReport(change)
            self._records.pull_requests.record(self._job.project_id, change.url, report)

    def _template(self, workspace: Workspace) -> str:
        """Return the repository's template, which only forges have."""
        if not self._is_hosted:
            return ""
        return _template_of(workspace.store, workspace.base_commit)

    @property
    def _preview_url(self) -> str:
        return f"{self._job_url}/pages"

    @property
    def _is_hosted(self) -> bool:
        """Report whether the pull request is on a forge rather than in the dashboard."""
        return self._forge().kind.has_pull_requests

    def _title(self, turn: Turn, end: TurnEnd, known: ForgeChange | None) -> str:
        """Return the title from the pull request's first turn, or the prompt's before it."""
        first = self._turns_of(turn, known)[0]
        prompts = title_of(first.instruction.prompt), title_of(turn.instruction.prompt)
        is_new = known is None or not known.is_open
        title = end.title if isinstance(end, TurnFinished) else None
        if title and (is_new or self._job.title in prompts):
            return title
        if is_new and turn.position > 1 and self._event_log.pull_requests(self._job.id):
            return prompts[0]
        return self._job.title

    def _turns_of(self, turn: Turn, known: ForgeChange | None) -> Sequence[Turn]:
        """Return the turns since the previous pull request, which this one contains."""
        current = known.url if known is not None and known.is_open else None
        pull_requests = self._event_log.pull_requests(self._job.id)
        earlier = {turn_id for turn_id, url in pull_requests if url != current} - {turn.id}
        turns = self._records.turns(self._job.id)
        start = max((each.position for each in turns if each.id in earlier), default=0)
        return [each for each in turns if each.position > start]


def _template_of(store: BareRepository, commit: str) -> str:
    """Return the repository's template at this commit; "" if there is none or it is unreadable."""
    try:
        found = (_template_in(store, commit, folder) for folder in _TEMPLATE_FOLDERS)
        return next(filter(None, found), "")[:_TEMPLATE_CHARACTERS]
    except GitFailed:
        return ""


def _template_in(store: BareRepository, commit: str, folder: str) -> str:
    tree = store.tree_of(commit, folder)
    if tree is None:
        return ""
    names = _TEMPLATE_NAMES if folder.startswith(".gitlab") else _TEMPLATE_NAMES[:2]
    for name, entry in store.children(tree).items():
        if name.lower() in names and entry.mode not in (FOLDER, LINK):
            return store.blob(entry.object_id).decode(errors="replace")
    return ""
