"""The only use of the job library's private API: claims of queued jobs, and news of ended ones.

New versions of the library may change it, so a test checks the version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbos import DBOS
    from dbos._core import QueueBucket

TESTED_VERSION = "3.4.0"  # of the package `dbos`


def claim_now(queue: str, concurrency: int, *, in_order: bool = False) -> None:
    """Start waiting jobs of a queue, as the library's polling thread would.

    There is no public way to wake that thread. This makes the same two calls: the claim is a
    database transaction, so a second process finds nothing.
    """
    from dbos import _core, _dbos, _utils

    dbos = _dbos._get_dbos_instance()
    found, running = dbos._sys_db.get_queue(queue), dbos._active_workflows_set
    free = concurrency - running.count_for_queue(queue)
    if found is None or free <= 0:
        return
    claim, here = _utils.generate_uuid(), _utils.GlobalParams
    if in_order:
        claimed, _ = dbos._sys_db.start_queued_workflows(
            found,
            here.executor_id,
            here.app_version,
            None,
            local_running_count=concurrency - free,
            owner_xid=claim,
        )
    else:
        claimed = dbos._sys_db.start_queued_partitioned_workflows(
            found, here.executor_id, here.app_version, free, owner_xid=claim
        )
    for status in dbos._sys_db.get_workflow_statuses(claimed):
        _core.execute_dequeued_workflow(dbos, status, claim)


def watch_ends(dbos: DBOS, ended: Callable[[str], None]) -> None:
    """Call `ended` with the queue of each job that has ended in this process; before the launch.

    Then the end is recorded, so the next job of the partition can be claimed.
    """
    from dbos import _core

    class WatchedWorkflows(_core.ActiveWorkflowById):
        def _remove(self, key: str, bucket: QueueBucket) -> None:
            super()._remove(key, bucket)
            if bucket is not None:
                ended(bucket[0])

    dbos._active_workflows_set = WatchedWorkflows()
