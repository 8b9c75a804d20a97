"""Changed pages before and after, and what checking says."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from docstead.agent.reviews.change_marks import FIRST
from docstead.agent.reviews.comments import CommentAnchor
from docstead.base.errors import Conflict, InvalidRequest, NotFound
from review_repository import BASE, BRANCH, CHANGE, ReviewRepository


@pytest.fixture(scope="module")
def revisions(shown: Any) -> Any:
    return shown.revisions(shown.opened())


def test_changed_pages_are_named(shown: Any, revisions: Any) -> None:
    preview = shown.service.preview(revisions)
    assert [(p.slug, p.before, p.after, p.is_own) for p in preview.pages] == [
        ("guides/keys", True, True, True),
        ("guides/rotate", False, True, True),
    ]
    assert (preview.new, preview.passed, preview.left_out) == ((), True, 0)
    assert shown.service.known_preview(revisions) == preview


def test_pages_that_only_might_have_changed_are_left_out(harness: Any, repository: Any) -> None:
    repository.commit({"guides/bare.mdx": "[Could be a path of the root](labels)\n"})
    repository.git("checkout", "-q", "-b", "more")
    described = BASE["guides/labels.mdx"].replace("---\n\n", "description: New.\n---\n\n", 1)
    files = {"guides/extra.mdx": "More.\n", "guides/labels.mdx": described}
    repository.commit(files, branch="more")
    preview = harness.service.preview(harness.revisions(harness.opened("more")))
    assert [page.slug for page in preview.pages] == ["guides/extra", "guides/labels"]


def test_a_page_that_moved_stands_beside_itself(harness: Any, repository: Any) -> None:
    settings = CHANGE["docs.json"].replace("guides/labels", "guides/stickers")
    text = BASE["guides/labels.mdx"] + "\nAnd stick.\n"
    moved = {"guides/labels.mdx": None, "guides/stickers.mdx": text, "docs.json": settings}
    repository.commit(moved, branch=BRANCH)
    revisions = harness.revisions(harness.opened())
    pages = {page.slug: page for page in harness.service.preview(revisions).pages}
    page = pages["guides/stickers"]
    assert (page.was, page.before, page.after) == ("guides/labels", True, True)
    assert "guides/labels" not in pages
    assert "And stick" not in harness.service.document(revisions, "before", "guides/stickers")
    after = harness.service.document(revisions, "after", "guides/stickers")
    assert "And stick" in after
    assert 'data-docstead-mark="added"' in after


def test_a_document_needs_nothing_else(shown: Any, revisions: Any) -> None:
    before = shown.service.document(revisions, "before", "guides/keys")
    after = shown.service.document(revisions, "after", "guides/keys")
    assert "Keep them secret" in after
    assert "Keep them secret" not in before
    assert 'src="data:image/png;base64,' in after
    assert 'url("data:font/woff2;base64,' in after
    assert "docstead:" not in after
    assert "<style>" in after
    for forbidden in (
        "<script",
        "<link",
        ' href="/',
        'src="/',
        "srcset",
        "http-equiv",
        "page-context-menu",
    ):
        assert forbidden not in after, forbidden


def test_blocks_that_differ_are_marked(shown: Any, revisions: Any) -> None:
    for version, kind, count in (("before", "removed", 3), ("after", "added", 3)):
        tree = html.document_fromstring(shown.service.document(revisions, version, "guides/keys"))
        marks = tree.findall(".//*[@data-docstead-mark]")
        assert [mark.get("data-docstead-mark") for mark in marks] == [kind] * count
        assert all(mark.tag in ("p", "div") for mark in marks)
        assert len(tree.findall(f".//*[@id='{FIRST}']")) == 1
    new = html.document_fromstring(shown.service.document(revisions, "after", "guides/rotate"))
    assert new.findall(".//*[@data-docstead-mark]") == []


def test_there_is_nothing_of_a_page_that_was_not_there(shown: Any, revisions: Any) -> None:
    assert "every month" in shown.service.document(revisions, "after", "guides/rotate")
    for version, slug in (("before", "guides/rotate"), ("after", "index"), ("after", "../report")):
        with pytest.raises(NotFound):
            shown.service.document(revisions, version, slug)


def test_new_diagnostics_are_reported_and_old_ones_are_not(harness: Any, repository: Any) -> None:
    repository.commit({"index.mdx": "---\ntitle: W\n---\n\n[old](/nowhere)\n"})
    repository.git("checkout", "-q", BRANCH)
    repository.git("merge", "-q", "main")
    text = "---\ntitle: Rotate keys\n---\n\n[broken](/guides/nothing)\n\n<Unknown />\n"
    repository.commit({"guides/rotate.mdx": text}, branch=BRANCH)
    preview = harness.service.preview(harness.revisions(harness.opened()))
    assert {diagnostic.file for diagnostic in preview.new} == {"guides/rotate.mdx"}
    assert not preview.passed


def test_a_configuration_that_cannot_be_read_is_a_diagnostic(harness: Any, repository: Any) -> None:
    repository.commit({"docs.json": "{"}, branch=BRANCH)
    preview = harness.service.preview(harness.revisions(harness.opened()))
    assert not preview.passed
    assert preview.new[0].file == "docs.json"
    assert (preview.pages, preview.fixed) == ((), 0)


def test_hostile_pages_are_harmless_text(harness: Any, repository: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"SECRET")
    text = (
        "---\ntitle: '<script>alert(1)</script>'\n---\n\n"
        '<a href="javascript:alert(1)">a</a> <img src="https://evil.test/x.png" />\n\n'
        '<img src="/../../secret.png" /> <img src="/%2e%2e/%2e%2e/secret.png" />\n\n'
        '<iframe src="https://evil.test"></iframe> <object data="https://evil.test/o"></object>\n'
    )
    style = "body{color:red}</style><script>alert(1)</script>"
    repository.commit({"guides/rotate.mdx": text, "own.css": style}, branch=BRANCH)
    document = harness.service.document(
        harness.revisions(harness.opened()), "after", "guides/rotate"
    )
    tree = html.document_fromstring(document)
    for tag in ("script", "iframe", "object", "embed", "link", "base"):
        assert tree.findall(f".//{tag}") == []
    assert [name for element in tree.iter() for name in element.attrib if name[:2] == "on"] == []
    assert "javascript:" not in document
    assert "evil.test/x.png" not in document
    assert "U0VDUkVU" not in document


def test_documentation_in_a_folder_of_a_repository(
    sqlite_backend: Any, clock: Any, tmp_path: Path, harness: Any
) -> None:
    inner = ReviewRepository.made(tmp_path / "product.git", top="docs/")
    harness = type(harness)(
        inner, sqlite_backend.database, clock, tmp_path / "d", inner.url, root="docs"
    )
    revisions = harness.revisions(harness.opened())
    assert revisions.files()[0].path == "docs/docs.json"
    assert [(p.slug, p.is_own) for p in harness.service.preview(revisions).pages] == [
        ("guides/keys", True),
        ("guides/rotate", True),
    ]


def test_a_comment_becomes_a_follow_up(harness: Any) -> None:
    review = harness.opened()
    harness.service.comment(review, "Ada", " Shorter, please. ")
    harness.clock.move_to(harness.clock.now() + timedelta(minutes=1))
    harness.service.comment(review, "Ada", "Wrong word.", CommentAnchor("guides/keys.mdx", 7))
    assert harness.followed_up == [
        (BRANCH, "Shorter, please."),
        (BRANCH, "Wrong word.\n\nThis comment is about guides/keys.mdx:7."),
    ]
    first, second = harness.service.comments(review)
    assert (first.author, first.text, first.about) == ("Ada", "Shorter, please.", None)
    assert second.about == CommentAnchor("guides/keys.mdx", 7)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 10_001])
def test_comments_that_say_nothing_or_too_much(harness: Any, text: str) -> None:
    with pytest.raises(InvalidRequest, match="text"):
        harness.service.comment(harness.opened(), "Ada", text)
    assert harness.followed_up == []


def test_nobody_comments_on_what_has_ended(harness: Any) -> None:
    review = harness.service.close(harness.opened(), "Ada")
    with pytest.raises(Conflict):
        harness.service.comment(review, "Ada", "Too late?")


def test_only_fonts_that_a_page_has_letters_for_are_inside(harness: Any, repository: Any) -> None:
    text = "---\ntitle: Rotate keys\n---\n\nМеняйте ключ.\n"
    repository.commit({"guides/rotate.mdx": text}, branch=BRANCH)
    revisions = harness.revisions(harness.opened())
    fonts = {
        slug: harness.service.document(revisions, "after", slug).count("data:font/woff2")
        for slug in ("guides/keys", "guides/rotate")
    }
    assert fonts["guides/rotate"] > fonts["guides/keys"] >= 2


def test_pictures_of_screens_are_inside(harness: Any, repository: Any) -> None:
    picture = repository.work / "images" / "screen.png"
    repository.git("checkout", "-q", BRANCH)
    picture.write_bytes(picture.read_bytes() + bytes(717_000))
    repository.commit({}, branch=BRANCH)
    revisions = harness.revisions(harness.opened())
    assert len(harness.service.document(revisions, "after", "guides/keys")) > 717_000 * 4 / 3


def test_pages_are_listed_and_read_while_others_are_rendered(harness: Any) -> None:
    revisions = harness.revisions(harness.opened())
    progress = harness.service.preview_progress(revisions)
    slugs = [page.slug for page in progress.shown.pages]
    assert slugs == ["guides/keys", "guides/rotate"]
    assert "Keep them secret" in harness.service.document(revisions, "after", "guides/keys")
    done = harness.service.preview(revisions)
    assert harness.service.preview_progress(revisions).done == done
    folder = harness.folder / "previews"
    assert [path.name for path in folder.iterdir() if path.name.startswith("new-")] == []
