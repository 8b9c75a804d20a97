"""Assembly of the agent from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from docstead.agent.agent import AgentJobs, AgentLimits
from docstead.agent.event_log import EventLog
from docstead.agent.limits import TurnLimits
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.review_memory import ReviewMemory
from docstead.agent.reviews.urls import current_url
from docstead.agent.tool_sources import ToolSources
from docstead.agent.tools.confined import ConfinedChecker
from docstead.agent.tools.screenshots import PageCamera
from docstead.agent.turn_runner import DurableTurnRunner
from docstead.agent.workspace import CommitAuthor, SigningKey, WorkspaceManager
from docstead.app.adapters import git_network_of
from docstead.app.models import agent_models
from docstead.app.shared import SharedServices
from docstead.models.catalog import ModelEntry
from docstead.models.completion import CompletionClient
from docstead.rendering.chromium import ChromiumMissing, find_chromium
from docstead.settings import Settings
from docstead.webhooks import WebhookService

_WINDOW_SHARE = 0.75  # share of the window for the conversation, without the response


@dataclass(frozen=True)
class AgentAssembly:
    """Services from which the agent is made."""

    shared: SharedServices
    webhooks: WebhookService

    def agent(self) -> AgentJobs:
        """Return the agent with its configured models; without any it is unavailable."""
        settings, database, clock = self.shared.settings, self.shared.database, self.shared.clock
        link_of = partial(current_url, base_url=settings.public_url)
        records = AgentRecords(database, clock, link_of)
        event_log = EventLog(database, clock, link_of)
        questions = QuestionRecords(database, clock)
        entry = self._first_model
        return AgentJobs(
            records=records,
            questions=questions,
            event_log=event_log,
            tenancy=self.shared.tenancy,
            clock=clock,
            model=entry.model if entry else None,
            inputs=entry.inputs if entry else (),
            runner=self._turn_runner(records, questions, event_log),
            webhooks=self.webhooks,
            limits=AgentLimits(
                prompt_characters=settings.agent_prompt_characters,
                jobs_at_once=settings.agent_jobs_at_once,
                archive_after_days=settings.agent_archive_days,
            ),
        )

    def _turn_runner(
        self,
        records: AgentRecords,
        questions: QuestionRecords,
        event_log: EventLog,
    ) -> DurableTurnRunner:
        shared, settings, catalog = self.shared, self.shared.settings, self.shared.models
        model = catalog.model(*self._model_names)
        workspaces = WorkspaceManager(
            settings.data / "cache" / "agent",
            network=git_network_of(settings),
            signing=signing_key_of(settings),
        )
        return DurableTurnRunner(
            records=records,
            questions=questions,
            event_log=event_log,
            tenancy=shared.tenancy,
            model=None if model is None else CompletionClient(model),
            cost_of=catalog.cost,
            model_of=catalog.model_of,
            checker=ConfinedChecker(shared.builders),
            workspaces=workspaces,
            tool_sources=ToolSources(shared.tenancy, shared.editions, shared.forges, workspaces),
            review_memory=ReviewMemory(shared.database, settings.agent_review_memory),
            budgets=shared.model_budgets,
            forges=shared.forges,
            limits=self._turn_limits(),
            webhooks=self.webhooks,
            author=_author(settings.agent_author),
            camera=self._camera(),
        )

    @property
    def _model_names(self) -> tuple[str, ...]:
        return agent_models(self.shared.settings, self.shared.models)

    @property
    def _first_model(self) -> ModelEntry | None:
        return next(map(self.shared.models.entry, self._model_names), None)

    def _camera(self) -> PageCamera | None:
        """Return a screenshot camera if the model accepts images and Chromium is installed."""
        entry = self._first_model
        if entry is None or "image" not in entry.inputs:
            return None
        try:
            settings = self.shared.settings
            return PageCamera(find_chromium(settings.chromium), settings.sandbox)
        except ChromiumMissing:
            return None

    def _turn_limits(self) -> TurnLimits:
        settings = self.shared.settings
        windows = [self.shared.models.entry(name).context_tokens for name in self._model_names]
        return TurnLimits(
            steps=settings.agent_max_steps,
            tokens=settings.agent_max_tokens,
            cost=settings.agent_max_cost,
            seconds=settings.agent_max_seconds,
            answer_seconds=settings.agent_answer_seconds,
            context_tokens=int(min(windows, default=0) * _WINDOW_SHARE),
        )


def signing_key_of(settings: Settings) -> SigningKey | None:
    """Return the key for signing commits, or None for unsigned commits."""
    file = settings.agent_signing_key_file
    return None if file is None else SigningKey(file.expanduser().absolute())


def _author(text: str) -> CommitAuthor:
    """Parse an author of the form "Name <email>"."""
    name, _, email = text.removesuffix(">").partition(" <")
    return CommitAuthor(name, email)
