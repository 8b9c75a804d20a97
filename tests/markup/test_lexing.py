"""Quickened lexers find what Pygments finds."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
from pygments.lexers import find_lexer_class_by_name

from docstead.markup.lexing import TESTED_VERSION, quick_lexer

ROOT = Path(__file__).parents[2]
RUBY = """class Order < Base
  attr_reader :total
  def text
    puts <<~END, "#{total} %w[a b]"
      Dear #{name},
    END
    %q(plain) =~ /a+b/i ? :yes : nil
  end
end
"""
PHP = '<p><?php echo "Hello {$name}"; $a = <<<EOT\nText\nEOT;\n/* note */ fn($x) => $x ** 2; ?></p>'
SQL = "SELECT a.id, 'it''s' AS b -- note\nFROM t a WHERE x >= 1.5e3 AND y IS NOT NULL;"
ODD = "'''\n\"\\u00e9 ` $( { [ <% %> \x00\x0c é 中文 `` ${a ?? `b`} /* # // -->\r\n\n\tend\n"


def files(suffix: str) -> list[str]:
    folders = ("src", "engine/src", "engine/browser", "docs", "deploy", "tests/theme")
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob(f"*.{suffix}")))
    return [path.read_text() for path in found if "built" not in path.parts][:40]


@pytest.mark.parametrize(
    ("language", "samples"),
    [
        ("python", files("py")),
        ("typescript", files("ts")),
        ("tsx", files("tsx")),
        ("jsx", files("tsx")),
        ("javascript", files("js")),
        ("css", files("css")),
        ("html", files("html")),
        ("html+jinja", files("html")),
        ("markdown", files("mdx")),
        ("json", files("json")),
        ("yaml", files("yaml")),
        ("bash", [(ROOT / ".ci" / "run").read_text()]),
        ("makefile", [(ROOT / "Makefile").read_text()]),
        ("toml", [(ROOT / "pyproject.toml").read_text()]),
        ("ruby", [RUBY]),
        ("erb", [f"<p><%= {RUBY} %></p>"]),
        ("php", [PHP]),
        ("html+php", [PHP]),
        ("sql", [SQL]),
        ("go", ["package main\nfunc f(a ...int) (b string, err error) { return `x`, nil }"]),
        ("rust", ['fn f() -> A<(), E> { let s = r#"a"#; /* b /* c */ */ print!("{s}") }']),
        ("java", ['@A(b = 1) class C<T extends D> { String s = """\n  x""" + \'c\'; }']),
        ("kotlin", ['fun <T> f(a: T?) = "$a ${a!!.b}" // c\n']),
        ("swift", ['let s = "a \\(b + "c") d" /* e */ as! F']),
        ("csharp", ['var s = $@"a {b:0.00} ""c""";\n#region d\n']),
        ("powershell", ['Get-Item -Path "$env:A" | % { $_.B } # c\n']),
        ("diff", ["--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n"]),
        ("graphql", ['query A($b: C! = "d") @e { f(g: $b) { ...h } }']),
        ("http", ['POST /a HTTP/1.1\nContent-Type: application/json\n\n{"b": 1}']),
        ("nginx", ["server { listen 80; location ~ /a { return 301 $b; } }"]),
        ("ini", ["[a]\nb = c ; d\n"]),
    ],
)  # fmt: skip
def test_the_tokens_are_the_same(language: str, samples: list[str]) -> None:
    lexer = find_lexer_class_by_name(language)
    assert samples
    for sample in (*samples, ODD):
        expected = list(lexer(stripnl=False, ensurenl=True).get_tokens(sample))
        assert list(quick_lexer(lexer, stripnl=False, ensurenl=True).get_tokens(sample)) == expected


def test_library_has_the_version_whose_private_api_is_used() -> None:
    """Before raising the version, compare the lexers' attributes and `_process_regex`."""
    assert version("pygments") == TESTED_VERSION
