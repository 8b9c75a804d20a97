"""Offsets beyond what a database can count to."""

from __future__ import annotations

import pytest

from attacked_service import call
from running_service import Service


@pytest.mark.parametrize("path", ["views", "visitors"])
@pytest.mark.parametrize("offset", [2**63, 187157543262027991050354688, -1])
def test_large_offsets_are_refused(small_service: Service, path: str, offset: int) -> None:
    project = small_service.facts["projectId"]
    options = {"params": {"offset": offset, "limit": 1}}
    answer = call(small_service, "admin", "GET", f"/v1/analytics/{project}/{path}", **options)
    assert answer.status_code == 400, answer.text
    assert "offset" in answer.json()["error"]


def test_the_description_names_the_largest_offset(small_service: Service) -> None:
    paths = small_service.get("/openapi.json").json()["paths"]
    for path in ("views", "visitors"):
        parameters = paths[f"/v1/analytics/{{projectId}}/{path}"]["get"]["parameters"]
        (offset,) = [each for each in parameters if each["name"] == "offset"]
        assert offset["schema"]["maximum"] == 10**9
