"""Names of languages for request samples, as in `api.examples.languages`."""

from __future__ import annotations

SAMPLE_LANGUAGES = (
    "bash", "python", "javascript", "node", "typescript", "php", "go", "java", "ruby",
    "powershell", "swift", "csharp", "dotnet", "c", "c++", "kotlin", "rust", "dart",
)  # fmt: skip
SAMPLE_ALIASES = {
    **dict.fromkeys(("curl", "sh", "shell"), "bash"),
    **dict.fromkeys(("nodejs", "node.js"), "node"),
    **dict.fromkeys((".net", "dot-net"), "dotnet"),
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "golang": "go",
    "rb": "ruby",
    "c#": "csharp",
    "cpp": "c++",
    "kt": "kotlin",
    "rs": "rust",
    "flutter": "dart",
}
