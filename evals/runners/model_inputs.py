"""Comparison of the built-in table of models with the catalog of LiteLLM.

    pip install --no-deps --target /tmp/catalog litellm
    python evals/runners/model_inputs.py /tmp/catalog/litellm/model_prices*_backup.json

For each chat model of five providers that the table knows, the kinds of files must be the same.
PDFs of Gemini are left out: no page says that its OpenAI-compatible API takes them. Models that
the table does not know are listed; they take no files unless a setting says so.

`--seed-defect` tries this evaluation: with a table in which no model takes images.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docstead.models.known_models import known_model
from seeded_defects import finish

_PROVIDERS = ("openai", "anthropic", "gemini", "mistral", "deepseek")
_FLAGS = {"image": "supports_vision", "pdf": "supports_pdf_input"}
_UNKNOWN = "no model of this name"
# The page of the first has images only; the second is a model of another provider at Mistral.
_EXCEPTIONS = ("gpt-4-turbo", "deepseek-v4-1-flash-1017")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("catalog", type=Path)
    parser.add_argument("--seed-defect", action="store_true", help="try this evaluation")
    options = parser.parse_args()
    catalog = json.loads(options.catalog.read_text())
    lost = {"image"} if options.seed_defect else set()
    wrong, unknown, count = [], [], 0
    for name, entry in _models(catalog):
        count += 1
        protocol = "anthropic" if entry["litellm_provider"] == "anthropic" else "openai"
        ours = known_model(protocol, name)
        inputs = ours.inputs - lost
        theirs = {kind for kind, flag in _FLAGS.items() if entry.get(flag)}
        if entry["litellm_provider"] == "gemini":
            theirs.discard("pdf")
        if ours is known_model(protocol, _UNKNOWN):
            unknown.append(name)
        elif theirs != inputs and not name.startswith(_EXCEPTIONS):
            wrong.append(f"{name}: {sorted(inputs)} in the table, {sorted(theirs)} there")
    print("\n".join(wrong))
    print(f"models {count}, unknown to the table {len(unknown)}: {', '.join(unknown)}")
    print(f"kinds of files that differ: {len(wrong)}")
    finish(not wrong, "no images" if options.seed_defect else None)


def _models(catalog: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, entry in sorted(catalog.items()):
        is_chat = entry.get("mode") == "chat" and not name.startswith("ft:")
        if is_chat and entry.get("litellm_provider") in _PROVIDERS:
            yield name.rpartition("/")[2], entry


if __name__ == "__main__":
    main()
