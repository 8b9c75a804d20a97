"""Files attached to an instruction: images and PDFs for the model, and text files.

Text becomes part of the instruction's message. File types are detected from the content.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from io import BytesIO

from docstead.agent.prompt import untrusted
from docstead.base.errors import InvalidRequest, PayloadTooLarge
from docstead.base.units import MIB
from docstead.models.chat import InputFile
from docstead.models.inputs import PDF, InputKind, kind_of

MOST_FILES = 10
MOST_BYTES = 5 * MIB  # per file
MOST_BYTES_TOGETHER = 8 * MIB
MOST_CHARACTERS = 100_000  # of all text files
TEXT = "text/plain"
_FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
_MOST_PIXELS = 8_000  # pixels per side; providers reject larger images
_LONGEST_NAME = 200
_PDF_MARK = b"%PDF-"


def new_file(name: str, data: bytes, field: str = "attachments") -> InputFile:
    """Return a file with the media type of its content.

    Raises:
        InvalidRequest: it is empty, damaged, or not an image, PDF or text.
        PayloadTooLarge: it is larger than 5 MiB.
    """
    name = "".join(filter(str.isprintable, name)).strip()[:_LONGEST_NAME] or "attachment"
    if not data:
        raise InvalidRequest(f"{field}: {name!r} is empty")
    if len(data) > MOST_BYTES:
        raise PayloadTooLarge(f"{field}: {name!r} is larger than {MOST_BYTES // MIB} MiB")
    return InputFile(name, _media_type(name, data, field), data)


def check_files(files: Sequence[InputFile], kinds: Collection[InputKind]) -> None:
    """Validate number and types of files.

    Raises:
        InvalidRequest: there are more than ten files, or a type that the model does not accept.
        PayloadTooLarge: they are too large in total.
    """
    if len(files) > MOST_FILES:
        raise InvalidRequest(f"attachments: must be at most {MOST_FILES} files, not {len(files)}")
    for file in files:
        if file.media_type != TEXT and kind_of(file.media_type) not in kinds:
            raise InvalidRequest(
                f"attachments: {file.name!r} is of the type {file.media_type}, which the model of "
                "agent jobs does not take (`inputs` of the model in the settings)"
            )
    if sum(len(file.data) for file in files) > MOST_BYTES_TOGETHER:
        raise PayloadTooLarge(f"attachments: larger than {MOST_BYTES_TOGETHER // MIB} MiB in total")
    if sum(len(text_of(file)) for file in files if file.media_type == TEXT) > MOST_CHARACTERS:
        raise PayloadTooLarge(
            f"attachments: the text files are longer than {MOST_CHARACTERS} characters in total"
        )


def with_attachments(text: str, files: Sequence[InputFile], mark: str) -> str:
    """Return an instruction with the names of its files and the contents of text files."""
    names = ", ".join(f"{file.name} ({file.media_type})" for file in files)
    texts = [
        untrusted(mark, f"attachment {file.name}", text_of(file))
        for file in files
        if file.media_type == TEXT
    ]
    return "\n\n".join([text, f"Attached files: {names}", *texts])


def shown_files(files: Sequence[InputFile]) -> tuple[InputFile, ...]:
    """Return the files that are sent to the model as files, which text files are not."""
    return tuple(file for file in files if file.media_type != TEXT)


def text_of(file: InputFile) -> str:
    return file.data.decode("utf-8", "replace").removeprefix("\ufeff")


def _media_type(name: str, data: bytes, field: str) -> str:
    if data.startswith(_PDF_MARK):
        return PDF
    if picture := _picture_type(name, data, field):
        return picture
    if b"\0" not in data and _is_utf8(data):
        return TEXT
    raise InvalidRequest(
        f"{field}: {name!r} is neither a picture (PNG, JPEG, GIF, WebP), a PDF nor UTF-8 text"
    )


def _picture_type(name: str, data: bytes, field: str) -> str | None:
    """Return the media type of an image, or None for other content.

    Raises:
        InvalidRequest: the image is damaged or too large.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(BytesIO(data), formats=tuple(_FORMATS)) as picture,
        ):
            size, picture_format = picture.size, picture.format or ""
    except UnidentifiedImageError:
        return None
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError) as error:
        raise InvalidRequest(f"{field}: the picture {name!r} cannot be read") from error
    if max(size) > _MOST_PIXELS:
        raise InvalidRequest(
            f"{field}: the picture {name!r} is {size[0]} by {size[1]} pixels; at most "
            f"{_MOST_PIXELS} on each side"
        )
    return _FORMATS[picture_format]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
