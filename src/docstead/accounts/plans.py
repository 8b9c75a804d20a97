"""Plans and what each contains. ENTERPRISE is the default of self-hosted organizations."""

from __future__ import annotations

from enum import StrEnum


class Feature(StrEnum):
    """Something that a plan may or may not contain."""

    ASSISTANT = "assistant"  #: Answers, search and page content over HTTP.
    AGENT = "agent"  #: Instructions that become pull requests.
    PREVIEWS = "previews"  #: Builds of branches other than the published one.
    STATIC_EXPORT = "static_export"  #: Self-contained bundles (docs/reference/static-export.mdx).


class Plan(StrEnum):
    """Plan of an organization."""

    COMMUNITY = "community"  #: Publishing and answers.
    PRO = "pro"  #: Also the agent and previews.
    ENTERPRISE = "enterprise"  #: Everything; the default where one hosts the service oneself.


_FEATURES = {
    Plan.COMMUNITY: frozenset({Feature.ASSISTANT}),
    Plan.PRO: frozenset({Feature.ASSISTANT, Feature.AGENT, Feature.PREVIEWS}),
    Plan.ENTERPRISE: frozenset(Feature),
}


def features(plan: Plan) -> frozenset[Feature]:
    """Everything that the plan contains."""
    return _FEATURES[plan]
