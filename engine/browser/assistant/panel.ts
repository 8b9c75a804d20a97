/** The panel: a log of what was said and a field to say more. */
import { copy } from "../components/copy";
import { make } from "../components/dom";
import { read, write } from "../components/storage";
import type { Conversation, Message } from "./conversation";
import { link, rendered } from "./markdown";
import { word } from "./words";

const OPEN = "ds-assistant-open";

export class Panel {
  readonly element = make("aside", {
    id: "chat-assistant-sheet",
    class: "ds-assistant",
    role: "complementary",
    "aria-label": word("title"),
    hidden: "",
  });
  private readonly log = make("div", { class: "ds-assistant-log", role: "log", "aria-live": "polite", tabindex: "0" });
  private readonly field = make("textarea", {
    id: "chat-assistant-textarea",
    rows: "1",
    placeholder: word("placeholder"),
    "aria-label": word("question"),
    maxlength: "10000",
  });
  private readonly button = make("button", { type: "submit" }, word("send"));
  private readonly about = make("div", { class: "ds-assistant-about", hidden: "" });
  private readonly views = new Map<Message, HTMLElement>();
  private context: string | null = null;
  private opener: Element | null = null;

  constructor(private readonly conversation: Conversation) {
    const form = make("form", {}, this.about, this.field, this.button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (conversation.isRunning) conversation.stop();
      else this.send(this.field.value.trim());
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!conversation.isRunning) this.send(this.field.value.trim());
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    this.element.append(this.head(), this.log, form);
  }

  toggle(): void {
    if (this.element.hidden) this.show();
    else this.hide();
  }

  show(): void {
    this.opener = document.activeElement;
    this.element.hidden = false;
    document.documentElement.dataset.assistant = "open";
    remember(true);
    this.draw();
    this.field.focus();
  }

  hide(): void {
    this.element.hidden = true;
    delete document.documentElement.dataset.assistant;
    remember(false);
    if (this.opener instanceof HTMLElement) this.opener.focus();
  }

  /** Opens with something of the page to ask about. */
  ask(context: string): void {
    this.context = context;
    this.show();
    this.showContext();
  }

  send(text: string): void {
    if (!text) return;
    this.field.value = "";
    const context = this.context;
    this.context = null;
    this.showContext();
    void this.conversation.ask(text, context, () => this.draw());
  }

  /** What was open on the page before is open on this one, and goes on where it was. */
  restore(): void {
    if (!wasOpen()) return;
    this.element.hidden = false;
    document.documentElement.dataset.assistant = "open";
    this.draw();
    void this.conversation.resume(() => this.draw());
  }

  private head(): HTMLElement {
    const fresh = make("button", { type: "button" }, word("fresh"));
    fresh.addEventListener("click", () => {
      this.conversation.clear();
      this.views.clear();
      this.log.replaceChildren();
      this.draw();
      this.field.focus();
    });
    const close = make("button", { type: "button", "aria-label": word("close") }, "×");
    close.addEventListener("click", () => this.hide());
    return make("header", {}, make("h2", {}, word("title")), fresh, close);
  }

  private showContext(): void {
    this.about.hidden = !this.context;
    if (!this.context) return;
    const remove = make("button", { type: "button", "aria-label": word("removeContext") }, "×");
    remove.addEventListener("click", () => {
      this.context = null;
      this.showContext();
    });
    this.about.replaceChildren(make("span", {}, `${word("about")}: ${this.context}`), remove);
  }

  private draw(): void {
    const { messages, isRunning } = this.conversation;
    this.button.textContent = isRunning ? word("stop") : word("send");
    if (!messages.length) {
      this.log.replaceChildren(make("p", { class: "ds-assistant-intro" }, word("intro")));
      return;
    }
    this.log.querySelector(".ds-assistant-intro")?.remove();
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60;
    for (const [message, view] of this.views) {
      if (!messages.includes(message)) {
        view.remove();
        this.views.delete(message);
      }
    }
    for (const message of messages) this.drawMessage(message, message === messages.at(-1));
    if (atEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  private drawMessage(message: Message, isLast: boolean): void {
    let view = this.views.get(message);
    if (!view) {
      view = make("article", { class: "ds-assistant-message", "data-role": message.role });
      this.views.set(message, view);
      this.log.append(view);
    }
    const stamp = `${message.state} ${message.text.length} ${message.sources.length} ${isLast} ${message.helpful}`;
    if (view.dataset.stamp === stamp) return;
    view.dataset.stamp = stamp;
    if (message.role === "user") view.replaceChildren(make("p", {}, message.text));
    else view.replaceChildren(...this.answer(message, isLast));
  }

  private answer(message: Message, isLast: boolean): Node[] {
    const parts = rendered(message.text);
    if (message.state === "running" && !message.text) {
      parts.push(make("p", { class: "ds-assistant-note" }, word("thinking")));
    }
    if (message.state === "stopped") parts.push(make("p", { class: "ds-assistant-note" }, word("stopped")));
    if (message.state === "failed") {
      parts.push(make("p", { class: "ds-assistant-note", role: "alert" }, `${word("failed")}: ${message.error ?? ""}`));
    }
    if (message.sources.length) parts.push(sources(message));
    if (message.state !== "running") parts.push(this.actions(message, isLast));
    if (isLast && message.state === "done") parts.push(...this.suggestions(message));
    return parts;
  }

  private actions(message: Message, isLast: boolean): HTMLElement {
    const bar = make("div", { class: "ds-assistant-actions" });
    bar.append(
      action(word("copy"), async (button) => {
        if (await copy(message.text)) button.textContent = word("copied");
      }),
    );
    if (isLast) bar.append(action(word("retry"), () => this.conversation.retry(() => this.draw())));
    if (message.state === "done") bar.append(...this.thumbs(message));
    return bar;
  }

  private thumbs(message: Message): HTMLElement[] {
    return [true, false].map((helpful) => {
      const button = action(word(helpful ? "good" : "bad"), async () => {
        await this.conversation.judge(message, helpful).catch(() => {});
        this.draw();
        if (!helpful) this.askWhy(message);
      });
      button.setAttribute("aria-pressed", String(message.helpful === helpful));
      return button;
    });
  }

  private askWhy(message: Message): void {
    const field = make("input", { type: "text", maxlength: "4000", placeholder: word("comment"), "aria-label": word("comment") });
    const form = make("form", { class: "ds-assistant-why" }, field, make("button", { type: "submit" }, word("send")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      void this.conversation.judge(message, false, field.value.trim()).catch(() => {});
      form.replaceWith(make("p", { class: "ds-assistant-note" }, word("thanks")));
    });
    this.views.get(message)?.append(form);
    field.focus();
  }

  private suggestions(message: Message): HTMLElement[] {
    if (!message.suggestions.length) return [];
    const list = make("div", { class: "ds-assistant-suggestions" });
    for (const text of message.suggestions) list.append(action(text, () => this.send(text)));
    return [list];
  }
}

function sources(message: Message): HTMLElement {
  const items = message.sources.map(({ title, url }) => make("li", {}, link(title, url)));
  return make("nav", { class: "ds-assistant-sources", "aria-label": word("sources") }, make("ol", {}, ...items));
}

function action(label: string, act: (button: HTMLButtonElement) => unknown): HTMLButtonElement {
  const button = make("button", { type: "button" }, label);
  button.addEventListener("click", () => void act(button));
  return button;
}

function remember(open: boolean): void {
  write("session", OPEN, String(open));
}

function wasOpen(): boolean {
  return read("session", OPEN) === "true";
}
