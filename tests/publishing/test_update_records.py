"""Records of updates: who sees them, their order and their transitions."""

from __future__ import annotations

from datetime import timedelta

import pytest

from docstead.base.errors import Conflict, NotFound
from docstead.publishing.update_records import UpdateStatus

LEGAL = {
    ("queued", "in_progress"),
    ("queued", "failure"),
    ("in_progress", "success"),
    ("in_progress", "failure"),
}


def test_others_see_nothing(world, acme):
    started = world.updates.create(acme.project_id, "api")
    other = world.deployment("/nowhere", "other")
    assert world.updates.get(started.id, organization_id=acme.organization_id)
    for unknown in (started.id, "up_0000000000000000", "x\0y"):
        with pytest.raises(NotFound):
            world.updates.get(unknown, organization_id=other.organization_id)
    with pytest.raises(NotFound):
        world.updates.create("prj_nowhere", "api")


@pytest.mark.parametrize("before", list(UpdateStatus))
@pytest.mark.parametrize("after", list(UpdateStatus))
def test_only_legal_transitions(world, before, after):
    deployment = world.deployment("/nowhere")
    started = world.updates.create(deployment.project_id, "api")
    if before is not UpdateStatus.QUEUED:
        world.records.advance(started.id, UpdateStatus.IN_PROGRESS)
    if before.is_final:
        world.records.advance(started.id, before)
    if (before, after) in LEGAL:
        world.records.advance(started.id, after)
        assert world.records.get(started.id).status is after
    else:
        with pytest.raises(Conflict):
            world.records.advance(started.id, after)
        assert world.records.get(started.id).status is before


def test_updates_of_a_project_newest_first(world, acme):
    ids = []
    for _ in range(3):
        world.clock.move_to(world.clock.now() + timedelta(seconds=1))
        ids.append(world.updates.create(acme.project_id, "api").id)
    assert [update.id for update in world.updates.of_project(acme.project_id, 2)] == ids[:0:-1]
