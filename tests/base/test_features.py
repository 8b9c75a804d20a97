"""The table of features, cell by cell (docs/reference/features.mdx)."""

from __future__ import annotations

import pytest

from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.features import (
    ALL_FEATURES,
    FEATURES,
    DeploymentType,
    FeatureChoice,
    Features,
    deployment_type_of,
    parsed_features,
    service_profile,
)

CLOUD, CLIENT, AIR = DeploymentType
YES, NO, CHOICE = (True,), (False,), (True, False)
TABLE = {
    "search": (YES, CHOICE, NO),
    "assistant": (YES, CHOICE, NO),
    "analytics": (YES, CHOICE, NO),
    "playground": (YES, YES, CHOICE),
}
CELLS = [
    (kind, name, requested, requested in allowed)
    for name, row in TABLE.items()
    for kind, allowed in zip(DeploymentType, row, strict=True)
    for requested in (True, False)
]


@pytest.mark.parametrize(("kind", "name", "requested", "allowed"), CELLS)
def test_every_cell(kind: DeploymentType, name: str, requested: bool, allowed: bool) -> None:
    if allowed:
        assert Features.of(kind, {name: requested}).by_name()[name] is requested
        return
    with pytest.raises(InvalidRequest) as refusal:
        Features.of(kind, {name: requested})
    assert refusal.value.message.startswith(f"features.{name}: ")
    assert kind in refusal.value.message


def test_what_is_on_unless_it_is_configured() -> None:
    assert all(Features.of(CLOUD).by_name().values())
    assert Features.of(CLIENT) == Features(True, False, False, True)
    assert not any(Features.of(AIR).by_name().values())


def test_no_other_feature_is_known() -> None:
    assert tuple(TABLE) == FEATURES
    with pytest.raises(InvalidRequest, match=r"features\.chat: no such feature; there are search"):
        Features.of(CLOUD, {"chat": True})


def test_the_types_by_name() -> None:
    assert [deployment_type_of(name) for name in ("cloud", "client-hosted", "air-gapped")] == [
        CLOUD, CLIENT, AIR,
    ]  # fmt: skip
    with pytest.raises(InvalidRequest, match=r"deploymentType: must be one of cloud, .*not 'lan'"):
        deployment_type_of("lan")


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_that_is_off_is_refused(name: str) -> None:
    ALL_FEATURES.require(name)
    with pytest.raises(Unavailable, match="switched off here"):
        Features.of(AIR).require(name)


def test_choices_as_texts() -> None:
    texts = ("search=on", "assistant=true", "analytics = OFF", "playground=false")
    assert list(parsed_features(texts).values()) == [True, True, False, False]


@pytest.mark.parametrize(
    ("kind", "name", "requested", "message"),
    [
        (AIR, "search", True, "search: not available where deploymentType is air-gapped; "
         "on is possible with deploymentType cloud or client-hosted"),
        (CLIENT, "playground", False, "playground: always on where deploymentType is "
         "client-hosted; off is possible with deploymentType air-gapped"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_types_that_allow_it(
    kind: DeploymentType, name: str, requested: bool, message: str
) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        service_profile([FeatureChoice("settings", kind, {name: requested})])
    assert refusal.value.message == f"settings: features.{message}"


def test_the_first_choice_is_not_inherited() -> None:
    with pytest.raises(InvalidRequest, match="playground: always on"):
        service_profile([FeatureChoice("settings", None, {"playground": False})])
