"""Page chrome, from one edition to the next."""

from __future__ import annotations

from docstead.publishing.frames import ShellInputs
from docstead.theme.external_services import NOTHING
from docstead.theme.mode import ShellMode


def test_an_edition_with_only_changed_pages_keeps_the_frame(world, acme):
    def frame(**choices):
        world.publish_site(acme, **choices)
        return ShellInputs.of(
            world.editions.current(acme), ShellMode.hosted("", "https://x.y"), NOTHING
        )

    first = frame(title="First")
    assert frame(title="Second") == first
    assert frame(pages=("index", "new")) != first
    assert frame(files={"a.css": (b"a {}", "text/css")}) != first
    assert frame(description="Other") != first


def test_readers_see_the_next_edition_inside_and_around(world, acme):
    host = f"https://{acme.hostname}"
    for title in ("First", "Second"):
        world.publish_site(acme, title=title)
        assert f"{title} index" in world.get(f"{host}/").text
    world.publish_site(acme, pages=("index", "entirely-new"))
    assert "Entirely-New" in world.get(f"{host}/").text
