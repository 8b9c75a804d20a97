"""Options of a PDF."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Paper(StrEnum):
    """Paper size; the values are those of CSS."""

    A4 = "a4"
    LETTER = "letter"


@dataclass(frozen=True, slots=True)
class PdfOptions:
    """Options of one PDF.

    `subtitle` names the section, "" for a whole site. `edition` is the version or date on the title
    page. Links to pages that are not in the PDF use `base_url`, if known.
    """

    paper: Paper = Paper.A4
    subtitle: str = ""
    edition: str = ""
    base_url: str = ""
