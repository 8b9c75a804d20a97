/** The panel of a site: next to the page, or instead of it where a page says so. */
import { all, make } from "../components/dom";
import { write } from "../components/storage";
import { Chat } from "./chat";
import type { Context, Conversation } from "./conversation";
import { iconButton } from "./icons";
import { OPEN } from "./loading";
import { resizable } from "./resizing";
import { word } from "./words";

const COVERS_PAGE = "(max-width: 40rem)"; // from here on it covers the page
const REACHABLE = "button, textarea, input, a[href], [tabindex='0']";

export class Panel {
  readonly element = make("aside", {
    id: "chat-assistant-sheet",
    class: "ds-assistant chat-assistant-sheet",
    "aria-label": word("title"),
    hidden: "",
  });
  private readonly chat: Chat;
  private opener: Element | null = null;
  private readonly narrowScreen = matchMedia(COVERS_PAGE);

  constructor(conversation: Conversation) {
    this.chat = new Chat(conversation, { word, starters: () => conversation.starters() });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
      if (event.key === "Tab" && this.narrowScreen.matches) this.keepFocus(event);
    });
    this.element.append(this.head(), this.chat.log, this.chat.form, resizable(this.element));
    this.narrowScreen.addEventListener("change", () => this.updateRole());
    this.updateRole();
  }

  toggle(): void {
    if (this.element.hidden) this.show();
    else this.hide();
  }

  show(): void {
    this.opener = document.activeElement;
    this.reveal();
    this.chat.focus();
  }

  hide(): void {
    this.element.hidden = true;
    delete document.documentElement.dataset.assistant;
    write("session", OPEN, "false");
    const { opener } = this;
    const isGone = !(opener instanceof HTMLElement) || opener === document.body || !opener.isConnected;
    (isGone ? document.getElementById("assistant-entry") : opener)?.focus();
  }

  /** Next to the page it is a landmark that Tab enters and leaves; over the page, a modal dialog. */
  private updateRole(): void {
    if (this.narrowScreen.matches) {
      this.element.setAttribute("role", "dialog");
      this.element.setAttribute("aria-modal", "true");
    } else {
      this.element.removeAttribute("role");
      this.element.removeAttribute("aria-modal");
    }
  }

  /** Keep the focus within the panel when it covers the page: its beginning follows its end. */
  private keepFocus(event: KeyboardEvent): void {
    const reachable = all(this.element, REACHABLE).filter((each) => each.getClientRects().length);
    const [first, last] = [reachable[0], reachable.at(-1)];
    const [end, other] = event.shiftKey ? [first, last] : [last, first];
    if (document.activeElement !== end) return;
    event.preventDefault();
    other?.focus();
  }

  /** Opens with something of the page to ask about. */
  ask(context: Context): void {
    this.chat.askAbout(context);
    this.show();
  }

  send(text: string): void {
    void this.chat.send(text);
  }

  /** Add text to the next question. */
  type(text: string): void {
    this.chat.draft += text;
  }

  /** Open the panel without moving the focus. */
  reveal(): void {
    this.element.hidden = false;
    document.documentElement.dataset.assistant = "open";
    write("session", OPEN, "true");
    this.chat.resume();
  }

  private head(): HTMLElement {
    const fresh = iconButton("fresh", word("fresh"), () => {
      this.chat.clear();
      this.chat.focus();
    });
    const close = make("button", { type: "button", class: "ds-assistant-close", "aria-label": word("close") }, "×");
    close.addEventListener("click", () => this.hide());
    return make("header", { class: "chat-assistant-sheet-header" }, make("h2", {}, word("title")), fresh, close);
  }
}
