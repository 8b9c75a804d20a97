"""A site that attacks the dashboard of its owner: its files, and the attempts of its scripts."""

from __future__ import annotations

import json

RAN = "document.documentElement.dataset.ran = window.origin;"
MARKUP = f"<script>{RAN}</script><img src=x onerror='{RAN}'>"
SETTINGS = {
    "name": "Acme",
    "theme": "mint",
    "colors": {"primary": "#0F766E"},
    "navigation": {"pages": ["index", "_docs/page", "scripts"]},
    "redirects": [
        {"source": "/_docs/go", "destination": "/evil.js"},
        {"source": "/leave", "destination": "/page.html"},
    ],
    "feedback": {"thumbsRating": True},
}
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{RAN}"><script>{RAN}</script></svg>'
XHTML = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><script>{RAN}</script></body></html>'
ISLAND = """---
title: Island
---

export const Mark = () => {
  const [seen, setSeen] = useState("nothing");
  useEffect(() => {
    document.documentElement.dataset.island = window.origin;
    setSeen("run");
  }, []);
  return <p id="mark">{seen}</p>;
};

<Mark />

<a id="away" href="AWAY" target="_blank">away</a>
"""
SCRIPTS = """---
title: Scripts
---

<script src="BASE/_docs/evil.js"></script>
<script src="BASE/_docs/go"></script>
<script src="BASE/evil.js"></script>
<script type="module" src="BASE/evil.mjs"></script>
<link rel="manifest" href="BASE/evil.webmanifest" />
<link rel="stylesheet" href="BASE/evil.js" />
<meta http-equiv="refresh" content="0;url=javascript:RAN" />
<iframe src="javascript:parent.RAN"></iframe>
<iframe src="BASE/page.html"></iframe>
<object data="BASE/evil.svg"></object>
<embed src="BASE/evil.svg" />
<a id="link" href="javascript:RAN">x</a>
<img src="x" onerror="RAN" />
<form id="form" action="javascript:RAN"><button id="submit">x</button></form>
"""
BASE = "/_sites/docstead"

# Attempts of a script on a page; `D` is the URL of the dashboard, `B` of the site. Each
# returns what it obtained as text.
GET = "const opened = (w) => w.document.documentElement.outerHTML;"
KEY_FORM = "name=stolen&kind=admin&csrf="
ATTACKS = {
    "cookie": "return document.cookie",
    "storage": "return JSON.stringify([localStorage, sessionStorage])",
    "database": "return (await indexedDB.databases()).map((each) => each.name).join()",
    "fetch": "return (await fetch(D, { credentials: 'include' })).text()",
    "fetch without CORS": (
        "return (await fetch(D, { mode: 'no-cors', credentials: 'include' })).text()"
    ),
    "post": (
        "return (await fetch(`${D}/keys/docstead`, { method: 'POST', mode: 'no-cors',"
        f" credentials: 'include', body: new URLSearchParams('{KEY_FORM}') }})).text()"
    ),
    "post to the API": (
        "return (await fetch(`${D.replace('/dashboard', '')}/v1/project/update/x`,"
        " { method: 'POST', credentials: 'include' })).text()"
    ),
    "playground": (
        "return (await fetch(`${B}/_docs/api/request`, { method: 'POST', body: JSON.stringify("
        "{ page: '/', method: 'GET', url: D, headers: [] }) })).text()"
    ),
    "beacon": f"navigator.sendBeacon(`${{D}}/keys/docstead`, new URLSearchParams('{KEY_FORM}'))",
    "frame": "return opened((await framed(D)).contentWindow)",
    "frame of a file": "return opened((await framed(`${B}/page.html`)).contentWindow)",
    "srcdoc": (
        "return opened((await framed('', '<script>parent.got = document.cookie</'+'script>'))"
        ".contentWindow) + (window.got ?? '')"
    ),
    "popup": "const w = open(D); await pause(800); const t = opened(w); w.close(); return t",
    "blank popup": (
        "const w = open('about:blank'); const t = await (await w.fetch(D,"
        " { credentials: 'include' })).text(); const c = w.document.cookie; w.close(); return t + c"
    ),
    "javascript: popup": (
        "const w = open(`javascript:window.got=document.cookie`); await pause(300);"
        " const t = String(w.got); w.close(); return t"
    ),
    "blob popup": (
        "const u = URL.createObjectURL(new Blob([`<script>document.title = document.cookie ||"
        " window.origin</` + 'script>'], { type: 'text/html' })); const w = open(u);"
        " await pause(500); const t = w.document.title; w.close(); return t"
    ),
    "form in a frame": (
        f"submit('{KEY_FORM}', (await framed('about:blank')).name); await pause(500)"
    ),
    "form in a popup": (
        f"const w = open('about:blank', 'target'); submit('{KEY_FORM}', 'target');"
        " await pause(800); const t = opened(w); w.close(); return t"
    ),
    "service worker": (
        "await navigator.serviceWorker.register(`${B}/evil.js`); return 'registered at ' + origin"
    ),
    "service worker of our files": (
        "await navigator.serviceWorker.register(document.querySelector('script[src*=shell]').src);"
        "return 'registered at ' + origin"
    ),
    "shared worker": "return String(new SharedWorker(`${B}/evil.js`).port) + document.cookie",
    "worker": (
        "const w = new Worker(`${B}/evil.js`); return await new Promise((done) => {"
        " w.onmessage = (e) => done(e.data); w.onerror = () => done(''); setTimeout(done, 800) })"
    ),
    "module": "await import(`${B}/evil.js`); return document.documentElement.dataset.ran",
    "script of the dashboard": (
        "const s = document.createElement('script'); s.src = D; document.head.append(s);"
        " await pause(300); return document.cookie"
    ),
    "manifest": (
        "const l = document.createElement('link'); l.rel = 'manifest';"
        " l.crossOrigin = 'use-credentials'; l.href = D; document.head.append(l); await pause(200)"
    ),
    "history": "history.replaceState(null, '', '/dashboard'); return document.cookie",
    "print view": (
        "addEventListener('beforeprint', () => (window.got = document.cookie)); print();"
        " return String(window.got)"
    ),
    "domain": "document.domain = location.hostname; return opened((await framed(D)).contentWindow)",
    "opener": "return opener ? opened(opener) : ''",
    "broadcast": ("const c = new BroadcastChannel('x'); c.postMessage(1); return document.cookie"),
}
HELPERS = """
const [B, D, done] = arguments;
const opened = (w) => w.document.documentElement.outerHTML;
const pause = (ms) => new Promise((over) => setTimeout(over, ms));
const framed = (src, srcdoc) => new Promise((over) => {
  const frame = document.createElement("iframe");
  frame.name = "f" + Math.random();
  if (srcdoc) frame.srcdoc = srcdoc; else frame.src = src;
  frame.onload = () => over(frame);
  setTimeout(() => over(frame), 1500);
  document.body.append(frame);
});
const submit = (body, target) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "POST", action: `${D}/keys/docstead`, target });
  for (const [name, value] of new URLSearchParams(body)) {
    const field = document.createElement("input");
    Object.assign(field, { name, value });
    form.append(field);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
};
const tried = (attack) => attack().then((got) => String(got ?? ""), (fault) => `refused: ${fault}`);
const attacks = { ATTACKS };
const all = Object.entries(attacks).map(async ([name, attack]) => [name, await tried(attack)]);
Promise.all(all).then((found) => done(Object.fromEntries(found)));
"""


def hostile_files(away: str) -> dict[str, str]:
    """Return the files of the repository, whose home page links to the URL `away`."""
    script = f"if (self.document) {RAN}\nelse self.postMessage?.(String(self.origin));\n"
    scripts = SCRIPTS.replace("BASE", BASE).replace("RAN", RAN)
    return {
        "docs.json": json.dumps(SETTINGS),
        "index.mdx": ISLAND.replace("AWAY", away),
        "scripts.mdx": scripts,
        "_docs/evil.js": script,
        "_docs/page.mdx": scripts,
        "evil.js": script,
        "evil.mjs": script,
        "evil.svg": SVG,
        "page.html": f"<!doctype html>{MARKUP}",
        "page.xhtml": XHTML,
        "page.xml": XHTML,
        "evil.webmanifest": '{"name": "x", "start_url": "javascript:1"}',
        "paper.pdf": "%PDF-1.4\n",
    }


def attempts() -> str:
    """Return a script that tries every attack; its arguments are the URLs of site and dashboard."""
    functions = (f"{name!r}: async () => {{ {text} }}" for name, text in ATTACKS.items())
    return HELPERS.replace("ATTACKS", ",\n".join(functions))
