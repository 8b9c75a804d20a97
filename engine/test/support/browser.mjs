/** Runs a page in a headless Chromium, opened from disk, and hands back what its test reports. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const browser = fileURLToPath(new URL("../../browser/", import.meta.url));
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--force-prefers-reduced-motion",
  "--disable-component-update",
  "--disable-sync",
  "--window-size=1000,800",
  "--virtual-time-budget=4000",
  "--dump-dom",
];
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'unsafe-inline' file:; img-src data: file:";

export const chromium = process.env.CHROMIUM ?? "chromium";

/** `check` runs in the page once it is enhanced; what it returns comes back as JSON. */
export async function inBrowser(html, check, { hash = "", before = "" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "docstead-browser-"));
  try {
    await writePage(folder, html, check, before);
    const dom = await run(folder, `file://${folder}/page.html${hash}`);
    const report = /<output id="report">([^<]*)<\/output>/.exec(dom)?.[1];
    if (report === undefined) throw new Error(`the page reported nothing:\n${dom.slice(0, 2000)}`);
    return JSON.parse(decodeURIComponent(report));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writePage(folder, html, check, before) {
  await build({
    stdin: { contents: 'import "./components"; import "./extras";', resolveDir: browser },
    outfile: join(folder, "browser.js"),
    bundle: true,
    format: "iife",
    target: "es2022",
  });
  writeFileSync(join(folder, "before.js"), before);
  writeFileSync(join(folder, "check.js"), checker(check));
  await build({
    stdin: {
      contents: '@import "./extras.css"; @import "./components.css";',
      loader: "css",
      resolveDir: browser,
    },
    outfile: join(folder, "components.css"),
    bundle: true,
  });
  writeFileSync(
    join(folder, "page.html"),
    `<!doctype html><html lang="en"><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Test</title>
    <link rel="stylesheet" href="components.css"><script src="before.js"></script>
    <script src="browser.js" defer></script><script src="check.js" defer></script>
    <body><main class="ds-prose">${html}</main></body></html>`,
  );
}

function checker(check) {
  return `
    const key = (target, name) => target.dispatchEvent(
      new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    const $ = (selector) => document.querySelector(selector);
    const $$ = (selector) => [...document.querySelectorAll(selector)];
    const shown = (selector) => $$(selector).filter((each) => each.checkVisibility({ contentVisibilityAuto: true }) && !each.closest("[hidden]"));
    const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    addEventListener("load", async () => {
      let report;
      try { report = await (${check})({ key, $, $$, shown, wait }); }
      catch (error) { report = { error: String(error.stack) }; }
      const output = document.createElement("output");
      output.id = "report";
      output.textContent = encodeURIComponent(JSON.stringify(report ?? null));
      document.body.append(output);
    });`;
}

function run(folder, url) {
  return new Promise((resolve, reject) => {
    const child = spawn(chromium, [
      ...FLAGS,
      `--user-data-dir=${join(folder, "profile")}`,
      url,
    ]);
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
