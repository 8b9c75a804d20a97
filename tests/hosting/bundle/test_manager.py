"""Bundles come, replace others, and are rolled back to."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from docstead.base.errors import Conflict


def files(title: str) -> dict[str, bytes]:
    return {"index.html": f"<title>{title}</title>".encode()}


def title(host: Any) -> str:
    answer = host.get("/")
    return str(answer.text.partition("<title>")[2].partition("</title>")[0] or answer.status_code)


def test_health(live: Any) -> None:
    assert live.get("/healthz").json() == {"status": "ok"}
    report = live.report()
    assert report["status"] == "ready"
    assert report["deploymentType"] == "client-hosted"
    assert report["features"]["search"] is True
    assert report["features"]["assistant"] is False
    assert report["bundle"]["version"] == "1"
    digest = hashlib.sha256((live.root / "one.tar.gz").read_bytes()).hexdigest()
    assert report["bundle"]["sha256"] == digest
    assert report["previous"] is None


def test_before_the_first_bundle(host: Any) -> None:
    host.configure("missing.tar.gz")
    host.start()
    assert host.get("/").status_code == 503
    assert host.get("/healthz").status_code == 200
    ready = host.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (503, "not ready")
    assert "missing.tar.gz: there is no such file" in ready.json()["error"]


def test_another_bundle_replaces_it(live: Any, make_archive: Any) -> None:
    live.configure(live.put("two.tar.gz", make_archive(files("Two"), version="2")))
    live.manager.poll()
    assert title(live) == "Two"
    assert live.get("/guides/start").status_code == 404
    assert live.report()["previous"]["version"] == "1"
    folders = [path for path in (live.root / "bundles").iterdir() if path.is_dir()]
    assert len(folders) == 2


def test_only_the_live_bundle_and_the_one_before_are_kept(live: Any, make_archive: Any) -> None:
    for number in range(4):
        live.configure(live.put(f"{number}.tar.gz", make_archive(files(f"No {number}"))))
        live.manager.poll()
    folders = [path for path in (live.root / "bundles").iterdir() if path.is_dir()]
    assert len(folders) == 2
    assert title(live) == "No 3"


def test_what_fails_leaves_the_old_bundle_live_and_is_reported(
    live: Any, make_archive: Any
) -> None:
    for broken in (make_archive(files("Two"))[:-9], b"<html>", make_archive({"a.html": b""})):
        live.configure(live.put("two.tar.gz", broken))
        live.manager.poll()
        assert title(live) == "Home"
        assert live.get("/readyz").status_code == 200
        assert live.report()["error"]
        live.configure("one.tar.gz")
        live.manager.poll()
        assert live.report()["error"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("staticExport: [", "deployment.yaml:1:16: expected the node"),
        ("staticExport: {enabled: true}", "staticExport.bundleUrl: is required"),
        ("deploymentType: lan", "deploymentType: must be one of cloud"),
    ],
)
def test_a_broken_configuration_changes_nothing(live: Any, text: str, message: str) -> None:
    good = live.config.read_text()
    live.config.write_text(text)
    live.manager.poll()
    assert message in live.report()["error"]
    assert title(live) == "Home"
    live.config.write_text(good)
    live.manager.poll()
    assert live.report()["error"] is None


def test_a_restart_serves_what_was_live(live: Any) -> None:
    (live.root / "one.tar.gz").unlink()
    live.start()
    assert title(live) == "Home"
    assert "there is no such file" in live.report()["error"]
    assert live.get("/readyz").status_code == 200


def test_a_restart_with_another_pinned_version_brings_that(host: Any, make_archive: Any) -> None:
    for version in ("1.0", "2.0"):
        name = host.put(f"{version}.tar.gz", make_archive(version=version))
        host.configure(name, staticExport={"version": version})
        host.start()
        assert host.report()["bundle"]["version"] == version
    assert host.report()["error"] is None


def test_a_link_that_has_expired_does_no_harm(host: Any, store: Any, make_archive: Any) -> None:
    store.objects["/se_1/bundle.tar.gz"] = make_archive()
    host.configure(f"{store.url}/se_1/bundle.tar.gz?sig=secret")
    host.start()
    assert title(host) == "Home"
    store.status = 403
    host.start()
    assert title(host) == "Home"
    report = host.get("/readyz")
    assert "the link has expired" in report.json()["error"]
    assert "secret" not in report.text


def test_a_pinned_version_is_not_fetched_again(host: Any, store: Any, make_archive: Any) -> None:
    store.objects["/b"] = make_archive()
    host.configure(f"{store.url}/b", staticExport={"version": "1"})
    host.start()
    host.start()
    assert len(store.requests) == 1
    assert host.report()["error"] is None


def test_what_is_not_pinned_is_asked_for_again_and_not_sent_twice(
    host: Any, store: Any, make_archive: Any
) -> None:
    store.objects["/b"] = make_archive()
    host.configure(f"{store.url}/b")
    host.start()
    host.start()
    assert len(store.requests) == 2
    store.objects["/b"] = make_archive(files("Two"))
    host.manager.poll()
    assert title(host) == "Home"
    host.manager.reload()
    host.manager.poll()
    assert title(host) == "Two"


def test_a_fresh_link_to_the_same_archive_unpacks_nothing(
    host: Any, store: Any, make_archive: Any
) -> None:
    store.objects["/b"] = make_archive()
    host.configure(f"{store.url}/b?sig=1")
    host.start()
    state = host.releases.state()
    inode = host.releases.folder(state.live).stat().st_ino
    host.configure(f"{store.url}/b?sig=2")
    host.manager.poll()
    state = host.releases.state()
    assert host.releases.folder(state.live).stat().st_ino == inode
    assert state.previous is None
    assert host.report()["error"] is None


def test_what_does_not_answer_is_tried_again(host: Any, store: Any, make_archive: Any) -> None:
    store.objects["/b"], store.status = make_archive(), 500
    host.configure(f"{store.url}/b")
    host.start(retry_seconds=0.0)
    assert "answered 500" in host.report()["error"]
    store.status = 200
    host.manager.poll()
    assert title(host) == "Home"
    assert host.report()["error"] is None


def test_a_private_ip_address_is_refused_unless_it_is_allowed(
    host: Any, store: Any, make_archive: Any
) -> None:
    store.objects["/b"] = make_archive()
    host.configure(f"{store.url}/b", staticExport={"allowedNetworks": []})
    host.start()
    assert host.report()["error"].startswith("staticExport.bundleUrl: 127.0.0.1 is not a public")
    assert store.requests == []


@pytest.mark.parametrize(
    "case",
    [
        ({"version": "2"}, "staticExport.version: '2' is pinned, the bundle has version '1'"),
        ({"sha256": "0" * 64}, "staticExport.sha256: the archive at"),
        ({"maxArchiveBytes": 100}, "staticExport.maxArchiveBytes: the archive has more than 100"),
        ({"maxUnpackedBytes": 1000}, "unpacks to more than 1000 bytes"),
        ({"maxFiles": 3}, "more than 3 members"),
    ],
)
@pytest.mark.parametrize("remote", [True, False])
def test_what_is_not_as_configured_is_refused(
    host: Any, store: Any, make_archive: Any, case: tuple[Any, str], remote: bool
) -> None:
    limits, message = case
    store.objects["/b"] = make_archive()
    url = f"{store.url}/b" if remote else host.put("b.tar.gz", make_archive())
    host.configure(url, staticExport=limits)
    host.start()
    assert message in host.report()["error"]
    assert host.get("/").status_code == 503


def test_the_right_checksum(host: Any, make_archive: Any) -> None:
    data = make_archive()
    digest = hashlib.sha256(data).hexdigest().upper()
    host.configure(host.put("b.tar.gz", data), staticExport={"sha256": digest})
    host.start()
    assert title(host) == "Home"


def test_a_url_of_a_file(host: Any, make_archive: Any) -> None:
    path = host.root / "a b.tar.gz"
    path.write_bytes(make_archive())
    host.configure(f"file://{host.root}/a%20b.tar.gz")
    host.start()
    assert title(host) == "Home"
    host.configure("file://elsewhere/a.tar.gz")
    host.manager.poll()
    assert "has no host" in host.report()["error"]


def test_features_that_are_off_here_must_be_off_in_the_bundle(host: Any, make_archive: Any) -> None:
    host.configure(host.put("b.tar.gz", make_archive()), deploymentType="air-gapped")
    host.start()
    assert host.report()["error"].startswith("features.search: disabled here (deploymentType")


def test_bundles_and_configurations_with_the_former_search_are_served(
    host: Any, make_archive: Any
) -> None:
    kept = {"search": False, "playground": True, "browserSearch": True}
    host.configure(
        host.put("c.tar.gz", make_archive(features=kept, deploymentType="air-gapped")),
        deploymentType="air-gapped",
        features={"playground": True, "browserSearch": True},
    )
    host.start()
    assert title(host) == "Home"
    assert host.report()["features"] == {
        "search": False, "assistant": False, "analytics": False, "playground": True,
    }  # fmt: skip


def test_going_back(live: Any, make_archive: Any) -> None:
    live.configure(live.put("two.tar.gz", make_archive(files("Two"), version="2")))
    live.manager.poll()
    live.releases.rollback(live.manager.source)
    live.manager.poll()
    assert title(live) == "Home"
    assert live.report()["previous"]["version"] == "2"
    live.start()  # and it stays there
    assert title(live) == "Home"
    live.configure(live.put("three.tar.gz", make_archive(files("Three"))))
    live.manager.poll()
    assert title(live) == "Three"


def test_there_is_nothing_to_go_back_to(live: Any) -> None:
    with pytest.raises(Conflict, match="no previous bundle"):
        live.releases.rollback(None)


def test_what_a_process_left_that_died_is_removed(live: Any) -> None:
    left = live.root / "bundles" / ".new-left"
    (left / "files").mkdir(parents=True)
    (left / "files" / "a").write_text("half")
    live.start()
    assert not left.exists()
    assert title(live) == "Home"


def test_a_damaged_state_is_as_none(live: Any) -> None:
    (live.root / "bundles" / "state.json").write_text("{")
    live.start()
    assert title(live) == "Home"
