"""Every command and `curl` line of `docs/` and README, run against a demo in an empty home.

    python tests/deep/docs_commands.py [--only PART...] [--defect OLD=NEW]

Each line is run as a page prints it, in a copy of the tree whose home directory is empty, and
must end with status 0, its HTTP answer with 200, or what the page's note expects
(`tests/support/documented_commands.py`). Ports, keys and ids of the demo replace those
that are printed. What a page marks with `needs` is checked by the nearest thing that this machine
has: `helm template`, a dry run, a repository on the disk. A command that a
sentence mentions without its arguments must exist, with the options that it names. Files of
settings, bundles and proxies are read by the program that they are for. `--defect` replaces
something in the pages first, so that one sees a wrong line noticed. About five minutes.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import typer
from PIL import Image
from typer.main import get_command

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from chat_server import Call, Reply, Rule, chat_server
from docstead.cli.commands import program
from documented_commands import Example, blocks, commands, pages
from empty_home import ROOT, CommandResult, EmptyHome
from free_ports import free_port

SERVERS = ("serve", "demo", "dev", "host")
DIGEST = "0" * 64

_UsageError = typer.BadParameter.__bases__[0]  # has no public name

# Placeholders of readers' values.
PLACEHOLDERS = (
    (r"\bSOURCE\b", "docs"),
    (r"DIR\|FILE\.tar\.gz\|FILE\.zip", "printed.zip"),
    (r"--domain NAME\b", "--domain docstead"),
    (r"\b(rollback|remove) DOMAIN\b", r"\1 --help"),  # the other lines need the demo
    (r"\brename DOMAIN NEW\b", "rename --help"),
    (r"\bauto-export DOMAIN\b", "auto-export docstead"),
    (r"\bhostname DOMAIN HOSTNAME\b", "hostname docstead docstead.localhost"),
    (r"\bplan NAME PLAN\b", "plan 'Default organization' enterprise"),
    (r"\bplan NAME enterprise\b", "plan 'Default organization' enterprise"),
    (r"\bNAME=FOLDER\b", "docstead=docs"),
    (r"\bWORDS\b", "export"),
    (r"^docstead check$", "docstead check docs"),  # in a folder with docs.json
    (r"--version V --language L", ""),  # the pages of the demo have neither
    (r"\bCOMMAND\b", "keys list"),
)
# Replacements of lines that need something that the machine lacks.
INSTEAD = (
    (r"^helm upgrade --install\b", "helm template"),
    (r"^make image BASE=(\S+)@sha256:…", rf"make --dry-run image BASE=\1@sha256:{DIGEST}"),
    (r"^make\b(?! --dry)", "make --dry-run"),
    (r"^docker buildx imagetools inspect (\S+).*", r"grep -q 'BASE=\1@' deploy/Dockerfile"),
    (
        r"^docker run -p \S+:(\d+) -v \w+:(\S+) .*",
        r"grep -q 'EXPOSE \1' deploy/Dockerfile && grep -q 'VOLUME \2' deploy/Dockerfile",
    ),
    (r"(?:https|ssh)://\S+/acme/handbook\.git", "file://$HOME/handbook.git"),
    (r"^docstead deployments (rollback|remove) \S+", r"docstead deployments \1 --help"),
    (r"^git clone <.*> docstead", "git clone --quiet $HOME/docstead $HOME/cloned"),
    (r"^cd docstead", "cd $HOME/cloned"),
)


@dataclass
class CommandsReport:
    """Lines by how they were checked, and those that do not work."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, example: Example, how: str, run: CommandResult, expected: str) -> None:
        worked = run.outcome == expected
        shown = " ".join(example.text.split())
        mark = "ok  " if worked else "FAIL"
        print(f"{mark} {example.position:36} {run.outcome:8} {how:11} {shown[:110]}", flush=True)
        if not worked:
            print(f"     expected {expected}\n{run.output}", flush=True)
            self.failures.append(example.position)
        self.counts[how] += 1

    def summary(self) -> str:
        counted = ", ".join(f"{number} {how}" for how, number in self.counts.items())
        total = self.counts.total()
        worked = total - len(self.failures)
        return f"{total} lines ({counted}): {worked} work, {self.failures} do not"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[""], help="parts of the names of pages")
    parser.add_argument("--defect", default="", metavar="OLD=NEW", help="replace in the pages")
    options = parser.parse_args()
    began, report = time.monotonic(), CommandsReport()
    with tempfile.TemporaryDirectory(prefix="docs-commands-") as name, chat_server() as chat:
        chat.rules = [Rule(lambda said: "finish" in str(chat.requests[-1].get("tools")), _FINISH)]
        home = EmptyHome(Path(name) / "home", chat.url)
        home.prepare()
        Image.new("RGB", (4, 4)).save(home.tree / "screen.png")
        home.start()
        try:
            for path in pages(ROOT):
                _write_configuration(home, path.name, path.read_text())
            for page, text in _texts(options.only, options.defect):
                check_page(home, page, text, report)
        finally:
            status = home.stop()
    print(f"{report.summary()}; the demo ended with {status}; {time.monotonic() - began:.0f} s")
    return int(bool(report.failures or status))


_FINISH = Reply(calls=(Call("finish", {"title": "Nothing", "summary": "Nothing to do."}),))


def _texts(only: list[str], defect: str) -> Iterator[tuple[str, str]]:
    old, _, new = defect.partition("=")
    for path in pages(ROOT):
        name, text = str(path.relative_to(ROOT)), path.read_text()
        if any(part in name for part in only):
            yield name, text.replace(old, new) if old else text


def check_page(home: EmptyHome, page: str, text: str, report: CommandsReport) -> None:
    for block in blocks(page, text):
        check_file(home, block, report)
    seen: set[str] = set()
    for example in commands(page, text):
        if example.inline and example.text in seen:
            continue
        seen.add(example.text)
        if example.inline:
            check_mention(home, example, report)
        else:
            check_line(home, example, report)


def check_line(home: EmptyHome, example: Example, report: CommandsReport) -> None:
    """Run a line of a block; what the machine lacks has something else run for it."""
    text = concrete(home, example.text)
    expected = example.note.expects or ("200" if "curl " in text else "exit 0")
    if not example.note.needs:
        report.add(example, "as printed", execute(home, text, example.note.folder), expected)
        return
    for pattern, replacement in INSTEAD:
        text = re.sub(pattern, replacement, text)
    if text == concrete(home, example.text):
        print(f"skip {example.position:36} {example.note.needs}: {example.text}", flush=True)
        report.counts["skipped"] += 1
        return
    report.add(example, "otherwise", execute(home, text, example.note.folder), expected)


def check_mention(home: EmptyHome, example: Example, report: CommandsReport) -> None:
    """Run what a sentence prints in full; of anything else see that it exists."""
    text = concrete(home, re.sub(r"[\[\]]", "", example.text))  # with all that may be left out
    if _is_complete(text):
        report.add(example, "in a text", execute(home, text), "exit 0")
    else:
        report.add(example, "mentioned", _exists(text), "exit 0")


def execute(home: EmptyHome, text: str, folder: str = "") -> CommandResult:
    words = text.split()
    if words[:2] in [["docstead", name] for name in SERVERS]:
        apart = {"DOCSTEAD_DATA": str(home.folder / f"apart-{words[1]}")}
        if "--rollback" in words:
            return _roll_back(home, text, apart)
        return home.serve(text, folder, DOCSTEAD_PORT=str(free_port()), **apart)
    if text.endswith('/$JOB_ID -H "Authorization: Bearer $ADMIN_KEY"'):
        return _polled(home, text)
    if "secret reset" in text:
        text = f"docstead keys create admin && {text}"
        return home.run(text, folder, DOCSTEAD_DATA=str(home.folder / "apart-secret"))
    if "--server" in words:
        return home.run(text, folder, DOCSTEAD_ADMIN_KEY=home.variables["ADMIN_KEY"])
    if re.match(r"DOCSTEAD_\w+=", text):
        text = f"{text} docstead --strict-settings keys list"
    return home.run(text, folder)


def _polled(home: EmptyHome, text: str) -> CommandResult:
    """Look at a job until it has ended, as the page says."""
    while True:
        run = home.run(text)
        if not re.search(r'"status": ?"(queued|running|active)"', run.output):
            return run
        time.sleep(1)


def _roll_back(home: EmptyHome, text: str, apart: dict[str, str]) -> CommandResult:
    """Serve a second bundle first, so that there is one to go back to."""
    made = home.run("docstead export docs -o second.tar.gz --version second")
    configuration = "staticExport: {enabled: true, bundleUrl: second.tar.gz, version: second}"
    (home.tree / "second.yaml").write_text(configuration)
    served = home.serve(
        "docstead host --config second.yaml", DOCSTEAD_PORT=str(free_port()), **apart
    )
    return (
        home.run(text, **apart)
        if (made.outcome, served.outcome) == ("exit 0", "exit 0")
        else served
    )


def concrete(home: EmptyHome, text: str) -> str:
    """The line with what this machine has in place of ports, keys and ids that are printed."""
    text = re.sub(r"127\.0\.0\.1:8080", f"127.0.0.1:{home.port}", text)
    text = text.replace("--host 0.0.0.0", "--host 127.0.0.1")
    text = re.sub(r"--port 8080", f"--port {free_port()}", text)
    text = re.sub(r"\buv run (?=docstead)", "", text)
    text = text.replace("svc_dsc_…", home.variables["ASSISTANT_KEY"])
    text = text.replace("svc_…", home.variables["ADMIN_KEY"])
    text = text.replace(
        "--server https://docs.example.com", f"--server http://127.0.0.1:{home.port}"
    )
    if re.search(r"revoke (ID|key_0123456789abcdef)$", text):
        made = home.run('docstead keys create admin --name "to revoke" --json').output
        text = re.sub(r"\S+$", json.loads(made)["id"], text)
    for pattern, value in PLACEHOLDERS:
        text = re.sub(pattern, value, text)
    return text


def _is_complete(text: str) -> bool:
    """Report whether the command has all that it requires, and ends without being stopped."""
    words = shlex.split(text)
    if words[0] != "docstead":
        return "…" not in text
    if "…" in text or (words[1] in SERVERS and len(words) == 2):
        return False
    command, rest = _named(words[1:])
    try:
        command.make_context("docstead", list(rest))
    except typer.Exit:
        return True
    except _UsageError:
        return False
    return bool(rest) or not hasattr(command, "commands")


def _exists(text: str) -> CommandResult:
    """See that there is such a command, and that it has the options that the text names."""
    words = [word for word in shlex.split(text) if "…" not in word]
    command, rest = _named(words[1:])
    known = {option for parameter in command.params for option in parameter.opts}
    missing = [word for word in rest if word.startswith("-") and word not in known]
    if hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        return CommandResult("no command", rest[0])
    return CommandResult("no option", " ".join(missing)) if missing else CommandResult("exit 0")


def _named(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the words name, and the words after it."""
    command: Any = get_command(program())
    general = list(takewhile(lambda word: word.startswith("--"), words))
    if len(general) < len(words):
        words = words[len(general) :]
    for position, word in enumerate(words):
        inner = getattr(command, "commands", {})
        if word not in inner:
            return command, words[position:]
        command = inner[word]
    return command, []


# --- files -------------------------------------------------------------------


def check_file(home: EmptyHome, block: Example, report: CommandsReport) -> None:
    """Let the program that a printed file is for read it."""
    name = f"{block.language} {block.title}".strip()
    folder = home.folder / "files"
    folder.mkdir(exist_ok=True)
    if name == "toml docstead.toml":
        (folder / "docstead.toml").write_text(block.text)
        read = "import docstead.settings as s; s.load_settings()"
    elif name == "yaml deployment.yaml":
        (folder / "deployment.yaml").write_text(block.text)
        read = (
            "from pathlib import Path; from docstead.hosting.bundle.config import parsed_config; "
            "path = Path('deployment.yaml'); parsed_config(path.read_bytes(), path.absolute())"
        )
    elif block.language == "nginx":
        report.add(_file(block, name), "file", _nginx(home, folder, block.text), "exit 0")
        return
    else:
        return
    command = f'cd {folder} && python -c "{read}"'
    report.add(_file(block, name), "file", home.run(command, DOCSTEAD_PORT="8080"), "exit 0")


def _file(block: Example, name: str) -> Example:
    return Example(block.page, block.line, f"({name})", language=block.language)


def _nginx(home: EmptyHome, folder: Path, text: str) -> CommandResult:
    """Nginx's own test, with certificates of this machine in place of those that are named."""
    pem = folder / "server.pem"
    if not pem.exists():
        make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=docs.example.com"
        home.run(f"{make} -keyout {pem} -out {pem}.part && cat {pem}.part >> {pem}")
    text = re.sub(r"(ssl_certificate(?:_key)?) [^;]+;", rf"\1 {pem};", text)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    around = f"pid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{around}http {{\naccess_log off;\n{paths}{text}\n}}\n")
    return home.run(f"nginx -t -c {folder}/nginx.conf")


def _write_configuration(home: EmptyHome, page: str, text: str) -> None:
    """The `deployment.yaml` of a page, with a bundle that this machine has."""
    found = [block for block in blocks(page, text) if block.title == "deployment.yaml"]
    if not found:
        return
    made = home.run("docstead export docs -o bundle.tar.gz --version 2026-11-21")
    assert made.outcome == "exit 0", made.output
    configuration = re.sub(r"bundleUrl: .*", "bundleUrl: bundle.tar.gz", found[0].text)
    (home.tree / "deployment.yaml").write_text(configuration)


if __name__ == "__main__":
    sys.exit(main())
