from __future__ import annotations

from pathlib import Path

from docstead.content.assistant_notes import AssistantNotes
from docstead.repository.assistant_notes_reader import read_assistant_notes, read_site_skills
from docstead.repository.positions import Diagnostics


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root.resolve()


def test_a_repository_without_notes_has_none(tmp_path: Path) -> None:
    assert read_assistant_notes(tmp_path.resolve(), Diagnostics()) == AssistantNotes()


def test_instructions_questions_and_skills_are_read(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            ".docs/Assistant.md": "---\nquestions: [A?, B?, C?, D?]\n---\nBe kind.\n",
            ".docs/assistant/skills/billing/skill.md": (
                "---\nname: Billing\ndescription: Invoices and plans.\n---\nPlans are monthly.\n"
            ),
        },
    )
    notes = read_assistant_notes(root, Diagnostics())
    assert (notes.instructions, notes.questions) == ("Be kind.", ("A?", "B?", "C?"))
    (skill,) = notes.skills
    assert (skill.slug, skill.name, skill.text) == ("billing", "Billing", "Plans are monthly.")


def test_a_skill_that_does_not_introduce_itself_is_left_out(tmp_path: Path) -> None:
    root = write(tmp_path, {".docs/assistant/skills/x/skill.md": "---\nname: X\n---\nText.\n"})
    diagnostics = Diagnostics()
    assert read_assistant_notes(root, diagnostics).skills == ()
    assert [diagnostic.code for diagnostic in diagnostics.sorted()] == ["skill-incomplete"]


def test_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside", {"secret.md": "---\nname: S\ndescription: S\n---\nkey"})
    root = write(tmp_path / "docs", {".docs/assistant/skills/a/note.txt": ""})
    (root / ".docs/Assistant.md").symlink_to(secret / "secret.md")
    (root / ".docs/assistant/skills/a/skill.md").symlink_to(secret / "secret.md")
    (root / ".docs/assistant/skills/b").symlink_to(secret)
    assert read_assistant_notes(root, Diagnostics()) == AssistantNotes()


def test_skills_for_everybody_are_whole_files(tmp_path: Path) -> None:
    head = "---\nname: {}\ndescription: How.\nlicense: MIT\n---\nText.\n"
    files = {"skill.md": head.format("acme"), ".docs/skills/deploy/SKILL.md": head.format("deploy")}
    found = read_site_skills(write(tmp_path, files), Diagnostics())
    assert [(each.slug, each.text) for each in found] == [
        ("acme", files["skill.md"]),
        ("deploy", files[".docs/skills/deploy/SKILL.md"]),
    ]
