"""The pages of a change: read, compared, previewed, commented, merged and closed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docstead.agent.journal import Journal
from docstead.agent.reviews.marks import FIRST
from docstead.agent.values import Entry, Instruction
from docstead.base.errors import InvalidRequest
from review_repository import BRANCH, ReviewRepository

BODY = (
    "Keys were **not** explained.\n\n### Files\n\n- [ ] a diagram\n\n"
    "<script>alert(1)</script> ![i](https://evil.test/i.png) [j](javascript:alert(1))"
)


@pytest.fixture(scope="module")
def made_repository(tmp_path_factory: pytest.TempPathFactory) -> ReviewRepository:
    return ReviewRepository.made(tmp_path_factory.mktemp("made") / "handbook.git")


@pytest.fixture
def repository(made_repository: ReviewRepository, tmp_path: Path) -> ReviewRepository:
    return made_repository.copied(tmp_path / "handbook.git")


@pytest.fixture
def change(house: Any, acme: Any, repository: ReviewRepository) -> Any:
    house.tenancy.set_source(acme.project_id, repository.address)
    return opened(house, acme)


@pytest.fixture
def address(change: Any) -> str:
    return f"/dashboard/changes/{change.id}"


def opened(house: Any, acme: Any, **more: Any) -> Any:
    text = {"base": "main", "title": "Explain <keys>", "body": BODY, "draft": False}
    return house.forges.reviews.open(acme.project_id, BRANCH, **{**text, **more})


def now(house: Any, change: Any) -> Any:
    return house.forges.reviews.get(change.id)


def test_the_short_address_leads_to_the_page(owner: Any, change: Any, address: str) -> None:
    answer = owner.get(f"/changes/{change.id}")
    assert (answer.status_code, answer.headers["location"]) == (303, address)


def test_nobody_sees_it_without_signing_in(browser: Any, address: str) -> None:
    for path in (address, f"{address}/files", f"{address}/pages", f"{address}/pages/after"):
        answer = browser().get(path)
        assert answer.headers["location"].startswith("/dashboard/sign-in?next=")


def test_another_organizations_change_is_not_there(house: Any, browser: Any, address: str) -> None:
    stranger = browser().sign_in(house, house.organization("other").organization_id)
    for path in (address, f"{address}/files", f"{address}/pages", f"{address}/pages/after"):
        assert stranger.get(path).status_code == 404
    for act in ("comment", "merge", "close"):
        assert stranger.post(f"{address}/{act}", text="x").status_code == 404


def test_change_and_job_lead_to_one_another(
    owner: Any, house: Any, acme: Any, change: Any, address: str
) -> None:
    assert 'id="job"' not in owner.get(address).text
    project = house.tenancy.project(acme.project_id)
    job = house.agent.create(project, Instruction.of("Explain keys"), branch=BRANCH)
    turn = house.agent.turns(job.id)[0]
    link = f"{house.base_url}/changes/{change.id}"
    Journal(house.database, house.clock).write(turn, Entry("pull request", job={"pr_link": link}))
    page = f"/dashboard/agent/{acme.domain}/jobs/{job.id}"
    for part in (address, f"{address}/files"):
        shown = owner.get(part).text
        assert f'<a id="job" href="{page}">' in shown
        assert "The agent is at work on this branch" in shown
    assert f'<a id="pull-request" href="{link}"' in owner.get(page).text


def test_what_it_says(owner: Any, address: str) -> None:
    page = owner.get(address)
    assert page.status_code == 200
    for words in (
        "Explain &lt;keys&gt;",
        BRANCH,
        "Open",
        "<strong>not</strong>",
        "Merge into main",
    ):
        assert words in page.text
    assert "<h2>Files</h2>" in page.text
    assert 'class="task"' in page.text


def test_its_text_can_do_no_harm(owner: Any, address: str) -> None:
    page = owner.get(address)
    assert "&lt;script&gt;alert(1)" in page.text
    assert "<script>" not in page.text
    assert 'href="javascript' not in page.text
    assert '<img src="https://evil.test' not in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "frame-src" not in page.headers["content-security-policy"]


def test_files_are_shown_line_by_line(owner: Any, address: str) -> None:
    page = owner.get(f"{address}/files").text
    assert "3 files" in page
    for name in ("docs.json", "guides/keys.mdx", "guides/rotate.mdx"):
        assert name in page
    assert '<tr class="removed">' in page
    assert '<tr class="added">' in page
    assert "Keep them secret." in page
    assert f"{address}?file=guides/keys.mdx#comment" in page


def test_a_file_that_became_a_link_is_shown_as_both(
    owner: Any, change: Any, address: str, repository: Any
) -> None:
    repository.git("checkout", "-q", BRANCH)
    (repository.work / "guides" / "labels.mdx").unlink()
    (repository.work / "guides" / "labels.mdx").symlink_to("../../../../etc/passwd")
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "A link")
    repository.git("push", "-q", "origin", BRANCH)
    page = owner.get(f"{address}/files").text
    assert "../../../../etc/passwd" in page
    assert "Labels are printed." in page
    assert "root:" not in page


def test_differences_that_are_too_long_are_said_to_be(
    owner: Any, address: str, repository: Any
) -> None:
    long = "\n".join("x" * 1_000 for _ in range(34_000))
    repository.commit({"guides/long.txt": long}, branch=BRANCH)
    page = owner.get(f"{address}/files")
    assert page.status_code == 200
    assert "The differences are too long to be shown here" in page.text
    assert "Merge into main" in owner.get(address).text


def test_changed_pages_stand_side_by_side(owner: Any, address: str) -> None:
    page = owner.get(f"{address}/pages")
    assert "No new problems compared with main." in page.text
    for side in ("before", "after"):
        assert f'src="{address}/pages/{side}?page=guides/keys#{FIRST}"' in page.text
    assert page.text.count(" sandbox ") == 2
    assert "frame-src 'self'" in page.headers["content-security-policy"]
    new = owner.get(f"{address}/pages?page=guides/rotate").text
    assert "The page is new." in new
    assert "Passed" in owner.get(address).text
    assert_that_it_may_do_nothing(owner, address)


def assert_that_it_may_do_nothing(owner: Any, address: str) -> None:
    frame = owner.get(f"{address}/pages/after?page=guides/keys")
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline'")
    assert "frame-ancestors 'self'" in policy
    assert frame.headers["x-frame-options"] == "SAMEORIGIN"
    assert "Keep them secret." in frame.text
    for path in ("after?page=index", "after?page=../x", "sideways?page=guides/keys", "after"):
        assert owner.get(f"{address}/pages/{path}").status_code == 404


def test_a_comment_goes_to_the_agent(owner: Any, house: Any, address: str) -> None:
    owner.get(address)
    answer = owner.post(f"{address}/comment", text="Shorter.", file="guides/keys.mdx", line="5")
    assert answer.headers["location"] == f"{address}#last"
    assert house.follow_ups.told == [(BRANCH, "About guides/keys.mdx:5: Shorter.")]
    page = owner.get(address).text
    assert "Shorter." in page
    assert "guides/keys.mdx:5" in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": "  "}, "Comment: must not be empty"),
        ({"text": "x" * 10_001}, "Comment: at most 10000"),
        ({"text": "x", "file": "a", "line": "many"}, "Line: must be a number"),
    ],
)
def test_a_comment_that_cannot_be_taken_is_kept_in_the_form(
    owner: Any, house: Any, address: str, fields: dict[str, str], words: str
) -> None:
    owner.get(address)
    answer = owner.post(f"{address}/comment", **fields)
    assert answer.status_code == 400
    assert words in answer.text
    assert house.follow_ups.told == []


def test_a_job_that_takes_no_more_messages(owner: Any, house: Any, change: Any) -> None:
    house.follow_ups.refusal = InvalidRequest("the job is archived; start a new one")
    address = f"/dashboard/changes/{change.id}"
    owner.get(address)
    answer = owner.post(f"{address}/comment", text="Once more")
    assert answer.status_code == 400
    assert "The job is archived" in answer.text
    assert "Once more</textarea>" in answer.text
    assert house.desk.comments(change) == []


def test_it_is_merged(owner: Any, house: Any, change: Any, repository: Any) -> None:
    address = f"/dashboard/changes/{change.id}"
    owner.get(address)
    asked = owner.post(f"{address}/merge")
    assert "Merge into main?" in asked.text
    assert repository.tip() != repository.tip(BRANCH)
    assert owner.post(f"{address}/merge", confirmed="yes").headers["location"] == address
    assert repository.tip() == repository.tip(BRANCH)
    page = owner.get(address).text
    for words in ("Merged", "by owner", "Update now"):
        assert words in page
    assert "Send to the agent" not in page
    assert owner.post(f"{address}/merge", confirmed="yes").status_code == 409
    assert "Keep them secret." in owner.get(f"{address}/files").text


def test_a_conflict_is_told_before_and_after_trying(
    owner: Any, house: Any, change: Any, repository: Any
) -> None:
    repository.commit({"guides/keys.mdx": "---\ntitle: Keys\n---\n\nQuite another.\n"})
    address = f"/dashboard/changes/{change.id}"
    page = owner.get(address).text
    assert "Conflicts" in page
    assert "Merge into main" not in page
    answer = owner.post(f"{address}/merge", confirmed="yes")
    assert answer.status_code == 409
    assert "both changed guides/keys.mdx" in answer.text
    assert now(house, change).is_open


def test_it_is_closed(owner: Any, house: Any, change: Any) -> None:
    address = f"/dashboard/changes/{change.id}"
    owner.get(address)
    assert "Close without merging?" in owner.post(f"{address}/close").text
    assert now(house, change).is_open
    owner.post(f"{address}/close", confirmed="yes")
    page = owner.get(address).text
    assert "Closed" in page
    assert "Merge into" not in page


def test_a_draft_says_so(owner: Any, house: Any, acme: Any, repository: Any) -> None:
    house.tenancy.set_source(acme.project_id, repository.address)
    draft = opened(house, acme, draft=True)
    page = owner.get(f"/dashboard/changes/{draft.id}").text
    assert "Draft" in page
    assert "Merge the draft into main" in page


def test_a_form_of_another_site_does_nothing(owner: Any, house: Any, change: Any) -> None:
    for act in ("merge", "close", "comment"):
        answer = owner.post(f"/dashboard/changes/{change.id}/{act}", csrf="wrong", text="x")
        assert answer.status_code == 403
    assert now(house, change).is_open


def test_a_repository_that_is_away_is_said_on_every_page(
    owner: Any, house: Any, acme: Any, change: Any, tmp_path: Path
) -> None:
    house.tenancy.set_source(acme.project_id, (tmp_path / "gone.git").as_uri())
    for part in ("", "/files", "/pages"):
        page = owner.get(f"/dashboard/changes/{change.id}{part}")
        assert page.status_code == 200
        assert "cannot be shown right now" in page.text
    assert owner.get(f"/dashboard/changes/{change.id}/pages/after?page=index").status_code >= 400
