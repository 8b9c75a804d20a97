/** Messages and the field for the next one, in panel and widget. */
import { toClipboard } from "../components/copy";
import { make } from "../components/dom";
import type { Context, Conversation, Message, Source } from "./conversation";
import { type IconName, iconButton, setIcon } from "./icons";
import { CITED, link, rendered } from "./markdown";
import { offerPreview } from "./previews";
import type { Word } from "./words";

const READING = ["wheel", "touchmove", "keydown", "pointerdown"]; // from here on the reader decides what is shown
const GAP_PIXELS = 12;
const LONGEST_QUESTION = "10000";

/** Differences between the panel and the widget. */
export interface ChatOptions {
  word: (name: Word) => string;
  starters: () => Promise<string[]>;
  disclaimer?: string;
  support?: string; // an email address to write to when an answer fails
  onAsk?: () => void;
  onFollow?: () => void;
}

export class Chat {
  readonly log = make("div", { class: "ds-assistant-log chat-assistant-sheet-content", role: "log", tabindex: "0" });
  readonly form: HTMLFormElement;
  private readonly field: HTMLTextAreaElement;
  private readonly button = make("button", { type: "submit", class: "chat-assistant-send-button" });
  private readonly about = make("div", { class: "ds-assistant-about", hidden: "" });
  private readonly views = new Map<Message, HTMLElement>();
  private readonly changed = () => this.render();
  private context: Context | null = null;
  private isFollowing = true;

  constructor(
    private readonly conversation: Conversation,
    private readonly options: ChatOptions,
  ) {
    const { word } = options;
    this.log.setAttribute("aria-label", word("title"));
    this.field = make("textarea", {
      id: "chat-assistant-textarea",
      class: "chat-assistant-input",
      rows: "1",
      placeholder: word("placeholder"),
      "aria-label": word("question"),
      maxlength: LONGEST_QUESTION,
    });
    this.form = make("form", {}, this.about, this.field, this.button);
    if (options.disclaimer) this.form.append(make("p", { class: "ds-assistant-disclaimer chat-assistant-disclaimer-text" }, options.disclaimer));
    this.listen();
  }

  get draft(): string {
    return this.field.value;
  }

  set draft(text: string) {
    this.field.value = text;
  }

  focus(): void {
    this.field.focus();
  }

  /** Set the subject of the next question. */
  askAbout(context: Context | null): void {
    this.context = context;
    this.about.hidden = !context;
    if (!context) return;
    const { word } = this.options;
    const remove = make("button", { type: "button", "aria-label": word("removeContext") }, "×");
    remove.addEventListener("click", () => this.askAbout(null));
    this.about.replaceChildren(make("span", {}, `${word("about")}: ${context.value}`), remove);
  }

  async send(text: string): Promise<void> {
    if (!text || this.conversation.isRunning) return;
    this.draft = "";
    const context = this.context;
    this.askAbout(null);
    this.options.onAsk?.();
    this.isFollowing = true;
    await this.conversation.ask(text, context, this.changed);
  }

  /** Continue an answer that a page change interrupted. */
  resume(): void {
    this.render();
    if (this.conversation.messages.at(-1)?.state === "running") void this.conversation.resume(this.changed);
  }

  clear(): void {
    this.conversation.clear();
    this.askAbout(null);
    this.render();
  }

  render(): void {
    const { messages, isRunning } = this.conversation;
    const { word } = this.options;
    const name = isRunning ? "stop" : "send";
    setIcon(this.button, name, word(name));
    for (const [message, view] of this.views) {
      if (messages.includes(message)) continue;
      view.remove();
      this.views.delete(message);
    }
    if (!messages.length) return this.renderIntro();
    this.log.querySelector(".ds-assistant-intro")?.remove();
    for (const message of messages) this.renderMessage(message, message === messages.at(-1));
    if (this.isFollowing) this.showLast();
  }

  /** The last question at the top, with as much of its answer as fits. */
  private showLast(): void {
    const question = this.conversation.messages.findLast(({ role }) => role === "user");
    const view = question && this.views.get(question);
    if (view) this.log.scrollTop += view.getBoundingClientRect().top - this.log.getBoundingClientRect().top - GAP_PIXELS;
  }

  private listen(): void {
    for (const name of READING) this.log.addEventListener(name, () => (this.isFollowing = false), { passive: true });
    this.log.addEventListener("click", (event) => {
      if ((event.target as Element).closest("a")) this.options.onFollow?.();
    });
    const send = () => void this.send(this.draft.trim());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.conversation.isRunning) this.conversation.stop();
      else send();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      send();
    });
  }

  private renderIntro(): void {
    if (this.log.querySelector(".ds-assistant-intro")) return;
    const { word, starters } = this.options;
    const intro = make("div", { class: "ds-assistant-intro" }, make("p", {}, word("intro")));
    this.log.replaceChildren(intro);
    void starters().then((questions) => {
      if (questions.length) intro.append(this.questionList(questions, word("starters")));
    });
  }

  private renderMessage(message: Message, isLast: boolean): void {
    let view = this.views.get(message);
    if (!view) {
      view = make("article", { class: "ds-assistant-message", "data-role": message.role });
      this.views.set(message, view);
      this.log.append(view);
    }
    const { state, text, sources, nearest, contradicted, suggestions, helpful } = message;
    const counts = [text.length, sources.length, nearest?.length, contradicted?.length, suggestions.length];
    const stamp = [state, ...counts, isLast, helpful].join(" ");
    if (view.dataset.stamp === stamp) return;
    view.dataset.stamp = stamp;
    // Screen readers read an answer once, when it is complete, not each time that it grows.
    view.setAttribute("aria-busy", String(state === "running"));
    const focused = this.pressed(view);
    update(view, message.role === "user" ? [make("p", {}, text)] : this.answer(message, isLast));
    if (focused && this.pressed(view) !== focused) this.focusAgain(view, focused);
  }

  /** Return the text of the focused button. */
  private pressed(view: HTMLElement): string | null {
    const { activeElement } = view.getRootNode() as Document | ShadowRoot;
    return activeElement instanceof HTMLButtonElement && view.contains(activeElement) ? activeElement.textContent : null;
  }

  /** Focus the button that replaces a pressed one, or else the log. */
  private focusAgain(view: HTMLElement, label: string): void {
    const same = [...view.querySelectorAll("button")].find(({ textContent }) => textContent === label);
    (same ?? this.log).focus({ preventScroll: true });
  }

  private answer(message: Message, isLast: boolean): Node[] {
    const { word } = this.options;
    const parts = [...rendered(marked(message, word("contradicted"))), ...this.notes(message)];
    if (message.state !== "running") parts.push(...this.ending(message, isLast));
    offerPreviews(parts, message.sources);
    return parts;
  }

  /** Return the lists and buttons below a complete answer; below a growing one they would move. */
  private ending(message: Message, isLast: boolean): Node[] {
    const { word } = this.options;
    const parts: Node[] = [];
    if (message.sources.length) parts.push(this.sourceList(message.sources, word("sources")));
    if (message.nearest?.length) parts.push(this.sourceList(message.nearest, word("nearest")));
    parts.push(this.actions(message, isLast));
    if (isLast && message.state === "done" && message.suggestions.length) {
      parts.push(this.questionList(message.suggestions, word("starters")));
    }
    return parts;
  }

  private notes({ state, text, error }: Message): Node[] {
    const { word, support } = this.options;
    if (state === "running" && !text) return [note(word("thinking"))];
    if (state === "stopped") return [note(word("stopped"))];
    if (state !== "failed") return [];
    const happened = word(text ? "failed" : "unanswered");
    const failure = note(error ? `${happened}: ${error}` : happened);
    failure.setAttribute("role", "alert");
    if (support) failure.append(/\p{P}$/u.test(failure.textContent) ? " " : ". ", make("a", { href: `mailto:${support}` }, word("support")));
    return [failure];
  }

  private sourceList(found: Source[], label: string): HTMLElement {
    const items = found.map(({ title, url }) => make("li", {}, link(title, url)));
    const list = make("nav", { class: "ds-assistant-sources", "aria-label": label });
    list.append(make("p", { "aria-hidden": "true" }, label), make("ol", {}, ...items));
    return list;
  }

  private actions(message: Message, isLast: boolean): HTMLElement {
    const { word } = this.options;
    const bar = make("div", { class: "ds-assistant-actions" });
    if (message.text) {
      bar.append(
        action("copy", word("copy"), async (button) => {
          if (await toClipboard(marked(message, word("contradicted")))) setIcon(button, "copy", word("copied"));
        }),
      );
    }
    if (isLast && message.state === "stopped") {
      bar.append(action("again", word("rest"), () => this.conversation.resume(this.changed)));
    }
    if (isLast) bar.append(action("again", word("retry"), () => this.conversation.retry(this.changed)));
    if (message.state === "done") bar.append(...this.thumbs(message));
    return bar;
  }

  private thumbs(message: Message): HTMLElement[] {
    const { word } = this.options;
    return [true, false].map((helpful) => {
      const button = action(helpful ? "good" : "bad", word(helpful ? "good" : "bad"), async () => {
        await this.conversation.judge(message, helpful).catch(() => {});
        this.render();
        if (!helpful) this.askWhy(message);
      });
      button.setAttribute("aria-pressed", String(message.helpful === helpful));
      return button;
    });
  }

  private askWhy(message: Message): void {
    const { word } = this.options;
    const field = make("input", { type: "text", maxlength: "4000", placeholder: word("comment"), "aria-label": word("comment") });
    const form = make("form", { class: "ds-assistant-why" }, field, make("button", { type: "submit" }, word("send")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      void this.conversation.judge(message, false, field.value.trim()).catch(() => {});
      const thanks = note(word("thanks"));
      thanks.setAttribute("role", "status");
      form.replaceWith(thanks);
    });
    const view = this.views.get(message);
    view?.querySelector(".ds-assistant-why")?.remove();
    view?.querySelector(".ds-assistant-actions")?.after(form);
    field.focus();
  }

  private questionList(questions: string[], label: string): HTMLElement {
    const list = make("div", { class: "ds-assistant-suggestions", role: "group", "aria-label": label });
    for (const text of questions) {
      // The button goes with the next answer; who pressed it by keyboard goes on in the log.
      const button = make("button", { type: "button", class: "starter-question-text" }, text);
      button.addEventListener("click", () => (this.log.focus({ preventScroll: true }), this.send(text)));
      list.append(button);
    }
    return list;
  }
}

/** The answer's Markdown with a note behind each sentence that a passage contradicts. */
function marked({ text, contradicted = [] }: Message, label: string): string {
  const urls = new Map(contradicted.map(({ sentence, url }) => [sentence, url]));
  for (const [sentence, url] of urls) {
    const [, words, end] = /^(.*?)(\s*\|\s*)?$/s.exec(sentence) as RegExpExecArray; // a row ends with its last cell
    const note = `**⚠ ${url ? `[${label}](${url})` : label}**`;
    text = text.replaceAll(sentence, () => `${words} ${note}${end ?? ""}`);
  }
  return text;
}

/** Replace children from the first that changed, so that what is selected or scrolled before it stays. */
function update(view: HTMLElement, parts: Node[]): void {
  const changed = parts.findIndex((part, at) => !view.childNodes[at]?.isEqualNode(part));
  const kept = changed < 0 ? parts.length : changed;
  while (view.childNodes.length > kept) view.lastChild?.remove();
  view.append(...parts.slice(kept));
}

function offerPreviews(parts: Node[], sources: Source[]): void {
  for (const part of parts) {
    if (!(part instanceof Element)) continue;
    for (const each of part.querySelectorAll<HTMLAnchorElement>(`.${CITED}, .ds-assistant-sources a`)) {
      const isCitation = each.className === CITED;
      offerPreview(each, isCitation ? sources[Number(each.textContent) - 1]?.title : "");
    }
  }
}

function note(text: string): HTMLElement {
  return make("p", { class: "ds-assistant-note" }, text);
}

function action(icon: IconName, label: string, act: (button: HTMLButtonElement) => unknown): HTMLButtonElement {
  const button = iconButton(icon, label, () => void act(button));
  return button;
}
