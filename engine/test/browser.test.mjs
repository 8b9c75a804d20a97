import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { chromium, inBrowser } from "./support/browser.mjs";
import { render } from "./support/render.mjs";

const BUILT = new URL("../../src/docstead/markup/assets/built/", import.meta.url);
const missing = spawnSync(chromium, ["--version"]).status === 0 ? false : "no Chromium here";

function code(title, text) {
  return `<div class="ds-code" data-title="${title}"><div class="ds-code-head">${title}</div><div><pre><code>${text}</code></pre></div></div>`;
}

const TABS = `<Tabs><Tab title="npm">One</Tab><Tab title="Yarn">Two<h3 id="deep">Deep</h3></Tab><Tab title="Bun">Three</Tab></Tabs>`;

describe("in a browser", { skip: missing, concurrency: 2 }, () => {
  it("tabs have roles, arrow keys and move together", async () => {
    const html = render(
      `${TABS}${TABS}<Tabs sync={false}><Tab title="npm">a</Tab><Tab title="Yarn">b</Tab></Tabs>`,
    );
    const seen = await inBrowser(html, async ({ key, $$, shown }) => {
      const tabs = $$("[role=tab]");
      const before = shown(".ds-tab").length;
      key(tabs[0], "ArrowLeft");
      const wrapped = document.activeElement.textContent;
      key(document.activeElement, "Home");
      key(document.activeElement, "ArrowRight");
      return {
        before,
        wrapped,
        roles: [$$("[role=tablist]").length, $$("[role=tabpanel]").length],
        selected: tabs
          .filter((tab) => tab.getAttribute("aria-selected") === "true")
          .map((tab) => tab.textContent),
        stops: tabs.filter((tab) => tab.tabIndex === 0).length,
        controls: tabs.every(
          (tab) =>
            document
              .getElementById(tab.getAttribute("aria-controls"))
              .getAttribute("aria-labelledby") === tab.id,
        ),
        stored: JSON.parse(localStorage.getItem("ds-choices"))[0],
        titles: shown(".ds-tab").filter((tab) => getComputedStyle(tab, "::before").content !== "none").length,
        hidden: $$("[role=tabpanel]").map((panel) => panel.getAttribute("aria-hidden")).slice(0, 3),
        ids: [tabs[0].id, $$("[role=tabpanel]")[0].id, tabs[0].firstElementChild.dataset.testid],
        hash: location.hash,
      };
    });
    assert.deepEqual(seen, {
      before: 3,
      wrapped: "Bun",
      roles: [3, 8],
      selected: ["Yarn", "Yarn", "npm"],
      stops: 3,
      controls: true,
      stored: "Yarn",
      titles: 0,
      hidden: ["true", "false", "true"],
      ids: ["npm", "panel-npm", "tab-npm"],
      hash: "#yarn",
    });
  });

  it("a remembered choice is taken up, and code groups share it", async () => {
    const before = `localStorage.setItem("ds-choices", '["Bun", "npm"]')`;
    const group = `<div class="ds-code-group">${code("npm", "npm i")}${code("Bun", "bun add")}</div>`;
    const seen = await inBrowser(
      render(TABS) + group,
      ({ $$, shown }) => ({
        tab: shown(".ds-tab")[0].dataset.title,
        code: shown(".ds-code code").map((each) => each.textContent),
        buttons: shown(".ds-code-bar .ds-copy").length,
        panels: $$(".ds-code-group [role=tabpanel]").map((each) => each.dataset.title),
      }),
      { before },
    );
    assert.deepEqual(seen, { tab: "Bun", code: ["bun add"], buttons: 1, panels: ["Bun"] });
  });

  it("a URL within a tab or an accordion opens it", async () => {
    const html = render(`${TABS}<Accordion title="Closed"><p id="inner">x</p></Accordion>`);
    const tab = await inBrowser(html, ({ shown }) => shown(".ds-tab")[0].dataset.title, {
      hash: "#deep",
    });
    const own = await inBrowser(html, ({ shown }) => shown(".ds-tab")[0].dataset.title, {
      hash: "#bun",
    });
    const open = await inBrowser(html, ({ $ }) => $("details").open, { hash: "#inner" });
    assert.deepEqual([tab, own, open], ["Yarn", "Bun", true]);
  });

  it("opening an accordion changes the URL", async () => {
    const hash = await inBrowser(
      render(`<Accordion title="Set up">x</Accordion>`),
      async ({ $, wait }) => {
        $("summary").click();
        await wait(50);
        return [location.hash, $("details").open];
      },
    );
    assert.deepEqual(hash, ["#set-up", true]);
  });

  it("the URL has the accordions around an open one, and opens all of them", async () => {
    const html = render(
      `<Accordion title="Outer"><Accordion title="Inner">x</Accordion></Accordion><Accordion title="Other">y</Accordion>`,
    );
    const hashes = await inBrowser(html, ({ $$ }) =>
      [0, 1, 1, 0].map((at) => {
        $$("summary")[at].click();
        return location.hash;
      }),
    );
    assert.deepEqual(hashes, ["#outer", "#outer:inner", "#outer", ""]);
    const state = ({ $$ }) => $$("details").map((each) => each.open);
    assert.deepEqual(await inBrowser(html, state, { hash: "#outer:inner" }), [true, true, false]);
    assert.deepEqual(await inBrowser(html, state, { hash: "#other:inner" }), [false, false, false]);
  });

  it("a click on a name copies its URL", async () => {
    const html = render(
      `<ParamField query="q">x</ParamField><Steps titleSize="h2"><Step title="Go" id="go">x</Step></Steps>`,
    );
    const update = `<div data-component-part="update-label"><h2 id="may">May<a href="#may"></a></h2></div>`;
    const seen = await inBrowser(html + update, async ({ $, wait }) => {
      const copied = [];
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => copied.push(text) } });
      for (const part of ["field-name", "step-title", "update-label"]) {
        $(`[data-component-part="${part}"]`).click();
        await wait(20);
        copied.push(location.hash);
      }
      $(".ds-step-link a").click();
      $("[data-component-part=step-content]").click();
      getSelection().selectAllChildren($("[data-component-part=update-label]"));
      $("[data-component-part=update-label]").click(); // as at the end of a selection
      getSelection().removeAllRanges();
      $("[data-component-part=update-label]").dispatchEvent(new MouseEvent("click", { bubbles: true, ctrlKey: true }));
      await wait(20);
      return copied.map((text) => text.slice(text.indexOf("#")));
    });
    assert.deepEqual(seen, ["#param-q", "#param-q", "#go", "#go", "#may", "#may", "#go"]);
  });

  it("code can be copied, once, as it reads", async () => {
    const seen = await inBrowser(
      code("a.sh", "echo &lt;1&gt;\nexit\n"),
      async ({ $, $$, wait }) => {
        let copied = "";
        document.execCommand = () => ((copied = document.activeElement.value), true);
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        $(".ds-copy").click();
        await wait(50);
        return {
          copied,
          buttons: $$(".ds-copy").length,
          said: $("#ds-announcer").textContent,
          label: $(".ds-copy").getAttribute("aria-label"),
        };
      },
    );
    assert.deepEqual(seen, {
      copied: "echo <1>\nexit",
      buttons: 1,
      said: "Copied",
      label: "Copied",
    });
  });

  it("buttons speak the language of the page", async () => {
    const before = `docsteadWords = { components: { copyCode: "Copier le code" } }`;
    const label = await inBrowser(
      code("a", "b"),
      ({ $ }) => $(".ds-copy").getAttribute("aria-label"),
      { before },
    );
    assert.equal(label, "Copier le code");
  });

  it("a dropdown chooses among code blocks", async () => {
    const html = `<div class="ds-code-group" data-dropdown>${code("Go", "go")}${code("C", "c")}</div>`;
    const seen = await inBrowser(html, ({ $, shown }) => {
      const field = $("select");
      field.selectedIndex = 1;
      field.dispatchEvent(new Event("change"));
      return {
        name: field.getAttribute("aria-label"),
        code: shown(".ds-code code").map((each) => each.textContent),
      };
    });
    assert.deepEqual(seen, { name: "Code", code: ["c"] });
  });

  it("a dropdown with names says which block is shown", async () => {
    const name = (title, language) => `<div data-language="${language}"><span>${title}</span></div>`;
    const html = `<div class="ds-code-group" data-dropdown><div class="ds-code-bar"><div class="ds-code-name"><span>a.go</span></div><div class="ds-code-menu"><p class="ds-select">Go</p></div><template>${name("a.go", "Go")}${name("a.c", "C")}</template></div>${code("a.go", "go")}${code("a.c", "c")}</div>`;
    const seen = await inBrowser(html, async ({ $, shown, wait }) => {
      const state = () => [".ds-code-name", ".ds-code-menu > p", ".ds-code code"].map((each) => shown(each)[0].textContent);
      const first = state();
      $("select").selectedIndex = 1;
      $("select").dispatchEvent(new Event("change"));
      await wait(50);
      return [first, state(), $("select").options.length];
    });
    assert.deepEqual(seen, [["a.go", "Go", "go"], ["a.c", "C", "c"], 2]);
  });

  it("trees are walked by keys", async () => {
    const html = render(
      `<Tree><Tree.Folder name="app" defaultOpen><Tree.File name="page" /><Tree.Folder name="lib"><Tree.File name="db" /></Tree.Folder></Tree.Folder><Tree.File name="readme" /></Tree>`,
    );
    const seen = await inBrowser(html, async ({ key, $, $$, wait }) => {
      const names = [];
      const press = (name) => {
        key(document.activeElement, name);
        names.push(document.activeElement.textContent);
      };
      $("[role=treeitem]").focus();
      for (const name of [
        "ArrowDown",
        "ArrowDown",
        "ArrowRight",
        "ArrowRight",
        "ArrowLeft",
        "End",
        "Home",
        "p",
        "ArrowLeft",
        "ArrowLeft",
        "ArrowDown",
      ])
        press(name);
      await wait(50);
      return {
        names,
        stops: $$("[role=treeitem]").filter((item) => item.tabIndex === 0).length,
        expanded: $("[role=treeitem]").getAttribute("aria-expanded"),
        groups: $$("[role=tree] [role=group]").length,
        levels: $$("[role=treeitem]").map((item) => item.getAttribute("aria-level")).join(""),
        icons: $$(".tree-folder [data-component-part*=icon]").map((icon) => icon.dataset.componentPart.split("-").at(-1)),
      };
    });
    assert.deepEqual(seen, {
      names: ["page", "lib", "lib", "db", "lib", "readme", "app", "page", "app", "app", "readme"],
      stops: 1,
      expanded: "false",
      groups: 2,
      levels: "12231",
      icons: ["closed", "open"],
    });
  });

  it("updates are filtered by tags, all of them", async () => {
    const html = render(
      `<Update label="A" tags={["x", "y"]}>a</Update><Update label="B" tags="x">b</Update><Update label="C">c</Update>`,
    );
    const styles = readFileSync(new URL("components.css", BUILT), "utf8");
    const seen = await inBrowser(`<style>${styles}</style>${html}`, ({ $$ }) => {
      const count = () => $$(".ds-update").filter((each) => each.checkVisibility()).length;
      const counts = [count()];
      for (const button of $$(".ds-filter")) {
        button.click();
        counts.push(count());
      }
      return { counts, url: location.search };
    });
    assert.deepEqual(seen, { counts: [3, 2, 1], url: "?tags=x%2Cy" });
  });

  it("filters stand in place of the contents that are beside the page", async () => {
    const entries = render(`<Update label="A" tags="x">a</Update><Update label="B">b</Update>`);
    const aside = (style) =>
      `<aside style="${style}"><div class="ds-aside-inner"><nav class="ds-contents">A B</nav></div></aside>`;
    const states = ({ $ }) => [$(".ds-aside-inner .ds-filters") !== null, $(".ds-contents").hidden];
    assert.deepEqual(await inBrowser(aside("") + entries, states), [true, true]);
    assert.deepEqual(await inBrowser(aside("display: none") + entries, states), [false, false]);
  });

  it("views follow one select", async () => {
    const html = render(
      `<View title="Go"><h2 id="g">G</h2></View><p class="out">Always</p><View title="C"><h2 id="c">C</h2></View>`,
    );
    const contents = `<ul id="table-of-contents"><li><a href="#g">G</a></li><li><a href="#c">C</a></li></ul>`;
    const seen = await inBrowser(contents + html, ({ $, shown }) => {
      const state = () => [
        shown(".ds-view").map((view) => view.dataset.view),
        shown("#table-of-contents li").map((item) => item.textContent),
        $$(".multi-view-item").map((item) => item.textContent),
        shown(".out").length,
      ];
      const first = state();
      $("select").value = "C";
      $("select").dispatchEvent(new Event("change"));
      return [first, state()];
    });
    assert.deepEqual(seen, [
      [["Go"], ["G"], ["G"], 1],
      [["C"], ["C"], ["C"], 1],
    ]);
  });

  it("tooltips open on focus and close on Escape", async () => {
    const html = render(`<p><Tooltip tip="Interface">API</Tooltip></p>`);
    const seen = await inBrowser(html, async ({ key, $, wait }) => {
      const visible = () => getComputedStyle($("[role=tooltip]")).display;
      const states = [visible()];
      $("[role=button]").focus();
      await wait(300);
      states.push(visible());
      key(document.activeElement, "Escape");
      await wait(400);
      states.push(visible());
      return states;
    });
    assert.deepEqual(seen, ["none", "block", "none"]);
  });

  it("a picture opens large and gives the focus back", async () => {
    const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="900"/>')}`;
    const html = render(`<Frame><img src="${picture}" alt="Map" /></Frame>`);
    const seen = await inBrowser(html, async ({ key, $ }) => {
      const image = $(".ds-frame img");
      image.focus();
      key(image, "Enter");
      const dialog = $("dialog");
      const opened = dialog.open;
      const closed = new Promise((resolve) => dialog.addEventListener("close", resolve));
      dialog.close();
      await closed;
      return [
        opened,
        $("dialog"),
        document.activeElement === image,
        image.getAttribute("aria-label"),
      ];
    });
    assert.deepEqual(seen, [true, null, true, "Enlarge image: Map"]);
  });

  it("a prompt is copied as Markdown", async () => {
    const html = render(
      `<Prompt description="d"><p>You are <strong>kind</strong>.</p><ul><li>One</li><li>Two</li></ul></Prompt>`,
    );
    const copied = await inBrowser(html, async ({ $, wait }) => {
      let text = "";
      document.execCommand = () => ((text = document.activeElement.value), true);
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      $(".ds-prompt .ds-copy").click();
      await wait(50);
      return text;
    });
    assert.equal(copied, "You are **kind**.\n\n- One\n- Two");
  });

  it("a second pass over the page changes nothing", async () => {
    const html = render(`${TABS}<Color.Item name="a" value="#fff" />`) + code("a", "b");
    const seen = await inBrowser(html, async ({ $$ }) => {
      const count = () => $$("button").length;
      const first = count();
      const script = document.createElement("script");
      script.src = "browser.js";
      await new Promise((resolve) => ((script.onload = resolve), document.head.append(script)));
      return [first, count() - first];
    });
    assert.deepEqual(seen, [2, 0]);
  });
});
