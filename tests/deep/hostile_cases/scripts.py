"""JavaScript of pages: loops, memory, patterns, and imports in circles."""

from __future__ import annotations

from collections.abc import Callable

from hostile_cases.case import Files, of_bodies, of_files, site


def _text(body: str) -> Callable[[], str]:
    return lambda: body


_BODIES = {
    "loop": _text("{(() => { while (true) {} })()}"),
    "loop-caught": _text("{(() => { for (;;) { try { for (;;) {} } catch {} } })()}"),
    "loop-finally": _text("{(() => { try { for (;;) {} } finally { for (;;) {} } })()}"),
    "loop-promise": _text("{(() => { const f = () => Promise.resolve().then(f); f(); })()}"),
    "loop-await": _text("export const x = await new Promise(() => {});\n\n{x}"),
    "loop-getter": _text("{new Proxy({}, {get() { for (;;) {} }, has() { for (;;) {} }})}"),
    "loop-tostring": _text("{[{toString() { for (;;) {} }}] + ''}"),
    "loop-iterator": _text("{[...(function* () { for (;;) yield 1; })()]}"),
    "loop-timers": _text("{(() => { const f = () => setTimeout(f, 0); f(); return 1; })()}"),
    "loop-component": _text("export const A = () => <A />;\n\n<A />"),
    "loop-wide": _text("export const A = () => <><A /><A /></>;\n\n<A />"),
    "memory-arrays": _text(
        "{(() => { const a = []; for (;;) a.push(new Array(1e6).fill(1)); })()}"
    ),
    "memory-strings": _text("{(() => { let s = 'x'; for (;;) s += s; })()}"),
    "memory-buffers": _text("{(() => { const a = []; for (;;) a.push(new ArrayBuffer(1e8)); })()}"),
    "memory-written": _text(
        "{(() => { const a = []; for (;;) a.push(new Uint8Array(1e8).fill(1)); })()}"
    ),
    "memory-wasm": _text(
        "{(() => { const m = new WebAssembly.Memory({initial: 1, maximum: 65536});"
        " for (;;) m.grow(1000); })()}"
    ),
    "memory-shared": _text("{[...Array(100)].map(() => new SharedArrayBuffer(1e9)).length}"),
    "memory-output": _text("{'x'.repeat(400_000_000)}"),
    "memory-elements": _text("{Array.from({length: 5_000_000}, (_, n) => <b key={n}>x</b>)}"),
    "memory-errors": _text("{(() => { throw new Error('x'.repeat(300_000_000)) })()}"),
    "pattern": _text("{/^(a+)+$/.test('a'.repeat(60) + '!')}"),
    "pattern-look": _text("{/(?=(a*)*b)(a|aa)+$/.test('a'.repeat(99) + '!')}"),
    "pattern-huge": _text("{new RegExp('(' + 'a?'.repeat(5e5) + ')*b').test('a'.repeat(1e5))}"),
    "recursion": _text("export const f = (n) => f(n + 1) + 1;\n\n{f(0)}"),
    "eval": _text("{eval('for(;;){}')}"),
    "function-constructor": _text("{(() => {}).constructor('for(;;){}')()}"),
    "bigint": _text("{String(2n ** 200_000_000n)}"),
    "bigint-shift": _text("{(1n << 1000000000n) * (1n << 1000000000n)}"),
    "sort": _text("{[...Array(2e7).keys()].sort(() => Math.random() - 0.5).length}"),
    "json": _text("{JSON.stringify(Array(3e6).fill({a: [1, 2, 3]})).length}"),
    "atomics-wait": _text("{Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)}"),
    "date-loop": _text("{(() => { const e = Date.now() + 1e9; while (Date.now() < e); })()}"),
    "prototype": _text(
        "{(() => { Object.prototype.then = (f) => { for (;;) {} }; Array.prototype.map = null; })()}"
    ),
    "throw-odd": _text("{(() => { throw {get message() { for (;;) {} }, toString: null} })()}"),
    "normalize": _text("{'\\u0344'.repeat(3e7).normalize('NFD').length}"),
    "intl": _text("{Array.from({length: 1e6}, () => new Intl.DateTimeFormat('ar')).length}"),
    "expressions-deep": lambda: "{" + "(" * 50_000 + "1" + ")" * 50_000 + "}",
    "expressions-many": lambda: "{1}\n\n" * 30_000,
    "object-deep": lambda: "{JSON.stringify(" + "[" * 20_000 + "]" * 20_000 + ")}",
    "template-deep": lambda: "{" + "`${" * 5_000 + "1" + "}`" * 5_000 + "}",
    "source-long": lambda: "export const x = '" + "a" * 15_000_000 + "';\n\nText.",
    "names-many": lambda: "\n".join(f"export const v{n} = {n};" for n in range(20_000)),
}


def _circle(size: int) -> Files:
    pages = {
        f"snippets/s{n}.mdx": f"import A from '/snippets/s{(n + 1) % size}.mdx'\n\n<A />"
        for n in range(size)
    }
    return site("import A from '/snippets/s0.mdx'\n\n<A />", pages)


def _doubling(extension: str) -> Files:
    files = {
        f"snippets/s{n}.{extension}": (
            f"import A from '/snippets/s{n + 1}.{extension}'\n\n"
            + ("<A /><A />" if extension == "mdx" else "export default () => <><A /><A /></>")
        )
        for n in range(30)
    }
    files[f"snippets/s30.{extension}"] = "x" if extension == "mdx" else "export default () => 'x'"
    return site(f"import A from '/snippets/s0.{extension}'\n\n<A />", files)


_FILES: dict[str, Callable[[], Files]] = {
    "import-itself": lambda: _circle(1),
    "import-circle": lambda: _circle(2),
    "import-long-circle": lambda: _circle(400),
    "import-chain": lambda: site(
        "import A from '/snippets/s0.mdx'\n\n<A />",
        {f"snippets/s{n}.mdx": f"import A from './s{n + 1}.mdx'\n\n<A />" for n in range(3_000)},
    ),
    "import-doubling": lambda: _doubling("mdx"),
    "import-doubling-jsx": lambda: _doubling("jsx"),
    "import-outside": lambda: site("import A from '../../canary.mdx'\n\n<A />"),
    "import-many": lambda: site(
        "\n".join(f"import A{n} from '/snippets/s.mdx'" for n in range(10_000)) + "\n\nText.",
        {"snippets/s.mdx": "Text."},
    ),
    "module-loops": lambda: site(
        "import { a } from '/snippets/a.jsx'\n\n{a}",
        {"snippets/a.jsx": "for (;;) {}\nexport const a = 1"},
    ),
    "module-memory": lambda: site(
        "import { a } from '/snippets/a.jsx'\n\n{a.length}",
        {"snippets/a.jsx": "export const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)"},
    ),
    "module-circle": lambda: site(
        "import { a } from '/snippets/a.jsx'\n\n{a}",
        {
            "snippets/a.jsx": "import { b } from './b.jsx'\nexport const a = b",
            "snippets/b.jsx": "import { a } from './a.jsx'\nexport const b = a",
        },
    ),
    "pages-all-loop": lambda: site(
        files={f"p{n}.mdx": "{(() => { while (true) {} })()}" for n in range(12)}
    ),
    "pages-all-memory": lambda: site(
        files={f"p{n}.mdx": _BODIES["memory-strings"]() for n in range(12)}
    ),
}

CASES = of_bodies("scripts", _BODIES) + of_files("imports", _FILES)
