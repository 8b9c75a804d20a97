"""Answering models of each deployment, from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from docstead.accounts.tenancy import Deployment
from docstead.app.models import assistant_models
from docstead.assistant.answer_task import Answerer, AnswerOptions
from docstead.assistant.answering import ModelAnswerer, QuoteAnswerer
from docstead.assistant.refusals import SupportContact
from docstead.assistant.writing.answer_writer import SentencePolicy
from docstead.limits.model_budgets import ModelBudgets
from docstead.models.catalog import ModelCatalog
from docstead.models.chat import ChatModel, ModelUsage
from docstead.models.embedding import Embedder
from docstead.settings import Settings

_PURPOSE = "assistant"


@dataclass(frozen=True)
class OrganizationAnswerBudget:
    """Token budget for an organization's answers."""

    budgets: ModelBudgets
    organization_id: str

    def admit(self) -> None:
        self.budgets.admit(self.organization_id)

    def record(self, usage: ModelUsage) -> None:
        self.budgets.record(self.organization_id, _PURPOSE, usage)


class AnswererChoice:
    """Provides each deployment's answerer. Deployments with the same models share connections."""

    def __init__(
        self,
        settings: Settings,
        catalog: ModelCatalog,
        budgets: ModelBudgets,
        embedder: Embedder | None,
    ) -> None:
        self._settings = settings
        self._catalog = catalog
        self._budgets = budgets
        self._embedder = embedder
        self._model = lru_cache(catalog.answering_model)
        self._judge = catalog.answering_model(*filter(None, [settings.assistant_judge]))
        for domain in ("", *settings.deployment_support, *settings.deployment_models):
            self._options(domain)  # reports an invalid URL at startup

    def of(self, deployment: Deployment) -> Answerer:
        options = self._options(deployment.domain)
        names = assistant_models(self._settings, self._catalog, deployment.domain)
        model: ChatModel | None = self._model(*names)
        if model is None:
            return QuoteAnswerer(options)
        return ModelAnswerer(
            model,
            options,
            embedder=self._embedder,
            judge=self._judge,
            budget=OrganizationAnswerBudget(self._budgets, deployment.organization_id),
        )

    def _options(self, domain: str) -> AnswerOptions:
        settings = self._settings
        contact = settings.deployment_support.get(domain, settings.assistant_support)
        return AnswerOptions(
            longest=settings.assistant_answer_characters,
            policy=SentencePolicy(settings.assistant_check),
            tool_calls=settings.assistant_tool_calls,
            link_hosts=settings.assistant_link_hosts,
            support=SupportContact(contact) if contact else None,
            falls_back=settings.model_fallback == "quotes",
        )
