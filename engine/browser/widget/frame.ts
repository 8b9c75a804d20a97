/** The widget as elements of a closed shadow tree: a button, and what it opens. */
import { Chat } from "../assistant/chat";
import type { Conversation } from "../assistant/conversation";
import { word, type Word } from "../assistant/words";
import { drawing, make } from "../components/dom";
import { isDark, shades } from "./colors";
import type { Config } from "./config";
import style from "./widget.css";

const SPEECH = ["M21 11.5a8.4 8.4 0 0 1-12 7.6L3 21l1.9-6A8.5 8.5 0 1 1 21 11.5z"];
const TAG = "docs-assistant";

export interface Wishes {
  toggle(): void;
  close(): void;
  fresh(): void;
  asked(): void;
  followed(): void;
}

export class Frame {
  readonly chat: Chat;
  private readonly host = document.createElement(TAG);
  private readonly shadow = this.host.attachShadow({ mode: "closed" });
  private readonly sheet: HTMLDialogElement;
  private readonly trigger = make("button", { type: "button", class: "trigger", "aria-haspopup": "dialog" });
  private readonly root = make("div", { class: "root" });
  private opener: Element | null = null;

  constructor(
    private readonly config: Config,
    conversation: Conversation,
    private readonly wishes: Wishes,
  ) {
    const { labels, supportEmail, starterQuestions } = config;
    this.chat = new Chat(conversation, {
      word: (name) => this.word(name),
      starters: async () => (starterQuestions.length ? starterQuestions : conversation.starters()),
      disclaimer: labels.disclaimer || undefined,
      support: supportEmail || undefined,
      onAsk: wishes.asked,
      onFollow: wishes.followed,
    });
    this.sheet = make("dialog", { class: "ds-assistant sheet", "aria-label": labels.title });
    this.sheet.append(this.head(), this.chat.log, this.chat.form);
    this.trigger.append(this.logo(), make("span", {}, labels.trigger));
    this.insert();
    this.listen();
  }

  get isOpen(): boolean {
    return this.sheet.open;
  }

  show(focus: boolean): void {
    if (this.isOpen) return focus ? this.chat.focus() : undefined;
    this.showTheme();
    this.opener = document.activeElement === this.host ? this.shadow.activeElement : document.activeElement;
    if (this.config.appearance.variant === "modal") this.sheet.showModal();
    else this.sheet.setAttribute("open", ""); // `show()` would take the focus
    this.trigger.setAttribute("aria-expanded", "true");
    this.chat.resume();
    if (focus) this.chat.focus();
  }

  hide(): void {
    if (!this.isOpen) return;
    const hadFocus = this.sheet.contains(this.shadow.activeElement);
    this.sheet.close();
    this.trigger.setAttribute("aria-expanded", "false");
    const isGone = !(this.opener instanceof HTMLElement) || this.opener === document.body || !this.opener.isConnected;
    if (hadFocus) (isGone ? this.trigger : (this.opener as HTMLElement)).focus();
  }

  remove(): void {
    document.removeEventListener("pointerdown", this.onOutside, true);
    this.host.remove();
  }

  private readonly onOutside = (event: Event): void => {
    if (this.isOpen && !event.composedPath().includes(this.host)) this.wishes.close();
  };

  private listen(): void {
    this.trigger.addEventListener("click", this.wishes.toggle);
    this.sheet.addEventListener("cancel", (event) => {
      event.preventDefault(); // a modal dialog would close without a word
      this.wishes.close();
    });
    this.sheet.addEventListener("keydown", (event) => {
      event.stopPropagation(); // shortcuts of the page are not meant
      if (event.key === "Escape" && this.config.appearance.variant !== "modal") this.wishes.close();
    });
    if (!this.config.appearance.dismissOnInteractOutside) return;
    document.addEventListener("pointerdown", this.onOutside, true);
    this.sheet.addEventListener("click", (event) => {
      if (event.target === this.sheet) this.wishes.close(); // behind a modal dialog there is only this
    });
  }

  /** Add the widget to the page, out of reach of the page's style sheets and scripts. */
  private insert(): void {
    const { appearance, nonce } = this.config;
    const { root } = this;
    const { direction } = getComputedStyle(document.documentElement);
    Object.assign(root.dataset, { variant: appearance.variant, side: appearance.side, align: appearance.align });
    Object.assign(root, { dir: direction, lang: document.documentElement.lang });
    this.showTheme();
    const { fill, on, light, dark } = shades(appearance.accent);
    const variables = { fill, on, "accent-light": light, "accent-dark": dark, font: appearance.font };
    for (const [name, value] of Object.entries(variables)) root.style.setProperty(`--${name}`, value);
    root.style.setProperty("--radius", `${appearance.radius}px`);
    root.style.setProperty("--layer", String(appearance.zIndex));
    root.append(this.trigger, this.sheet);
    this.shadow.append(root);
    dress(this.shadow, nonce);
    document.body.append(this.host);
  }

  /** The system's theme, unless the page is light: its text is dark in a dark system, too. */
  private showTheme(): void {
    const { theme } = this.config.appearance;
    const isLight = theme === "system" && isDark(getComputedStyle(document.body).color);
    this.root.dataset.theme = isLight ? "light" : theme;
  }

  private head(): HTMLElement {
    const fresh = make("button", { type: "button" }, word("fresh"));
    fresh.addEventListener("click", this.wishes.fresh);
    const close = make("button", { type: "button", class: "ds-assistant-close", "aria-label": word("close") }, "×");
    close.addEventListener("click", this.wishes.close);
    return make("header", {}, this.logo(), make("h2", {}, this.config.labels.title), fresh, close);
  }

  private logo(): Element {
    const { logo } = this.config.appearance;
    return logo ? make("img", { src: logo, alt: "", class: "logo" }) : drawing(...SPEECH);
  }

  private word(name: Word): string {
    const { title, placeholder, suggestions } = this.config.labels;
    return { title, placeholder, starters: suggestions }[name as string] ?? word(name);
  }
}

/** A policy of the page that forbids style elements does not forbid sheets made by scripts. */
function dress(shadow: ShadowRoot, nonce: string): void {
  if ("adoptedStyleSheets" in shadow) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    shadow.adoptedStyleSheets = [sheet];
  } else (shadow as ShadowRoot).append(make("style", { nonce: nonce || undefined }, style));
}
