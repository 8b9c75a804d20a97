"""Upkeep that failed while the database was away wrote a traceback each time."""

from __future__ import annotations

import logging

import pytest

from docstead.base.errors import StoreUnavailable
from docstead.base.outages import OutageLog
from docstead.storage.database import Database


def test_an_outage_is_two_lines_however_often_upkeep_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outage = OutageLog(logging.getLogger("jobs"), "upkeep of jobs")
    database = Database("postgresql://nobody@127.0.0.1:1/none")
    for _ in range(20):
        with pytest.raises(StoreUnavailable) as raised, database.reading():
            pass
        outage.failed(raised.value)
    outage.ended()
    outage.ended()
    database.close()
    lines = [record.getMessage() for record in caplog.records if record.name == "jobs"]
    assert len(lines) == 2
    assert lines[0].startswith("upkeep of jobs failed and is tried again: the database ")
    assert lines[1] == "upkeep of jobs works again"
    assert "Traceback" not in caplog.text
