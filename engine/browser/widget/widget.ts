/** The functions that a page has for the widget. */
import { Conversation } from "../assistant/conversation";
import { word as entryWord } from "../assistant/entry-words";
import { Failure } from "../assistant/failure";
import { word } from "../assistant/words";
import { complete, defaults, patched, type Config, type Patch, type WidgetError, type WidgetEvent } from "./config";
import { Frame } from "./frame";

export interface Opening {
  source?: string;
  focus?: boolean;
}

/** One for a page. What is called before `init` has ended waits for it. */
export class Widget {
  private readonly original: Config;
  private running: { config: Config; conversation: Conversation; frame: Frame } | null = null;
  private last: Promise<unknown> = Promise.resolve(); // what was called last
  private source: string | undefined; // of the question that is asked next

  constructor(endpoint: string) {
    const words = { title: word("title"), trigger: entryWord("ask"), placeholder: word("placeholder"), suggestions: word("starters") };
    this.original = defaults(endpoint, words);
  }

  /** Add the widget to the page. The next call sets a new configuration. */
  init(given: Patch<Config>): Promise<void> {
    return this.doing(async () => {
      const config = complete(patched(this.original, given ?? {}, this.original));
      await bodyOf(document);
      const isFirst = this.running === null;
      this.take(config);
      this.emit({ type: "init" });
      if (isFirst && config.defaultOpen) this.reveal({ focus: false, source: "default" });
    });
  }

  open(how: Opening = {}): Promise<void> {
    return this.doing(() => this.reveal(how));
  }

  close(): Promise<void> {
    return this.doing(() => this.conceal());
  }

  ask(question: string, { open = true, ...how }: Opening & { open?: boolean } = {}): Promise<void> {
    return this.doing(async () => {
      const { frame } = this.here();
      const text = String(question).trim();
      if (!text) throw new Failure("invalid_config", "question: is empty");
      if (open) this.reveal(how);
      this.source = how.source;
      void frame.chat.send(text);
    });
  }

  /** Changes parts of the configuration; null brings a default back. */
  update(changes: Patch<Config>): Promise<void> {
    return this.doing(() => {
      const { config } = this.here();
      this.take(complete(patched(config, changes ?? {}, this.original)));
      this.emit({ type: "update" });
    });
  }

  /** Begins a new conversation. */
  reset(): Promise<void> {
    return this.doing(() => {
      this.here().frame.chat.clear();
      this.emit({ type: "reset" });
    });
  }

  destroy(): Promise<void> {
    return this.doing(() => {
      const { conversation, frame } = this.here();
      conversation.stop();
      this.emit({ type: "destroy" });
      frame.remove();
      this.running = null;
    });
  }

  private take(config: Config): void {
    const before = this.running;
    const wasOpen = before?.frame.isOpen ?? false;
    const draft = before?.frame.chat.draft ?? "";
    const stays = before !== null && sameTalk(before.config, config);
    before?.frame.remove();
    if (!stays) before?.conversation.stop();
    const conversation = stays ? before.conversation : this.conversation(config);
    if (before && before.config.identity !== config.identity) conversation.clear();
    const frame = new Frame(config, conversation, {
      toggle: () => (this.running?.frame.isOpen ? this.conceal() : this.reveal({ source: "trigger" })),
      close: () => this.conceal(),
      fresh: () => void this.reset().then(() => this.running?.frame.chat.focus()),
      asked: () => {
        this.emit({ type: "ask", source: this.source });
        this.source = undefined;
      },
      followed: () => this.emit({ type: "navigate" }),
    });
    this.running = { config, conversation, frame };
    frame.chat.draft = draft;
    if (wasOpen) frame.show(false);
  }

  private conversation({ id, key, endpoint, identity, filter, analytics }: Config): Conversation {
    const { version, language } = filter;
    return new Conversation({
      endpoint: { address: `${endpoint}/discovery`, domain: encodeURIComponent(id), key, version, language },
      store: `docs-assistant-${id}`,
      path: analytics.capturePathname ? location.pathname : undefined,
      fp: identity || undefined,
      onFailure: (failure) => this.complain(failure),
    });
  }

  private reveal({ source, focus = true }: Opening): void {
    const { frame } = this.here();
    if (!frame.isOpen) this.emit({ type: "open", source });
    frame.show(focus);
  }

  private conceal(): void {
    const { frame } = this.here();
    if (!frame.isOpen) return;
    frame.hide();
    this.emit({ type: "close" });
  }

  private here(): { config: Config; conversation: Conversation; frame: Frame } {
    if (!this.running) throw new Failure("invalid_config", "init: call it first");
    return this.running;
  }

  /** Report an event to the page. Events never contain the question. */
  private emit(event: WidgetEvent): void {
    this.running?.config.hooks.event?.(event);
  }

  private complain({ code, retryable, status }: Failure): void {
    const error: WidgetError = status === undefined ? { code, retryable } : { code, retryable, status };
    this.running?.config.hooks.error?.(error);
  }

  /** Run calls one after the other, so that none sees an incomplete widget. */
  private doing(act: () => void | Promise<void>): Promise<void> {
    const done = this.last.then(act);
    this.last = done.catch((error: unknown) => {
      if (error instanceof Failure) this.complain(error);
    });
    return done;
  }
}

/** Whether the earlier conversation can continue. */
function sameTalk(one: Config, other: Config): boolean {
  const parts = ({ id, key, endpoint, identity, filter, analytics }: Config) =>
    JSON.stringify([id, key, endpoint, identity, filter, analytics]);
  return parts(one) === parts(other);
}

async function bodyOf(page: Document): Promise<void> {
  if (page.body) return;
  await new Promise((resolve) => page.addEventListener("DOMContentLoaded", resolve, { once: true }));
}
