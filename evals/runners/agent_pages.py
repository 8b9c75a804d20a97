"""Tasks that create pages."""

from __future__ import annotations

from agent_choices import folder_of, some_operation, some_pages
from agent_repository import ExpectedRepository, PlainTexts, fields_of, title_line
from agent_task import EvalTask, Script, added_entry, finish, page, replace
from chat_server import Call


def new_page(plain: PlainTexts) -> EvalTask | None:
    beside = some_pages(plain)[0]
    slug = f"{folder_of(beside)}rate-limits-explained"
    text = page("Rate limits explained", f"Read [this](/{beside}) first.\n\n## Limits\n\nTen.")
    expected = ExpectedRepository(plain, {f"{slug}.mdx": text})
    expected.insert_entry(slug, beside)

    def script() -> Script:
        yield [Call("navigation", {"action": "read"}), Call("read_file", {"path": f"{beside}.mdx"})]
        yield [Call("write_file", {"path": f"{slug}.mdx", "text": text})]
        yield [added_entry(slug, beside)]
        yield [Call("check")]
        yield finish("Explain rate limits")

    prompt = f"Add a page about rate limits after {beside}"
    return EvalTask("new page", expected).turn(prompt, script)


def translation(plain: PlainTexts) -> EvalTask | None:
    slug = some_pages(plain)[1]
    new = f"translated/de/{slug}"
    text = _translated(plain.texts[f"{slug}.mdx"])
    expected = ExpectedRepository(plain, {f"{new}.mdx": text})
    expected.insert_entry(new, slug)

    def script() -> Script:
        yield [Call("read_file", {"path": f"{slug}.mdx"})]
        yield [Call("write_file", {"path": f"{new}.mdx", "text": text}), added_entry(new, slug)]
        yield [Call("read_file", {"path": f"{new}.mdx", "rendered": True}), Call("check")]
        yield finish("Translate a page")

    return EvalTask("translation", expected).turn(f"Translate {slug} to German", script)


def changelog(plain: PlainTexts) -> EvalTask | None:
    slug = next((s for s in plain.pages if s.endswith(("changelog", "updates"))), None)
    slug = slug or some_pages(plain)[3]
    path, text = f"{slug}.mdx", plain.texts[f"{slug}.mdx"]
    head = f"---\n{fields_of(text)}\n---\n"
    entry = '<Update label="Version 9.9">\n\n- Pages load faster.\n\n</Update>\n'
    expected = ExpectedRepository(plain, {path: text.replace(head, f"{head}\n{entry}", 1)})

    def script() -> Script:
        yield [Call("read_file", {"path": path, "lines": 40})]
        yield [replace(path, head, f"{head}\n{entry}")]
        yield [Call("read_file", {"path": path, "rendered": True}), Call("check")]
        yield finish("Announce version 9.9")

    return EvalTask("changelog", expected).turn("Write the changelog of version 9.9", script)


def api_example(plain: PlainTexts) -> EvalTask | None:
    beside = some_pages(plain)[4]
    slug = f"{folder_of(beside)}request-by-hand"
    operation = some_operation(plain)
    method, path = operation or ("GET", "/v1/things")
    call = f"curl -X {method} https://api.example.com{path}"
    text = page("A request by hand", f"## With curl\n\n```bash\n{call}\n```")
    expected = ExpectedRepository(plain, {f"{slug}.mdx": text})
    expected.insert_entry(slug, beside)

    def script() -> Script:
        name = {"operation": f"{method} {path}"} if operation else {}
        yield [Call("reference", {"topic": "operations", **name})]
        yield [Call("write_file", {"path": f"{slug}.mdx", "text": text})]
        yield [added_entry(slug, beside), Call("check")]
        yield finish("Show a request")

    return EvalTask("API example", expected).turn(f"Add an example of {method} {path}", script)


def half_reverted(plain: PlainTexts) -> EvalTask | None:
    kept, reverted = some_pages(plain)[5:7]
    expected = ExpectedRepository(plain)
    line = "This holds for all plans.\n"
    expected.texts[f"{kept}.mdx"] = f"{plain.texts[f'{kept}.mdx'].rstrip()}\n\n{line}"

    def first() -> Script:
        yield [Call("read_file", {"path": f"{each}.mdx"}) for each in (kept, reverted)]
        for each in (kept, reverted):
            text = f"{plain.texts[f'{each}.mdx'].rstrip()}\n\n{line}"
            yield [Call("write_file", {"path": f"{each}.mdx", "text": text})]
        yield finish("Say which plans have it")

    def second() -> Script:
        yield [Call("search_text", {"pattern": line.strip(), "literal": True})]
        text = plain.texts[f"{reverted}.mdx"]
        yield [Call("write_file", {"path": f"{reverted}.mdx", "text": text}), Call("check")]
        yield finish("Leave one page as it was")

    task = EvalTask("half reverted", expected).turn(f"Add a line to {kept} and {reverted}", first)
    return task.turn(f"Not on {reverted}, please: take that back", second)


def extended(plain: PlainTexts) -> EvalTask | None:
    """Return a task of three turns: a page, its new name, and a group for it."""
    beside = some_pages(plain)[0]
    folder = folder_of(beside)
    first_slug, slug = f"{folder}single-sign-on", f"{folder}sign-in-once"
    text = page("Single sign-on", "## Set it up\n\nAsk us.")
    expected = ExpectedRepository(plain, {f"{slug}.mdx": f"{text}\nThat is all.\n"})
    expected.insert_entry(slug, beside)
    expected.add_redirect(f"/{first_slug}", f"/{slug}")

    def first() -> Script:
        yield [Call("write_file", {"path": f"{first_slug}.mdx", "text": text})]
        yield [added_entry(first_slug, beside)]
        yield finish("Describe single sign-on")

    def second() -> Script:
        moved = {"source": f"{first_slug}.mdx", "target": f"{slug}.mdx"}
        yield [Call("move_file", moved), Call("check")]
        yield finish("Call it by a simpler name")

    def third() -> Script:
        yield [Call("read_file", {"path": f"{slug}.mdx"})]
        yield [replace(f"{slug}.mdx", "Ask us.\n", "Ask us.\n\nThat is all.\n")]
        yield finish("End with a sentence")

    task = EvalTask("extended", expected).turn("Describe single sign-on", first)
    return task.turn(f"Name it {slug}", second).turn("Say when it is over", third)


def _translated(text: str) -> str:
    """Return a mock translation: title and first paragraph are replaced."""
    return text.replace(title_line(text), 'title: "Auf Deutsch"', 1)
