"""Each limit is the one that the documentation states (docs/reference/errors-and-limits.mdx)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docstead.limits import policies
from docstead.limits.address_limits import AddressPolicy
from docstead.limits.rate_limits import BucketCharge

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "errors-and-limits.mdx"
ROW = re.compile(r"^\|.*\| ([\d,]+) (a.*?|in .*?) for (.*?) \| `(.+)` \|$", re.MULTILINE)
SECONDS = {"an hour": 3_600, "a day": 86_400, "a minute": 60, "in 10 seconds": 10}
OTHER = {
    "an organization": {"organization": "org_2"},
    "a project": {"project": "prj_2"},
    "a client IP address": {"ip_address": "2001:db8:0:1::2"},
}
OF_ACCOUNTS = "key-creation"  # counted where keys are made


def _charges(
    organization: str = "org_1", project: str = "prj_1", ip_address: str = "2001:db8::1"
) -> dict[str, BucketCharge]:
    """Return the charges of an organization, a project and an IP address by their names."""
    of_organization = (
        policies.analytics, policies.archive_publish, policies.archive_status,
        policies.assistant_feedback, policies.assistant_resume, policies.export_bundle,
        policies.export_start, policies.export_status, policies.page_content,
        policies.project_update, policies.search,
    )  # fmt: skip
    of_project = policies.agent_job, policies.agent_message
    by_ip_address = policies.mcp_request, policies.page_feedback, policies.page_view
    charges = (
        *policies.assistant_message(organization, ip_address, "v1"),
        *(charge(organization) for charge in of_organization),
        *(charge(project) for charge in of_project),
        *(charge(ip_address) for charge in by_ip_address),
    )
    return {charge.policy: charge for charge in charges}


def _documented() -> dict[str, tuple[int, int, str]]:
    """Return limit, seconds and subject of each row of the page."""
    return {
        name: (int(limit.replace(",", "")), SECONDS[window], re.split("[,;]", subject)[0])
        for limit, window, subject, name in ROW.findall(PAGE.read_text())
        if name.islower()
    }


def test_the_page_states_every_limit_that_a_setting_may_change() -> None:
    assert set(_documented()) == policies.NAMES
    assert set(_charges()) == policies.NAMES - {OF_ACCOUNTS}


@pytest.mark.parametrize("name", sorted(policies.NAMES - {OF_ACCOUNTS}))
def test_a_limit_is_as_documented_and_counts_its_subject_only(name: str) -> None:
    limit, seconds, subject = _documented()[name]
    charge = _charges()[name]
    assert (charge.limit, charge.window_seconds) == (limit, seconds)
    for kind, other in OTHER.items():
        assert (_charges(**other)[name].bucket != charge.bucket) == (kind == subject)


def test_no_two_limits_count_together() -> None:
    charges = _charges(organization="same", project="same", ip_address="same")
    assert len({charge.bucket for charge in charges.values()}) == len(charges)


def test_versions_of_the_assistant_are_counted_separately() -> None:
    buckets = {
        charge.bucket
        for endpoint in ("v1", "v2", "mcp")
        for charge in policies.assistant_message("org_1", "192.0.2.1", endpoint)
    }
    assert len(buckets) == 6


def test_clients_without_a_known_ip_address_share_one() -> None:
    unknown, empty = (policies.assistant_message("org_1", each, "v1") for each in (None, ""))
    assert unknown == empty


@pytest.mark.parametrize(
    ("name", "is_shared"),
    [("page-view", True), ("page-feedback", True), ("assistant-address", False)],
)
def test_views_and_feedback_count_by_the_network_of_ipv6(name: str, is_shared: bool) -> None:
    neighbours = (_charges(ip_address=f"2001:db8::{host}")[name] for host in "12")
    assert (len({charge.bucket for charge in neighbours}) == 1) == is_shared


def test_public_calls_and_playgrounds_have_the_limits_of_their_settings() -> None:
    assert policies.public_call(100_000) == AddressPolicy("address", 100_000, 3_600)
    assert policies.playground_request(60) == AddressPolicy("playground-address", 60, 60)
