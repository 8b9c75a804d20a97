"""Features of deployments and their bundles, from the settings."""

from __future__ import annotations

from typing import Any

import pytest

from docstead.accounts.tenancy import Deployment
from docstead.app.features import FeatureProfiles, bundle_profiles, service_profiles
from docstead.base.clock import SystemClock
from docstead.base.errors import InvalidRequest
from docstead.base.features import DeploymentType
from docstead.settings import Settings

CLOUD, CLIENT, AIR = DeploymentType
ON = ("search", "assistant", "analytics", "playground")


def shown(profiles: FeatureProfiles, domain: str = "other") -> tuple[DeploymentType, set[str]]:
    """Return the type of a deployment, and the features that are on."""
    deployment = Deployment("d", "p", "o", domain, "d.test", None, SystemClock().now())
    profile = profiles.of(deployment)
    return profile.type, {name for name, is_on in profile.features.by_name().items() if is_on}


def service(domain: str = "other", **given: Any) -> tuple[DeploymentType, set[str]]:
    return shown(service_profiles(Settings(**given)), domain)


def bundle(domain: str = "other", **given: Any) -> tuple[DeploymentType, set[str]]:
    return shown(bundle_profiles(Settings(**given)), domain)


def test_without_a_setting_sites_have_everything_and_bundles_ask_no_service() -> None:
    assert service() == (CLIENT, set(ON))
    assert bundle() == (CLIENT, {"search", "playground"})


def test_the_type_decides_for_sites_and_bundles() -> None:
    assert service(deployment_type="air-gapped") == (AIR, set())
    assert bundle(deployment_type="air-gapped") == (AIR, set())
    assert service(deployment_type="cloud") == bundle(deployment_type="cloud") == (CLOUD, set(ON))
    named: Any = {"deployment_type": "air-gapped", "features": "playground=on"}
    assert service(**named) == bundle(**named) == (AIR, {"playground"})


def test_bundles_have_an_assistant_and_analytics_only_where_they_are_named() -> None:
    assert bundle(features="analytics=on") == (CLIENT, {"search", "analytics", "playground"})
    assert bundle(features="search=off") == (CLIENT, {"playground"})
    assert bundle(assistant_enabled=True) == (CLIENT, {"search", "assistant", "playground"})
    assert service(features="search=off") == (CLIENT, {"assistant", "analytics", "playground"})


def test_bundles_may_have_a_type_and_features_of_their_own() -> None:
    connected: Any = {"features": "analytics=off,assistant=on"}
    assert bundle(export_deployment_type="air-gapped", **connected) == (AIR, set())
    assert service(export_deployment_type="air-gapped", **connected) == (
        CLIENT, {"search", "assistant", "playground"},
    )  # fmt: skip
    assert bundle(export_features="assistant=off", **connected) == (
        CLIENT, {"search", "playground"},
    )  # fmt: skip


def test_a_deployment_may_have_its_own() -> None:
    given: Any = {
        "features": "analytics=off",
        "deployments": {
            "apart": {"deployment_type": "air-gapped", "features": "playground=on"},
            "quiet": {"features": "assistant=off"},
            "sent": {"export_deployment_type": "cloud"},
        },
    }
    assert service("apart", **given) == bundle("apart", **given) == (AIR, {"playground"})
    assert service("quiet", **given) == (CLIENT, {"search", "playground"})
    assert service("sent", **given) == (CLIENT, {"search", "assistant", "playground"})
    assert bundle("sent", **given) == (CLOUD, set(ON))
    assert service(**given) == (CLIENT, {"search", "assistant", "playground"})


def test_what_holds_for_all_gives_way_to_the_type_of_one() -> None:
    given: Any = {
        "features": "assistant=on",
        "export_features": "assistant=on",
        "deployments": {"apart": {"deployment_type": "air-gapped"}},
    }
    assert service("apart", **given) == bundle("apart", **given) == (AIR, set())
    all_apart: Any = {
        "export_deployment_type": "air-gapped",
        "deployments": {"own": {"deployment_type": "client-hosted", "features": "assistant=on"}},
    }
    assert bundle("own", **all_apart) == (AIR, set())


def test_the_former_switches_are_other_names_of_the_features() -> None:
    assert service(assistant_enabled=False) == service(features="assistant=off")
    assert service(analytics_enabled=False) == service(features="analytics=off")
    assert service(analytics_enabled=False, features="analytics=off") == (
        CLIENT, {"search", "assistant", "playground"},
    )  # fmt: skip
    assert service(deployment_type="air-gapped", assistant_enabled=False) == (AIR, set())


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (
            {"assistant_enabled": False, "features": "assistant=on"},
            ("DOCSTEAD_ASSISTANT_ENABLED", "DOCSTEAD_FEATURES", "assistant"),
        ),
        (
            {"analytics_enabled": True, "features": "analytics=off"},
            ("DOCSTEAD_ANALYTICS_ENABLED", "DOCSTEAD_FEATURES", "analytics"),
        ),
        (
            {"analytics_enabled": True, "deployment_type": "air-gapped"},
            ("DOCSTEAD_ANALYTICS_ENABLED", "DOCSTEAD_DEPLOYMENT_TYPE", "air-gapped"),
        ),
        (
            {"assistant_enabled": False, "deployment_type": "cloud"},
            ("DOCSTEAD_ASSISTANT_ENABLED", "DOCSTEAD_DEPLOYMENT_TYPE", "always on"),
        ),
        (
            {"features": "search=on", "deployment_type": "air-gapped"},
            ("DOCSTEAD_FEATURES", "features.search", "not available", "air-gapped"),
        ),
        ({"features": "playground=off"}, ("DOCSTEAD_FEATURES", "features.playground")),
        ({"features": "browserSearch=on"}, ("DOCSTEAD_FEATURES", "browserSearch", "`search`")),
        ({"features": "chat=on"}, ("DOCSTEAD_FEATURES", "no such feature")),
        ({"features": "search"}, ("DOCSTEAD_FEATURES", "search=off")),
        (
            {"deployments": {"a": {"deployment_type": "air-gapped", "features": "search=on"}}},
            ("DOCSTEAD_DEPLOYMENTS: a: features", "features.search"),
        ),
    ],
)
def test_settings_that_contradict_each_other_are_refused(
    given: dict[str, Any], names: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        service_profiles(Settings(**given))
    assert all(name in refusal.value.message for name in names), refusal.value.message


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (
            {"export_deployment_type": "air-gapped", "export_features": "search=on"},
            "DOCSTEAD_EXPORT_FEATURES",
        ),
        (
            {
                "export_deployment_type": "air-gapped",
                "deployments": {"a": {"export_features": "assistant=on"}},
            },
            "DOCSTEAD_DEPLOYMENTS: a: export_features",
        ),
    ],
)
def test_choices_for_bundles_are_checked_too(given: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidRequest, match=name):
        bundle_profiles(Settings(**given))
