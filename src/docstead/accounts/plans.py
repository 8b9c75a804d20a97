"""Plans and their features. ENTERPRISE is the default of self-hosted installations."""

from __future__ import annotations

from enum import StrEnum


class Feature(StrEnum):
    """A feature of plans."""

    ASSISTANT = "assistant"  #: Answers, search and page content over HTTP.
    AGENT = "agent"  #: Agent jobs, which create pull requests.
    PREVIEWS = "previews"  #: Previews of other branches.
    STATIC_EXPORT = "static_export"  #: Bundles (docs/reference/static-export.mdx).


class OrganizationPlan(StrEnum):
    """Plan of an organization."""

    COMMUNITY = "community"  #: Publishing and answers.
    PRO = "pro"  #: In addition the agent and previews.
    ENTERPRISE = "enterprise"  #: All features; the default of self-hosted installations.


_FEATURES = {
    OrganizationPlan.COMMUNITY: frozenset({Feature.ASSISTANT}),
    OrganizationPlan.PRO: frozenset({Feature.ASSISTANT, Feature.AGENT, Feature.PREVIEWS}),
    OrganizationPlan.ENTERPRISE: frozenset(Feature),
}


def features(plan: OrganizationPlan) -> frozenset[Feature]:
    """Return the features of a plan."""
    return _FEATURES[plan]
