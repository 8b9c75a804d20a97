"""The pages of a change: read, compared, previewed, commented, merged and closed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docstead.agent.event_log import EventLog
from docstead.agent.reviews.change_marks import FIRST
from docstead.agent.values import Instruction, StepRecord
from review_repository import BRANCH, opened_review
from tenancy_changes import set_source


def now(harness: Any, change: Any) -> Any:
    return harness.forges.reviews.get(change.id)


def test_the_short_url_leads_to_the_page(owner: Any, change: Any, change_url: str) -> None:
    answer = owner.get(f"/changes/{change.id}")
    assert (answer.status_code, answer.headers["location"]) == (303, change_url)


def test_nobody_sees_it_without_signing_in(browser: Any, change_url: str) -> None:
    for path in (
        change_url,
        f"{change_url}/files",
        f"{change_url}/pages",
        f"{change_url}/pages/after",
    ):
        answer = browser().get(path)
        assert answer.headers["location"].startswith("/dashboard/sign-in?next=")


def test_another_organizations_change_is_not_there(
    harness: Any, browser: Any, change_url: str
) -> None:
    stranger = browser().sign_in(harness, harness.organization("other").organization_id)
    for part in ("", "/files", "/commits", "/pages", "/pages/after", "/state.json", "/news.json"):
        assert stranger.get(f"{change_url}{part}").status_code == 404
    for act in ("comment", "viewed", "approve", "merge", "close", "reopen"):
        assert stranger.post(f"{change_url}/{act}", text="x").status_code == 404


def test_change_and_job_lead_to_one_another(
    owner: Any, harness: Any, acme: Any, change: Any, change_url: str
) -> None:
    assert 'id="job"' not in owner.get(change_url).text
    project = harness.tenancy.project(acme.project_id)
    job = harness.agent.create(project, Instruction.of("Explain keys"), branch=BRANCH)
    turn = harness.agent.turns(job.id)[0]
    link = f"{harness.base_url}/changes/{change.id}"
    EventLog(harness.database, harness.clock).write(
        turn, StepRecord("pull request", job={"pr_link": link})
    )
    page = f"/dashboard/agent/{acme.domain}/jobs/{job.id}"
    for part in (change_url, f"{change_url}/files"):
        shown = owner.get(part).text
        assert f'<a id="job" href="{page}">' in shown
        assert "The agent is working on this branch" in shown
    assert f'<a href="{link}" rel="noopener">View<' in owner.get(page).text


def test_what_it_says(owner: Any, change_url: str) -> None:
    page = owner.get(change_url)
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


def test_its_text_can_do_no_harm(owner: Any, change_url: str) -> None:
    page = owner.get(change_url)
    assert "&lt;script&gt;alert(1)" in page.text
    assert "<script>" not in page.text
    assert 'href="javascript' not in page.text
    assert '<img src="https://evil.test' not in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "frame-src" not in page.headers["content-security-policy"]


def test_files_are_shown_line_by_line(owner: Any, change_url: str) -> None:
    page = owner.get(f"{change_url}/files").text
    assert "3 files" in page
    for name in ("docs.json", "guides/keys.mdx", "guides/rotate.mdx"):
        assert name in page
    assert '<tr class="removed">' in page
    assert '<tr class="added">' in page
    assert "Keep them secret." in page
    assert f"{change_url}?file=guides/keys.mdx#comment" in page
    assert "press <mark>" not in page
    assert "Keys let programs act for you.<mark> Keep them secret.</mark>" in page


def test_a_file_that_became_a_link_is_shown_as_both(
    owner: Any, change: Any, change_url: str, repository: Any
) -> None:
    repository.git("checkout", "-q", BRANCH)
    (repository.work / "guides" / "labels.mdx").unlink()
    (repository.work / "guides" / "labels.mdx").symlink_to("../../../../etc/passwd")
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "A link")
    repository.git("push", "-q", "origin", BRANCH)
    page = owner.get(f"{change_url}/files").text
    assert "../../../../etc/passwd" in page
    assert "Labels are printed." in page
    assert "root:" not in page


def test_differences_that_are_too_long_are_said_to_be(
    owner: Any, change_url: str, repository: Any
) -> None:
    long = "\n".join("x" * 1_000 for _ in range(34_000))
    repository.commit({"guides/long.txt": long}, branch=BRANCH)
    page = owner.get(f"{change_url}/files")
    assert page.status_code == 200
    assert "The diff is too long to be shown" in page.text
    assert "Merge into main" in owner.get(change_url).text


def test_both_versions_of_changed_pages_are_shown(
    owner: Any, harness: Any, change: Any, change_url: str
) -> None:
    page = owner.get(f"{change_url}/pages")
    harness.reviews.preview(harness.reviews.revisions(now(harness, change)))
    state = owner.get(f"{change_url}/pages/state.json").json()
    assert not state["running"]
    assert "No new problems compared with main." in state["html"]
    assert "1 of 2</span>" in state["others"]["page-list"]
    assert "<iframe" in page.text
    for version in ("before", "after"):
        assert f'src="{change_url}/pages/{version}?page=guides/keys#{FIRST}"' in page.text
    assert page.text.count(" sandbox ") == 2
    assert "frame-src 'self'" in page.headers["content-security-policy"]
    assert 'rel="next"' in page.text
    single = owner.get(f"{change_url}/pages?show=after&page=guides/keys").text
    assert f'src="{change_url}/pages/before' not in single
    new = owner.get(f"{change_url}/pages?page=guides/rotate").text
    assert "This page is new." in new
    assert "Passed" in owner.get(change_url).text
    assert_that_it_may_do_nothing(owner, change_url)


def assert_that_it_may_do_nothing(owner: Any, change_url: str) -> None:
    frame = owner.get(f"{change_url}/pages/after?page=guides/keys")
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline'")
    assert "frame-ancestors 'self'" in policy
    assert frame.headers["x-frame-options"] == "SAMEORIGIN"
    assert "Keep them secret." in frame.text
    for path in ("after?page=index", "after?page=../x", "sideways?page=guides/keys", "after"):
        assert owner.get(f"{change_url}/pages/{path}").status_code == 404


def test_it_is_merged(owner: Any, harness: Any, change: Any, repository: Any) -> None:
    change_url = f"/dashboard/changes/{change.id}"
    owner.get(change_url)
    head = repository.tip(BRANCH)
    asked = owner.post(f"{change_url}/merge", head=head)
    assert "Merge into main?" in asked.text
    assert "button danger" not in asked.text
    assert repository.tip() != repository.tip(BRANCH)
    assert (
        owner.post(f"{change_url}/merge", head=head, confirmed="yes").headers["location"]
        == change_url
    )
    assert repository.tip() == repository.tip(BRANCH)
    page = owner.get(change_url).text
    for words in ("Merged", "by owner", "Update now"):
        assert words in page
    assert "Send to the agent" not in page
    assert owner.post(f"{change_url}/merge", head=head, confirmed="yes").status_code == 409
    assert "Keep them secret." in owner.get(f"{change_url}/files").text


def test_a_conflict_is_reported_before_and_after_trying(
    owner: Any, harness: Any, change: Any, repository: Any
) -> None:
    repository.commit({"guides/keys.mdx": "---\ntitle: Keys\n---\n\nQuite another.\n"})
    change_url = f"/dashboard/changes/{change.id}"
    page = owner.get(change_url).text
    assert "Conflicts" in page
    assert "Merge into main" not in page
    answer = owner.post(f"{change_url}/merge", head=repository.tip(BRANCH), confirmed="yes")
    assert answer.status_code == 409
    assert "both changed guides/keys.mdx" in answer.text
    assert now(harness, change).is_open


def test_it_is_closed(owner: Any, harness: Any, change: Any) -> None:
    change_url = f"/dashboard/changes/{change.id}"
    owner.get(change_url)
    assert "Close without merging?" in owner.post(f"{change_url}/close").text
    assert now(harness, change).is_open
    owner.post(f"{change_url}/close", confirmed="yes")
    page = owner.get(change_url).text
    assert "Closed" in page
    assert "Merge into" not in page


def test_a_draft_says_so(owner: Any, harness: Any, acme: Any, repository: Any) -> None:
    set_source(harness.tenancy, acme.project_id, repository.url)
    draft = opened_review(harness, acme, draft=True)
    page = owner.get(f"/dashboard/changes/{draft.id}").text
    assert "Draft" in page
    assert "Merge the draft into main" in page


def test_a_form_of_another_site_does_nothing(owner: Any, harness: Any, change: Any) -> None:
    for act in ("merge", "close", "comment", "approve", "viewed", "reopen"):
        answer = owner.post(f"/dashboard/changes/{change.id}/{act}", csrf="wrong", text="x")
        assert answer.status_code == 403
    assert now(harness, change).is_open


def test_a_repository_that_is_away_is_said_on_every_page(
    owner: Any, harness: Any, acme: Any, change: Any, tmp_path: Path
) -> None:
    set_source(harness.tenancy, acme.project_id, (tmp_path / "gone.git").as_uri())
    for part in ("", "/files", "/pages"):
        page = owner.get(f"/dashboard/changes/{change.id}{part}")
        assert page.status_code == 200
        assert "cannot be shown right now" in page.text
    assert owner.get(f"/dashboard/changes/{change.id}/pages/after?page=index").status_code >= 400


def test_only_what_was_seen_is_merged(
    owner: Any, harness: Any, change: Any, repository: Any
) -> None:
    change_url = f"/dashboard/changes/{change.id}"
    seen, base = repository.tip(BRANCH), repository.tip()
    assert f'name="head" value="{seen}"' in owner.get(change_url).text
    repository.commit({"guides/rotate.mdx": "---\ntitle: R\n---\n\nUnreviewed.\n"}, branch=BRANCH)
    answer = owner.post(f"{change_url}/merge", head=seen, confirmed="yes")
    assert answer.status_code == 409
    assert "has new commits that this page did not show" in answer.text
    assert f'href="{change_url}/files?since={seen}"' in answer.text
    assert repository.tip() == base
    news = owner.get(f"{change_url}/files?since={seen}").text
    assert "Unreviewed." in news
    assert "docs.json" not in news
    assert owner.post(f"{change_url}/merge", confirmed="yes").status_code == 400


def test_it_is_squashed(owner: Any, harness: Any, change: Any, repository: Any) -> None:
    change_url = f"/dashboard/changes/{change.id}"
    base = repository.tip()
    repository.commit({"guides/more.mdx": "More.\n"}, branch=BRANCH)
    owner.get(change_url)
    fields = {"head": repository.tip(BRANCH), "method": "squash"}
    asked = owner.post(f"{change_url}/merge", **fields)
    assert "as a single commit" in asked.text
    owner.post(f"{change_url}/merge", **fields, confirmed="yes")
    parents = repository.git("rev-list", "--parents", "-1", repository.tip(), at=repository.path)
    assert parents.split()[1:] == [base]
    assert repository.text("guides/more.mdx") == "More."
    message = repository.git("log", "-1", "--format=%B", repository.tip(), at=repository.path)
    assert message == f"Explain <keys> (#{change.number})\n\nKeys were **not** explained."


def test_nothing_is_merged_while_the_agent_works(
    owner: Any, harness: Any, acme: Any, change: Any, repository: Any
) -> None:
    change_url = f"/dashboard/changes/{change.id}"
    project = harness.tenancy.project(acme.project_id)
    harness.agent.create(project, Instruction.of("Explain keys"), branch=BRANCH)
    page = owner.get(change_url).text
    assert "You can merge when it has finished" in page
    assert "Merge into main" not in page
    answer = owner.post(f"{change_url}/merge", head=repository.tip(BRANCH), confirmed="yes")
    assert answer.status_code == 409
    assert now(harness, change).is_open
    state = owner.get(f"{change_url}/state.json").json()
    assert state["running"]
    assert "The agent is working on this branch" in state["html"]
    assert "Working" in state["others"]["change-facts"]
    assert (state["others"]["commit-count"], state["others"]["file-count"]) == ("1", "3")


def test_people_approve_one_version(
    owner: Any, harness: Any, change: Any, change_url: str, repository: Any
) -> None:
    head = repository.tip(BRANCH)
    assert 'id="approve"' in owner.get(change_url).text
    owner.post(f"{change_url}/approve", head=head)
    page = owner.get(change_url).text
    assert "Approved" in page
    assert "Withdraw approval" in page
    repository.commit({"guides/more.mdx": "More.\n"}, branch=BRANCH)
    assert "Earlier version" in owner.get(change_url).text
    owner.post(f"{change_url}/approve", withdraw="yes")
    assert harness.reviews.approvals(change) == []


def test_a_closed_change_is_opened_again(
    owner: Any, harness: Any, acme: Any, change: Any, change_url: str
) -> None:
    owner.get(change_url)
    owner.post(f"{change_url}/close", confirmed="yes")
    assert 'id="reopen"' in owner.get(change_url).text
    owner.post(f"{change_url}/reopen")
    reopened = now(harness, change)
    assert reopened.is_open
    assert (reopened.ended_at, reopened.head_commit) == (None, None)
    owner.get(change_url)
    owner.post(f"{change_url}/close", confirmed="yes")
    other = opened_review(harness, acme)
    answer = owner.post(f"{change_url}/reopen")
    assert answer.status_code == 409
    assert "Another change of this branch is open" in answer.text
    assert other.is_open


def test_commits_are_listed_and_shown_one_by_one(
    owner: Any, change_url: str, repository: Any
) -> None:
    repository.commit({"guides/more.mdx": "More.\n"}, branch=BRANCH)
    head = repository.tip(BRANCH)
    page = owner.get(f"{change_url}/commits").text
    assert page.count("A change</span>") == 2
    assert f'{change_url}/files?commit={head}">{head[:8]}</a>' in page
    assert f"files?commit={head}" in owner.get(change_url).text
    files = owner.get(f"{change_url}/files?commit={head}").text
    assert "guides/more.mdx" in files
    assert "guides/keys.mdx" not in files
    base = repository.tip()
    assert owner.get(f"{change_url}/files?commit={base}").status_code == 404
    assert owner.get(f"{change_url}/files?since=--output=x").status_code == 404


def test_viewed_files_are_closed_until_they_change(
    owner: Any, harness: Any, change_url: str, repository: Any
) -> None:
    page = owner.get(f"{change_url}/files").text
    assert "0 of 3 files viewed" in page
    digest = re.search(r'value="guides/rotate.mdx".*?name="digest" value="(\w+)"', page)
    assert digest is not None
    fields = {"file": "guides/rotate.mdx", "anchor": "file-3", "view": "split"}
    answer = owner.post(f"{change_url}/viewed", digest=digest[1], **fields)
    assert answer.headers["location"] == f"{change_url}/files?view=split#file-3"
    page = owner.get(f"{change_url}/files").text
    assert "1 of 3 files viewed" in page
    assert page.count("<details open>") == 2
    repository.commit({"guides/rotate.mdx": "---\ntitle: R\n---\n\nNew.\n"}, branch=BRANCH)
    assert "0 of 3 files viewed" in owner.get(f"{change_url}/files").text


def test_both_versions_are_shown_together(owner: Any, change_url: str) -> None:
    page = owner.get(f"{change_url}/files?view=split").text
    assert 'class="diff ds-code split"' in page
    assert '<td class="text gap"></td>' in page
    form = owner.get(f"{change_url}/files?view=split&comment=file-2-after-5").text
    assert "Comment on line 5</label>" in form


def test_new_commits_are_reported_to_open_pages(
    owner: Any, change_url: str, repository: Any
) -> None:
    head = repository.tip(BRANCH)
    same = owner.get(f"{change_url}/news.json?head={head}").json()
    assert same == {"running": True, "seconds": 30, "html": same["html"]}
    assert "new commits" not in same["html"]
    repository.commit({"guides/more.mdx": "More.\n"}, branch=BRANCH)
    news = owner.get(f"{change_url}/news.json?head={head}").json()
    assert "new commits" in news["html"]
    assert not news["running"]


def test_the_agents_own_check_of_the_newest_commit_is_shown(
    owner: Any, harness: Any, acme: Any, change_url: str, repository: Any
) -> None:
    project = harness.tenancy.project(acme.project_id)
    job = harness.agent.create(project, Instruction.of("Explain keys"), branch=BRANCH)
    turn = harness.agent.turns(job.id)[0]
    assert "Not run for the latest commit yet" in owner.get(change_url).text
    check = {"ok": True, "count": 0, "errors": []}
    commit = {"commit": repository.tip(BRANCH)}
    event_log = EventLog(harness.database, harness.clock)
    event_log.write(turn, StepRecord("check 1", events=[("check", check)], turn=commit))
    assert "The agent checked this version" in owner.get(change_url).text
