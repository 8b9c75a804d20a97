/** The search dialog: a combobox over a list of sections. Focus goes back where it was. */

import { addStyles } from "../components/dom";
import { Chips } from "./chips";
import styles from "./dialog.css";
import { type Found, type Index, MOST_RESULTS } from "./index";
import { firstPages, keepSearch, recentSearches } from "./recent";
import type { Result } from "./scope";
import { word } from "./texts";
import { plain } from "./words";

const CJK = /[\u3040-\uffff]/;
const TOO_SHORT = /^[\x20-\x7e]?$/; // one letter finds anything
const SKELETON_AFTER = 100; // ms
const PAUSE = 140; // ms without a keystroke, where each file of a query is a request
const LINE = "display:block;height:.875rem;margin:0 0 1rem;border-radius:.375rem;background:var(--ds-bg-hover)";
const SKELETON = `<span style="${LINE}"></span><span style="${LINE};width:70%"></span>`;
const NOTHING: Found = { results: [], words: [], hasMore: false };
const ICONS = {
  search: '<circle cx="11" cy="11" r="6.5"/><path d="M16 16l4.5 4.500"/>',
  page: '<path d="M13.500 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.500zM13.500 3v5.500H19"/>',
  section: '<path d="M9.500 4L7.500 20M16.500 4l-2 16M4.500 9h15.500M4 15h15.500"/>',
  recent: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.500V12l3 2"/>',
  ask: '<path d="M12 3.500l1.800 5 5 1.800-5 1.800-1.800 5-1.800-5-5-1.800 5-1.800z"/>',
  enter: '<path d="M19 6v5a3 3 0 0 1-3 3H5M9 10l-4 4 4 4"/>',
};

export class SearchDialog {
  private readonly dialog: HTMLDialogElement;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private readonly note: HTMLElement;
  private readonly status: HTMLElement;
  private readonly chips: Chips;
  private asked = 0;
  private chosen = -1;
  private hasChosen = false; // the reader, among the results of this query
  private shown = NOTHING;

  constructor(
    private readonly index: Index,
    private readonly root: string,
    prompt: string,
  ) {
    this.dialog = document.createElement("dialog");
    this.dialog.className = "ds-search-dialog";
    this.dialog.setAttribute("aria-label", prompt);
    this.dialog.innerHTML = frame(prompt);
    addStyles(styles);
    document.body.append(this.dialog);
    this.input = this.dialog.querySelector("input")!;
    this.list = this.dialog.querySelector("[role=listbox]")!;
    this.note = this.dialog.querySelector(".ds-search-note")!;
    this.status = this.dialog.querySelector("[role=status]")!;
    this.chips = new Chips(this.dialog.querySelector(".ds-search-chips")!, () => {
      this.index.searchVersion(this.chips.choices.version);
      this.input.focus();
      void this.answer();
    });
    this.listen();
  }

  /** Open the dialog. Its field continues what was `typed` before there was one. */
  open(typed = ""): void {
    if (this.dialog.open) return;
    this.dialog.showModal();
    if (typed) this.searchAgain(typed);
    else this.input.select();
    if (this.input.value === "") this.showStart();
    void this.index.prepare().catch(() => undefined); // a query says what went wrong
    void this.index.versions().then((found) => this.chips.knowVersions(found), () => undefined);
  }

  private listen(): void {
    this.input.addEventListener("input", () => {
      this.chips.reset();
      void this.answer(true);
    });
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.dialog.addEventListener("click", (event) => {
      const target = event.target as Element;
      const again = target.closest<HTMLElement>("[data-again]");
      if (again) return this.searchAgain(again.dataset.again!);
      const question = target.closest<HTMLElement>("[data-ask]")?.dataset.ask;
      if (question === undefined && target.closest("a")) keepSearch(this.input.value);
      if (!target.closest(".ds-search-box") || target.closest("a, [data-ask], [data-close]")) this.dialog.close();
      if (question) document.dispatchEvent(new CustomEvent("docstead:ask", { detail: question }));
    });
    for (const move of ["wheel", "touchmove", "pointermove"]) {
      this.list.addEventListener(move, () => void this.showMore(), { passive: true });
    }
    this.list.addEventListener("pointermove", (event) => {
      const option = (event.target as Element).closest("[role=option]");
      if (!option) return;
      this.hasChosen = true;
      this.choose([...this.list.children].indexOf(option.parentElement!), false);
    });
  }

  private searchAgain(query: string): void {
    this.input.value = query;
    this.input.focus();
    void this.answer();
  }

  private press(event: KeyboardEvent): void {
    const count = this.list.children.length;
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.hasChosen = true;
      void this.showMore();
      const from = this.chosen < 0 && step < 0 ? 0 : this.chosen;
      if (count > 0) this.choose((from + step + count) % count, true);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const option = this.option(this.chosen);
      option?.dispatchEvent(new MouseEvent("click", { ...modifiers(event), bubbles: true, cancelable: true }));
    }
  }

  /** Show the results of what is typed. While the reader `isTyping`, a query may wait for a pause. */
  private async answer(isTyping = false): Promise<void> {
    const query = this.input.value;
    const number = ++this.asked;
    this.hasChosen = false;
    const isLast = () => number === this.asked; // nothing newer was typed
    const show = (found: Found, note: string) => {
      if (isLast()) this.show(found, note);
    };
    const none = word("none").replace("{query}", query.trim());
    const waiting = setTimeout(() => isLast() && this.wait(), SKELETON_AFTER);
    try {
      if (query.trim() === "") this.showStart();
      else if (TOO_SHORT.test(query.trim())) show(NOTHING, word("hint"));
      else {
        if (isTyping && !(await this.index.isJoined())) await new Promise((done) => setTimeout(done, PAUSE));
        if (!isLast()) return;
        const found = await this.index.search(query, this.chips.choices.part, isLast);
        show(found, found.results.length > 0 ? "" : none);
      }
    } catch {
      show(NOTHING, word("failed"));
    } finally {
      clearTimeout(waiting);
    }
    if (isLast()) this.dialog.dataset.answered = query;
  }

  /** Add results of other files when the reader moves to the results. */
  private async showMore(): Promise<void> {
    const { shown, asked } = this;
    if (!shown.hasMore) return;
    this.shown = NOTHING; // once
    const isLast = () => asked === this.asked;
    const more = await this.index.search(this.input.value, "", isLast, true).catch(() => NOTHING);
    if (isLast()) this.show(joined(shown, more), "", true);
  }

  /** While the first query of a visit reads the index: gray lines instead of an idle sentence. */
  private wait(): void {
    if (this.list.children.length > 0) return;
    this.note.hidden = false;
    this.note.innerHTML = SKELETON;
  }

  private showStart(): void {
    const again = recentSearches().map((query) => this.plainRow("recent", query, { again: query }));
    const pages = firstPages().map(([name, href]) => this.plainRow("page", name, {}, href));
    this.showRows([...again, ...pages], word("hint"));
  }

  private showRows(rows: HTMLElement[], note: string): void {
    rows.forEach((row, index) => (row.firstElementChild!.id = `ds-search-option-${index}`));
    this.chips.offer([]);
    this.shown = NOTHING;
    this.list.replaceChildren(...rows);
    this.list.hidden = rows.length === 0;
    this.input.setAttribute("aria-expanded", String(rows.length > 0));
    this.note.textContent = note;
    this.note.hidden = note === "" || rows.length > 0;
    this.chosen = -1;
    this.input.removeAttribute("aria-activedescendant");
  }

  private plainRow(kind: keyof typeof ICONS, text: string, data: Record<string, string>, href?: string) {
    const row = document.createElement("li");
    row.setAttribute("role", "presentation");
    const option = document.createElement(href ? "a" : "div");
    if (href) (option as HTMLAnchorElement).href = href;
    option.className = "ds-search-option";
    option.tabIndex = -1;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.setAttribute("cmdk-item", "");
    Object.assign(option.dataset, data);
    option.innerHTML = icon(kind);
    option.append(element("span", "ds-search-text", text));
    row.append(option);
    return row;
  }

  /** The last row, where the site has an assistant: the query as a question. */
  private askRow(): HTMLElement[] {
    const entry = document.getElementById("assistant-entry");
    const query = this.input.value.trim();
    if (!entry || TOO_SHORT.test(query)) return [];
    return [this.plainRow("ask", `${entry.textContent}: ${query}`, { ask: query })];
  }

  private show(answer: Found, note: string, isMore = false): void {
    const { results: found, words } = answer;
    this.shown = answer;
    this.chips.offer(found);
    const marks = new Set(words);
    const results = folded(found);
    const kept = this.hasChosen ? this.option(this.chosen)?.getAttribute("href") : undefined;
    let before = "";
    const asks = this.askRow();
    asks.forEach((row) => (row.firstElementChild!.id = `ds-search-option-${results.length}`));
    this.list.replaceChildren(
      ...results.map((result, index) => {
        const isBelow = result.anchor !== "" && result.url === before;
        before = result.url;
        return this.row(result, index, marks, isBelow);
      }),
      ...asks,
    );
    const count = results.length + asks.length;
    this.list.hidden = count === 0;
    this.input.setAttribute("aria-expanded", String(count > 0));
    this.note.textContent = note;
    this.note.hidden = note === "";
    const summary = word("found").replace("{count}", String(results.length));
    this.status.textContent = results.length > 0 ? summary : note;
    const rows = results.map((_, index) => this.option(index)?.getAttribute("href"));
    const again = kept ? rows.indexOf(kept) : -1;
    if (again < 0 && !isMore) this.list.scrollTop = 0;
    this.choose(results.length > 0 ? Math.max(again, 0) : -1, again >= 0 && !isMore);
  }

  private row(result: Result, index: number, marks: ReadonlySet<string>, isBelow: boolean) {
    const isPage = result.anchor === "";
    const name = isPage ? result.title : (result.headings.split(" › ").at(-1) ?? "");
    const above = isPage ? [] : [isBelow ? "" : result.title, ...result.headings.split(" › ").slice(0, -1)];
    if (!isBelow) above.unshift(result.part);
    const row = document.createElement("li");
    row.setAttribute("role", "presentation");
    row.className = isBelow ? "ds-search-below" : "";
    const option = document.createElement("a");
    option.className = "ds-search-option";
    option.id = `ds-search-option-${index}`;
    option.tabIndex = -1;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    option.setAttribute("cmdk-item", "");
    option.href = this.root + result.url + (isPage ? "" : `#${encodeURIComponent(result.anchor)}`);
    option.innerHTML = icon(isPage ? "page" : "section");
    const text = element("span", "ds-search-text");
    const title = element("span", "ds-search-title");
    if (result.method) title.append(method(result.method));
    title.append(...marked(name, marks));
    text.append(title);
    const where = above.filter(Boolean).join(" › ");
    if (where) text.append(element("span", "ds-search-where", where));
    if (result.excerpt) {
      const excerpt = element("span", "ds-search-excerpt");
      excerpt.append(...marked(result.excerpt, marks));
      text.append(excerpt);
    }
    option.append(text);
    option.insertAdjacentHTML("beforeend", icon("enter"));
    row.append(option);
    return row;
  }

  private option(index: number): HTMLElement | null {
    return this.list.children[index]?.querySelector<HTMLElement>("[role=option]") ?? null;
  }

  private choose(index: number, scroll: boolean): void {
    const before = this.option(this.chosen);
    before?.setAttribute("aria-selected", "false");
    before?.removeAttribute("data-selected");
    this.chosen = index;
    const option = this.option(index);
    option?.setAttribute("aria-selected", "true");
    option?.setAttribute("data-selected", "true");
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    if (scroll) option?.scrollIntoView({ block: "nearest" });
  }
}

/** Results that are shown, then others; rows that are there stay where they are. */
function joined(shown: Found, more: Found): Found {
  const keyOf = ({ url, anchor }: Result) => `${url}#${anchor}`;
  const known = new Set(shown.results.map(keyOf));
  const results = [...shown.results, ...more.results.filter((each) => !known.has(keyOf(each)))];
  return { results: results.slice(0, MOST_RESULTS), words: shown.words, hasMore: false };
}

/** Equal sections of several products or versions as one, which names them all. */
function folded(results: readonly Result[]): Result[] {
  const rows = new Map<string, Result>();
  for (const result of results) {
    const key = JSON.stringify([result.title, result.headings, result.excerpt, result.method]);
    const first = rows.get(key);
    if (!first) rows.set(key, { ...result });
    else if (first.url === result.url) rows.set(`${key}#${result.anchor}`, result);
    else if (result.part && !first.part.split(" · ").includes(result.part)) first.part += ` · ${result.part}`;
  }
  return [...rows.values()];
}

function frame(prompt: string): string {
  const text = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<div class="ds-search-box">
<div class="ds-search-field">${icon("search")}<input type="text" cmdk-input role="combobox" aria-label="${text(prompt)}" placeholder="${text(prompt)}" aria-autocomplete="list" aria-expanded="false" aria-controls="ds-search-list" autocomplete="off" autocorrect="off" autocapitalize="off" spellcheck="false" enterkeyhint="go"><button type="button" class="ds-search-close" data-close aria-label="${text(word("close"))}"><kbd data-keys="Esc"></kbd></button></div>
<div class="ds-search-chips" hidden></div>
<ul id="ds-search-list" class="ds-search-list" role="listbox" aria-label="${text(prompt)}" hidden></ul>
<p class="ds-search-note">${text(word("hint"))}</p>
<p class="ds-search-status" role="status"></p>
<p class="ds-search-keys" aria-hidden="true"><span><kbd>↑</kbd><kbd>↓</kbd>${text(word("select"))}</span><span><kbd>↵</kbd>${text(word("open"))}</span><span><kbd>Esc</kbd>${text(word("close"))}</span></p>
</div>`;
}

function icon(name: keyof typeof ICONS): string {
  return `<svg class="ds-search-icon ds-search-icon-${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${ICONS[name]}</svg>`;
}

function element(name: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function method(name: string): HTMLElement {
  const pill = element("span", "ds-method", name === "DELETE" ? "DEL" : name);
  pill.dataset.method = name;
  return pill;
}

/** A text with the words that were found marked. */
function marked(text: string, words: ReadonlySet<string>): (string | HTMLElement)[] {
  return text
    .split(/([\p{L}\p{N}_]+)/u)
    .filter(Boolean)
    .flatMap((piece) => {
      if (isFound(piece, words)) return [element("mark", "", piece)];
      return CJK.test(piece) ? markedWithin(piece, words) : [piece];
    });
}

/** Chinese, Japanese and Korean have no spaces: the found characters of a sentence are marked. */
function markedWithin(piece: string, words: ReadonlySet<string>): (string | HTMLElement)[] {
  const text = plain(piece).toLowerCase();
  const found = new Set<number>();
  for (const word of words) {
    if (word.length === 1 && !CJK.test(word)) continue;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      for (let i = 0; i < word.length; i++) found.add(at + i);
    }
  }
  const runs: { text: string; isFound: boolean }[] = [];
  for (const [at, letter] of piece.split("").entries()) {
    const last = runs.at(-1);
    if (last?.isFound === found.has(at)) last.text += letter;
    else runs.push({ text: letter, isFound: found.has(at) });
  }
  return runs.map((run) => (run.isFound ? element("mark", "", run.text) : run.text));
}

function isFound(piece: string, words: ReadonlySet<string>): boolean {
  const word = plain(piece).toLowerCase();
  return words.has(word) || words.has(word.replace(/_/g, ""));
}

function modifiers({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): MouseEventInit {
  return { ctrlKey, metaKey, shiftKey };
}
