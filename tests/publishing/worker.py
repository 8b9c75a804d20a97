"""A node that publishes, in a process of its own, to be killed: `worker.py URL FOLDER HOLD`.

Objects are in FOLDER/objects; each one written is listed in FOLDER/written and takes its
time. It lives until it is killed or its standard input ends.
"""

from __future__ import annotations

import sys
from pathlib import Path

from builds import publisher_in
from docstead.accounts.tenancy import Tenancy
from docstead.base.clock import SystemClock
from docstead.jobs import Jobs
from docstead.publishing.editions import EditionStore
from docstead.publishing.update_records import UpdateRecords
from docstead.publishing.updates import UpdateService
from docstead.storage.database import Database
from held_objects import HeldObjects


def main(url: str, folder: Path, hold: str) -> None:
    database, clock = Database(url), SystemClock()
    objects = HeldObjects(folder, hold)
    tenancy = Tenancy(database, clock)
    editions = EditionStore(database, objects, folder / "cache")
    publisher = publisher_in(folder, database, objects, clock, editions)
    updates = UpdateService(UpdateRecords(database, clock), publisher, tenancy, clock)
    jobs = Jobs(url, node_id="node-1", polling_seconds=0.25)
    updates.register(jobs)
    jobs.launch()
    updates.start_queued()
    print("ready", flush=True)
    sys.stdin.read()
    jobs.close()
    database.close()


main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
