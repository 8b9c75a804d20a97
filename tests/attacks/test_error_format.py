"""One shape of every refusal, and 404 for what does not exist."""

from __future__ import annotations

import pytest

from attacked_service import call
from running_service import Service


@pytest.mark.parametrize("domain", ["{}", "another"])
def test_a_page_that_is_missing_has_the_shape_of_all_errors(
    small_service: Service, domain: str
) -> None:
    path = f"/discovery/v1/page/{domain}"
    answer = call(small_service, "assistant", "POST", path, json={"path": "/none"})
    assert (answer.status_code, list(answer.json())) == (404, ["error"])


def test_exports_of_unknown_domains_do_not_exist(small_service: Service) -> None:
    def start(domain: str) -> tuple[int, str]:
        body = {"domain": domain}
        answer = call(small_service, "admin", "POST", "/v1/static-export/jobs", json=body)
        return answer.status_code, answer.json()["error"]

    assert start("nobody.example") == (404, "domain: there is no such deployment")
    assert start("https://nobody.example")[0] == 400


def test_the_description_says_so(small_service: Service) -> None:
    start = small_service.get("/openapi.json").json()["paths"]["/v1/static-export/jobs"]["post"]
    assert "404" in start["responses"]
