"""Webhooks in the dashboard."""

from __future__ import annotations

import pytest

from docstead.webhooks import EventGroup

HERE = "/dashboard/agent/acme"


def test_a_webhook_shows_its_secret_once(harness, owner, acme) -> None:
    owner.get(f"{HERE}/webhooks")
    made = owner.post(f"{HERE}/webhooks", url="https://hooks.example.com/docs", events="export")
    webhook = harness.agent.webhooks.of_project(acme.project_id)[0]
    assert webhook.secret in made.text
    assert webhook.events == {EventGroup.EXPORT}
    again = owner.get(f"{HERE}/webhooks").text
    assert webhook.secret not in again
    assert "https://hooks.example.com/docs" in again
    asked = owner.post(f"{HERE}/webhooks/{webhook.id}/remove").text
    assert "Remove the webhook https://hooks.example.com/docs?" in asked
    assert harness.agent.webhooks.of_project(acme.project_id)
    owner.post(f"{HERE}/webhooks/{webhook.id}/remove", confirmed="yes")
    assert harness.agent.webhooks.of_project(acme.project_id) == []


def test_a_private_ip_address_is_refused_with_the_setting_that_allows_it(
    harness, owner, acme
) -> None:
    owner.get(f"{HERE}/webhooks")
    answer = owner.post(f"{HERE}/webhooks", url="https://169.254.169.254/latest", events="agent")
    assert answer.status_code == 400
    assert "DOCSTEAD_WEBHOOK_NETWORKS" in answer.text
    assert harness.agent.webhooks.of_project(acme.project_id) == []


@pytest.mark.parametrize("url", ["", "ftp://x", "https://user:pw@x.example", "no address"])
def test_urls_that_are_none(harness, owner, acme, url) -> None:
    owner.get(f"{HERE}/webhooks")
    answer = owner.post(f"{HERE}/webhooks", url=url, events="agent")
    assert answer.status_code == 400
    assert harness.agent.webhooks.of_project(acme.project_id) == []


def test_a_webhook_without_events_is_refused(harness, owner, acme) -> None:
    owner.get(f"{HERE}/webhooks")
    answer = owner.post(f"{HERE}/webhooks", url="https://hooks.example.com/docs")
    assert answer.status_code == 400
    assert "Choose at least one kind of event" in answer.text
    assert harness.agent.webhooks.of_project(acme.project_id) == []


def test_webhooks_of_others_are_not_there(harness, owner, acme, browser) -> None:
    webhook = harness.agent.webhooks.create(acme.project_id, "https://hooks.example.com/docs")
    other = harness.organization("other")
    stranger = browser().sign_in(harness, other.organization_id)
    answer = stranger.post(f"/dashboard/agent/other/webhooks/{webhook.id}/remove")
    assert answer.status_code == 404
    assert harness.agent.webhooks.of_project(acme.project_id) == [webhook]
