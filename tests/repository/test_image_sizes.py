from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from docstead.repository.image_sizes import image_sizes
from docstead.repository.parse_cache import ParseCache, no_parse_cache


def encoded(kind: str, size: tuple[int, int] = (31, 17), **options: object) -> bytes:
    data = io.BytesIO()
    Image.new("RGBA" if kind != "JPEG" else "RGB", size, "#ff000080").save(data, kind, **options)
    return data.getvalue()


def turned(orientation: int, kind: str = "JPEG") -> bytes:
    exif = Image.Exif()
    exif[0x010F] = "A camera"
    exif[0x0112] = orientation
    return encoded(kind, exif=exif)


def svg(attributes: str) -> bytes:
    return f'<?xml version="1.0"?><!-- x --><svg {attributes}><path d=""/></svg>'.encode()


def size_of(root: Path, name: str, data: bytes) -> tuple[int, int] | None:
    (root / name).write_bytes(data)
    return image_sizes(root, [name], no_parse_cache()).get(name)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.png", encoded("PNG"), (31, 17)),
        ("a.gif", encoded("GIF"), (31, 17)),
        ("a.jpg", encoded("JPEG"), (31, 17)),
        ("A.JPEG", encoded("JPEG", progressive=True), (31, 17)),
        ("turned.jpg", turned(6), (17, 31)),
        ("upright.jpg", turned(3), (31, 17)),
        ("lossy.webp", encoded("WEBP"), (31, 17)),
        ("lossless.webp", encoded("WEBP", lossless=True), (31, 17)),
        ("a.avif", encoded("AVIF"), (31, 17)),
        ("turned.avif", turned(6, "AVIF"), (17, 31)),
        ("upright.avif", turned(3, "AVIF"), (31, 17)),
        ("short.avif", encoded("AVIF")[:60], None),
        ("a.svg", svg('width="40" height="20px" viewBox="0 0 4 2"'), (40, 20)),
        ("b.svg", svg('viewBox="0 0 4 2"'), None),
        ("c.svg", svg('width="100%" height="20"'), None),
        ("d.svg", svg('stroke-width="3" height="20"'), None),
        ("no.png", b"", None),
        ("short.png", encoded("PNG")[:18], None),
        ("short.jpg", encoded("JPEG")[:30], None),
        ("other.png", encoded("GIF"), (31, 17)),
        ("odd.jpg", b"\xff\xd8" + b"\xff\xe1\x00\x08Exif\0\0II", None),
        ("a.txt", encoded("PNG"), None),
    ],
)
def test_a_size_is_read_from_the_head(
    tmp_path: Path, name: str, data: bytes, expected: tuple[int, int] | None
) -> None:
    assert size_of(tmp_path, name, data) == expected


def test_a_lossy_picture_without_alpha(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("RGB", (33, 44)).save(data, "WEBP")
    assert size_of(tmp_path, "a.webp", data.getvalue()) == (33, 44)


def test_what_was_read_is_remembered_until_the_file_changes(tmp_path: Path) -> None:
    parse_cache = ParseCache(10_000)
    (tmp_path / "a.png").write_bytes(encoded("PNG"))
    assert image_sizes(tmp_path, ["a.png"], parse_cache) == {"a.png": (31, 17)}
    (tmp_path / "a.png").write_bytes(encoded("PNG", (5, 600)))
    assert image_sizes(tmp_path, ["a.png"], parse_cache) == {"a.png": (5, 600)}
    assert image_sizes(tmp_path, ["a.png", "gone.png"], parse_cache) == {"a.png": (5, 600)}
