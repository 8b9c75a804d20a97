"""Assembly of the agent from the settings."""

from __future__ import annotations

from functools import partial

from docstead.accounts.tenancy import Tenancy
from docstead.agent.agent import AgentJobs, AgentLimits
from docstead.agent.event_log import EventLog
from docstead.agent.forges.factory import ForgeFactory
from docstead.agent.limits import TurnLimits
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.review_memory import ReviewMemory
from docstead.agent.reviews.urls import current_url
from docstead.agent.tool_sources import ToolSources
from docstead.agent.tools.confined import ConfinedChecker
from docstead.agent.tools.screenshots import PageCamera
from docstead.agent.turn_runner import DurableTurnRunner
from docstead.agent.webhooks import WebhookService
from docstead.agent.webhooks.records import WebhookRecords
from docstead.agent.workspace import CommitAuthor, SigningKey, WorkspaceManager
from docstead.app.adapters import git_network_of
from docstead.app.models import agent_models
from docstead.base.clock import Clock
from docstead.base.networks import parsed_networks
from docstead.base.outbound import OutboundClient
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.catalog import ModelCatalog
from docstead.models.completion import CompletionClient
from docstead.publishing.builders import BuilderPool
from docstead.publishing.editions import EditionStore
from docstead.rendering.chromium import ChromiumMissing, find_chromium
from docstead.settings import Settings
from docstead.storage.database import Database

_WEBHOOK_SECONDS = 30.0  # per delivery
_WINDOW_SHARE = 0.75  # share of the window for the conversation, without the response


def agent_of(
    settings: Settings,
    *,
    database: Database,
    clock: Clock,
    tenancy: Tenancy,
    catalog: ModelCatalog,
    forges: ForgeFactory,
    editions: EditionStore,
    budgets: ModelBudgets,
    webhooks: WebhookRecords,
    builders: BuilderPool,
) -> AgentJobs:
    """Return the agent with its configured models; without any it is unavailable."""
    link_of = partial(current_url, base_url=settings.public_url)
    records, event_log = AgentRecords(database, clock, link_of), EventLog(database, clock, link_of)
    questions = QuestionRecords(database, clock)
    sender = WebhookService(
        webhooks,
        OutboundClient(
            parsed_networks(settings.agent_webhook_networks),
            setting="DOCSTEAD_AGENT_WEBHOOK_NETWORKS",
            total_seconds=_WEBHOOK_SECONDS,
        ),
        clock,
    )
    names = agent_models(settings, catalog)
    model = catalog.model(*names)
    workspaces = WorkspaceManager(
        settings.data / "cache" / "agent",
        network=git_network_of(settings),
        signing=signing_key_of(settings),
    )
    turns = DurableTurnRunner(
        records=records,
        questions=questions,
        event_log=event_log,
        tenancy=tenancy,
        model=None if model is None else CompletionClient(model),
        cost_of=catalog.cost,
        model_of=catalog.model_of,
        checker=ConfinedChecker(builders),
        workspaces=workspaces,
        tool_sources=ToolSources(tenancy, editions, forges, workspaces),
        review_memory=ReviewMemory(database, settings.agent_review_memory),
        budgets=budgets,
        forges=forges,
        limits=_turn_limits(settings, catalog, names),
        webhooks=sender,
        author=_author(settings.agent_author),
        camera=_camera(settings, catalog, names),
    )
    return AgentJobs(
        records=records,
        questions=questions,
        event_log=event_log,
        tenancy=tenancy,
        clock=clock,
        model=catalog.entry(names[0]).model if names else None,
        inputs=catalog.entry(names[0]).inputs if names else (),
        runner=turns,
        webhooks=sender,
        limits=AgentLimits(
            prompt_characters=settings.agent_prompt_characters,
            jobs_at_once=settings.agent_jobs_at_once,
            archive_after_days=settings.agent_archive_days,
        ),
    )


def signing_key_of(settings: Settings) -> SigningKey | None:
    """Return the key for signing commits, or None for unsigned commits."""
    file = settings.agent_signing_key_file
    return None if file is None else SigningKey(file.expanduser().absolute())


def _camera(settings: Settings, catalog: ModelCatalog, names: tuple[str, ...]) -> PageCamera | None:
    """Return a screenshot camera if the model accepts images and Chromium is installed."""
    if not names or "image" not in catalog.entry(names[0]).inputs:
        return None
    try:
        return PageCamera(find_chromium(settings.chromium), settings.sandbox)
    except ChromiumMissing:
        return None


def _author(text: str) -> CommitAuthor:
    """Parse an author of the form "Name <email>"."""
    name, _, email = text.removesuffix(">").partition(" <")
    return CommitAuthor(name, email)


def _turn_limits(settings: Settings, catalog: ModelCatalog, names: tuple[str, ...]) -> TurnLimits:
    windows = [catalog.entry(name).context_tokens for name in names]
    return TurnLimits(
        steps=settings.agent_max_steps,
        tokens=settings.agent_max_tokens,
        cost=settings.agent_max_cost,
        seconds=settings.agent_max_seconds,
        answer_seconds=settings.agent_answer_seconds,
        context_tokens=int(min(windows, default=0) * _WINDOW_SHARE),
    )
