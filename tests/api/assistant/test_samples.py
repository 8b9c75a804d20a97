"""The samples of the guide for chat clients: files that compile with each release of the client."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

_CLIENT = Path(__file__).parent / "client"
_GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "assistant.mdx"
_V1, _V2 = (_CLIENT / "samples" / name for name in ("chat-v1.tsx", "chat-v2.tsx"))
_OPTIONS = {
    "strict": True,
    "noEmit": True,
    "jsx": "react-jsx",
    "module": "esnext",
    "moduleResolution": "bundler",
    "target": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
    "skipLibCheck": True,
}


def _release(name: str) -> dict[str, str]:
    return {"@ai-sdk/react": name, "ai": f"{name}/node_modules/ai"}


def test_the_guide_shows_the_samples() -> None:
    shown = re.findall(r"```tsx chat.tsx\n(.*?)```", _GUIDE.read_text(), re.DOTALL)
    assert shown == [_V2.read_text(), _V1.read_text()]


@pytest.mark.parametrize(
    ("sample", "packages"),
    [
        (_V1, {"@ai-sdk/react": "@ai-sdk/react", "ai": "ai"}),
        pytest.param(_V2, _release("chat-5"), marks=pytest.mark.deep),
        pytest.param(_V2, _release("chat-6"), marks=pytest.mark.deep),
        (_V2, _release("chat-7")),
    ],
    ids=["4", "5", "6", "7"],
)
def test_a_sample_compiles(sample: Path, packages: dict[str, str], tmp_path: Path) -> None:
    modules = _CLIENT / "node_modules"
    paths = {name: [str(modules / package)] for name, package in packages.items()}
    paths |= {name: [str(modules / "@types" / name)] for name in ("react", "react/*")}
    paths["react/jsx-runtime"] = [str(modules / "@types" / "react" / "jsx-runtime")]
    config = tmp_path / "tsconfig.json"
    config.write_text(
        json.dumps({"compilerOptions": {**_OPTIONS, "paths": paths}, "files": [str(sample)]})
    )
    ended = subprocess.run(
        [modules / ".bin" / "tsc", "--project", config], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout
