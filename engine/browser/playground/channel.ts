/** The playground of a channel: a connection from the browser, and a log of its messages. */
import { make } from "../components/dom";
import { groups, head, labelled, serverChoice, valuesOf, type Control } from "./form";
import { requestOf, type Body, type Description, type Field } from "./request";
import { word } from "./words";

const MOST_ENTRIES = 500;
const LONGEST_TEXT = 200_000;
const GOING_AWAY = 1000;

type Kind = "sent" | "received";

/** Fill the dialog. Return a function to call when it closes. */
export function openChannel(dialog: HTMLElement, description: Description): () => void {
  const log = new Log();
  const line = new Line(log);
  dialog.append(
    make("div", { class: "ds-playground-form" }, connectForm(description, line), messageForm(description.bodies, line)),
    make("div", { class: "ds-playground-answer" }, line.status, log.element),
  );
  return () => line.close();
}

/** One connection at a time. Forms are notified by `changed`. */
class Line {
  readonly status = make("p", { class: "ds-playground-status", role: "status" }, word("disconnected"));
  readonly changed: ((isOpen: boolean, isBusy: boolean) => void)[] = [];
  private socket?: WebSocket;

  constructor(private readonly log: Log) {}

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open(url: string, protocols: string[]): void {
    this.showStatus(word("connecting"), "", false, true);
    try {
      this.socket = this.listened(new WebSocket(url, protocols));
    } catch (error) {
      this.showStatus(`${word("failed")}: ${error instanceof Error ? error.message : String(error)}`, "bad");
    }
  }

  send(text: string): void {
    this.socket?.send(text);
    this.log.add("sent", text);
  }

  close(): void {
    this.socket?.close(GOING_AWAY);
  }

  private listened(socket: WebSocket): WebSocket {
    let wasOpen = false;
    socket.addEventListener("open", () => {
      wasOpen = true;
      this.showStatus([word("connected"), socket.protocol].filter(Boolean).join(" · "), "good", true);
    });
    socket.addEventListener("message", ({ data }) => {
      this.log.add("received", typeof data === "string" ? data : `${(data as Blob).size} B`);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      const how = `${code} ${reason}`.trim();
      this.showStatus(wasOpen ? `${word("disconnected")} · ${how}` : `${word("failed")}: ${how}`, wasOpen ? "" : "bad");
    });
    return socket;
  }

  private showStatus(text: string, kind: string, isOpen = false, isBusy = false): void {
    this.status.dataset.kind = kind;
    this.status.replaceChildren(kind === "good" ? make("strong", {}, text) : text);
    for (const listener of this.changed) listener(isOpen, isBusy);
  }
}

function connectForm(description: Description, line: Line): HTMLFormElement {
  const form = make("form");
  const server = serverChoice(description.servers);
  const controls = new Map<Field, Control>();
  const button = make("button", { type: "submit", class: "ds-playground-send" }, word("connect"));
  form.append(head(description), server.shown);
  form.append(...groups(description.fields, controls, server.value), button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (line.isOpen) return line.close();
    const values = valuesOf(controls, server.value());
    const { url, headers } = requestOf(description, { server: server.value(), values });
    line.open(url, headers.filter(([name]) => name !== "Cookie").map(([, value]) => protocolOf(value)));
  });
  line.changed.push((isOpen, isBusy) => {
    button.textContent = word(isOpen ? "disconnect" : "connect");
    button.disabled = isBusy;
    for (const control of controls.values()) control.disabled = isOpen || isBusy;
  });
  return form;
}

/**
 * Browsers let no page set headers of a connection, so their values are sent as its protocol
 * (`Sec-WebSocket-Protocol`), which allows few characters.
 */
function protocolOf(value: string): string {
  return encodeURIComponent(value.replace(/^(bearer|basic) /i, "")).replace(/[()]/g, escaped);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

function messageForm(messages: Body[], line: Line): HTMLFormElement {
  const form = make("form");
  const text = make("textarea", { rows: "8", spellcheck: "false" });
  const select = make("select", {}, ...messages.map(({ kind }) => make("option", {}, kind)));
  const choose = () => (text.value = messages[select.selectedIndex]?.text ?? "");
  select.addEventListener("change", choose);
  choose();
  const send = make("button", { type: "submit", class: "ds-playground-send" }, word("send"));
  send.disabled = true;
  const set = make("fieldset", {}, make("legend", {}, word("message")));
  if (messages.length > 1) set.append(labelled(word("messages"), select));
  set.append(labelled(messages.length === 1 ? (messages[0]?.kind ?? "") : word("body"), text));
  form.append(set, send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (line.isOpen) line.send(text.value);
  });
  line.changed.push((isOpen) => {
    send.disabled = !isOpen;
    if (isOpen) text.focus();
  });
  return form;
}

/** Messages that were sent and received, the newest last. */
class Log {
  readonly element: HTMLElement;
  private readonly list = make("div", { class: "ds-playground-log", role: "log", "aria-label": word("messages") });

  constructor() {
    const clear = make("button", { type: "button", class: "ds-playground-clear" }, word("clear"));
    clear.addEventListener("click", () => this.list.replaceChildren());
    this.list.tabIndex = 0;
    this.element = make("div", {}, this.list, clear);
  }

  add(kind: Kind, text: string): void {
    const time = new Date().toLocaleTimeString(document.documentElement.lang || undefined);
    const about = make("p", {}, make("strong", {}, word(kind)), ` ${time}`);
    this.list.append(make("div", { "data-kind": kind }, about, make("pre", {}, pretty(text.slice(0, LONGEST_TEXT)))));
    if (this.list.childElementCount > MOST_ENTRIES) this.list.firstElementChild?.remove();
    this.list.scrollTop = this.list.scrollHeight;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
