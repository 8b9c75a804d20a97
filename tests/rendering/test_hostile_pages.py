"""Pages that reach for what is not theirs: the machine, the network, other pages.

They stand first in their batch, in one context with the pages behind them, so that all that
one of them manages to change would be seen by the last, the witness.
"""

from __future__ import annotations

from html import unescape

import pytest

from docstead.rendering import EngineLimits

SECRET = "root:"

#: Expressions that give nothing of the machine away. What is asked for is not there.
REACHING = {
    "node module": "import x from 'node:fs'\n\n{typeof x.readFileSync}",
    "module by name": "import x from 'child_process'\n\n{typeof x.execSync}",
    "file by path": "import X from '../../../../../etc/passwd'\n\n<X /> {X.name}",
    "file by root": "import X from '/../../etc/passwd'\n\n<X /> {X.name}",
    "file by address": "import X from 'file:///etc/passwd'\n\n<X /> {X.name}",
    "script by address": "import X from 'https://evil.invalid/x.js'\n\n<X /> {X.name}",
    "script as data": "import X from 'data:text/javascript,export default 1'\n\n<X /> {X.name}",
    "dynamic import": "export const X = () => { import('fs').then(String); return 'x' }\n\n<X />",
    "snippet outside": '<Snippet file="../../../../etc/passwd" />',
    "snippet by root": '<Snippet file="/etc/passwd" />',
    "require": "{typeof require === 'function' ? String(require('fs')) : 'none'}",
    "process": "{typeof process} {typeof global.process}",
    "function": "{new Function('return typeof process + typeof require')()}",
    "constructor": "{[].constructor.constructor('return typeof process')()}",
    "eval": "{(0, eval)('typeof process + typeof Deno')}",
    "network": "{['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker']"
    ".map((name) => typeof globalThis[name]).join()}",
    "engine": "{typeof docstead} {typeof compilerBytes}",
    "stack": "{new Error('x').stack.includes('/root/') ? 'root:' : 'nothing'}",
    "meta": "export const X = () => { try { return String(new Function('return import.meta')()) } "
    "catch (e) { return e.name } }\n\n<X />",
}

#: Statements that change something which all pages share.
CHANGING = {
    "global": "globalThis.leak = 1",
    "global by eval": "(0, eval)('var leak = 1')",
    "global function": "(0, eval)('function leak() {}')",
    "global by function": "new Function('leak = 1; this.leak = 1')()",
    "global later": "Promise.resolve().then(() => { globalThis.leak = 1 })",
    "global by timer": "setTimeout(() => { globalThis.leak = 1 })",
    "global defined": "Object.defineProperty(globalThis, 'leak', { value: 1 })",
    "global behind": "Object.setPrototypeOf(globalThis, { leak: 1 })",
    "component replaced": "globalThis.Card = () => 'leak'",
    "component deleted": "delete globalThis.Card",
    "component changed": "Tree.Folder = () => 'leak'",
    "React replaced": "React.createElement = () => 'leak'",
    "hooks of the library": "React.options.vnode = (node) => { node.type = 'leak' }",
    "user": "user.leak = 1",
    "prototype": "Object.prototype.leak = 1",
    "prototype by instance": "({}).__proto__.leak = 1",
    "prototype by JSON": "Object.assign(({}).__proto__, JSON.parse('{\"leak\": 1}'))",
    "prototype of prototypes": "Object.setPrototypeOf(Object.prototype, { leak: 1 })",
    "prototype of functions": "Function.prototype.call = () => 'leak'",
    "prototype of lists": "Array.prototype.leak = 1",
    "prototype of errors": "Error.prototype.message = 'leak'",
    "prototype of generators": "(function* () {}).constructor.prototype.leak = 1",
    "methods of lists": "Array.prototype.map = () => ['leak']",
    "methods of texts": "String.prototype.replace = () => 'leak'",
    "methods of patterns": "RegExp.prototype.exec = () => null",
    "methods of maps": "Map.prototype.get = () => 'leak'",
    "methods of promises": "Promise.prototype.then = () => 'leak'",
    "iterators": "Array.prototype[Symbol.iterator] = function* () { yield 'leak' }",
    "next of iterators": "Object.getPrototypeOf([].values()).next = () => ({ done: true })",
    "species": "Object.defineProperty(Array, Symbol.species, { value: Object })",
    "JSON": "JSON.stringify = () => 'leak'",
    "Object": "Object.keys = () => ['leak']",
    "Math": "Math.max = () => 'leak'",
    "stacks": "Error.prepareStackTrace = () => 'leak'",
    "stack limit": "Error.stackTraceLimit = 'leak'",
    "Symbol": "Symbol.for('react.element').description = 'leak'",
    "shims": "TextDecoder.prototype.decode = () => 'leak'",
    "console": "console.log = () => 'leak'",
    "module of another page": "box.leak = 1",
    "module deleted": "delete box.label",
}

#: Values that are hard to show.
ODD = {
    "symbol": "{Symbol('x')}",
    "big number": "{10n}",
    "function": "{() => 1}",
    "circle": "{(() => { const a = []; a.push(a); return a })()}",
    "proxy": "{new Proxy({}, { get() { throw new Error('no') } })}",
    "getter": "<Card {...{ get title() { throw new Error('no') } }} />",
    "thrown nothing": "{(() => { throw null })()}",
    "thrown page": "export const X = () => { throw { then: 1 } }\n\n<X />",
    "no text": "{({ toString: null })}",
    "promise": "{Promise.reject(new Error('no'))}",
    "proto as prop": '<Card {...JSON.parse(\'{"__proto__": {"title": "x"}}\')} />',
    "lone surrogate": "{'\\ud800'}",
    "element as tag": "export const X = <i />\n\n<X />",
}
THROWING = {"symbol", "circle", "proxy", "getter", "thrown nothing"}

WITNESS = """\
import * as box from '/snippets/box.jsx'

# Witness

<Card title="Card" icon="star">Text</Card>

- {typeof leak} {typeof {}.leak} {typeof [].leak} {typeof user.leak} {typeof box.leak}
- {[1, 2].map((n) => n * 2).join()} {'ab'.replace('a', 'c')} {JSON.stringify({ a: [...'xy'] })}
- {Object.keys({ k: 1 })[0]} {String(Math.max(1, 2))} {new Error('told').message} {box.label}

<Tree><Tree.Folder name="folder"><Tree.File name="file" /></Tree.Folder></Tree>

| a | b |
|---|---|
| `1` | **2** |

```js
code()
```
"""
MODULES = {"/snippets/box.jsx": "export const label = 'boxed'"}

DEEP = {
    "elements": "<div>" * 500 + "x" + "</div>" * 500,
    "quotes": ">" * 5_000 + " x",
    "lists": "\n".join("  " * depth + "- x" for depth in range(500)),
    "emphasis": "*a _b " * 10_000,
    "stars": "*" * 50_000 + "x" + "*" * 50_000,
    "brackets": "[" * 20_000,
    "links": "[a](" * 10_000,
    "braces": "{" * 5_000,
    "expression": "{" + "[" * 5_000 + "]" * 5_000 + "}",
    "parentheses": "{" + "(" * 5_000 + "1" + ")" * 5_000 + "}",
    "backticks": " ".join("`" * n for n in range(1, 400)),
    "entities": "&" * 50_000,
    "line": "word " * 50_000,
    "table": "|a" * 2_000 + "|\n" + "|-" * 2_000 + "|\n" + ("|x" * 2_000 + "|\n") * 3,
    "headings": "\n\n".join("## Same" for _ in range(1_000)),
    "references": "\n".join(f"[{n}]: /x\n\n[{n}]" for n in range(2_000)),
    "fences": "\n".join("`" * (3 + n % 50) for n in range(2_000)),
    "attributes": "<div " + " ".join(f"a{n}='{n}'" for n in range(5_000)) + " />",
    "open tags": "<Card>" * 2_000,
    "zeros": "\x00" * 10_000,
}


def changing(statement: str) -> str:
    return (
        "import * as box from '/snippets/box.jsx'\n\n"
        f"export const X = () => {{ try {{ {statement} }} catch (e) {{ return e.name }} "
        "return 'done' }\n\n<X />"
    )


def test_there_are_enough_cases() -> None:
    assert len(REACHING) + len(CHANGING) + len(ODD) == 72


@pytest.fixture(scope="module")
def pages(render_pages):
    bodies = {f"reach-{name}": body for name, body in REACHING.items()}
    bodies |= {f"change-{name}": changing(statement) for name, statement in CHANGING.items()}
    bodies |= {f"odd-{name}": body for name, body in ODD.items()}
    limits = EngineLimits(batch_pages=400)
    return render_pages({**bodies, "witness": WITNESS}, MODULES, limits=limits)


@pytest.mark.parametrize("name", REACHING)
def test_nothing_of_the_machine_is_within_reach(pages, name: str) -> None:
    html = pages[f"reach-{name}"].html
    assert SECRET not in html
    assert "function" not in html
    assert "object" not in html.replace("[object", "")


def test_no_page_changes_what_another_sees(pages, render_pages) -> None:
    single = render_pages({"witness": WITNESS}, MODULES)["witness"]
    assert not single.failed
    text = " ".join(unescape(single.html).split())
    assert "undefined undefined undefined undefined undefined" in text
    assert '2,4 cb {"a":["x","y"]}' in text
    assert pages["witness"].html == single.html


@pytest.mark.parametrize("name", ODD)
def test_an_odd_value_is_a_page_all_the_same(pages, name: str) -> None:
    assert pages[f"odd-{name}"].failed is (name in THROWING)


def test_deep_and_long_pages_come_to_an_end(render_pages) -> None:
    limits = EngineLimits(page_seconds=1.0, batch_pages=1)
    pages = render_pages({**DEEP, "last": "# Last"}, limits=limits, workers=2)
    assert pages["last"].html.startswith("<h1")
    assert [page for page in pages.values() if page.failed and not page.diagnostics] == []
