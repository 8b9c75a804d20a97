/** Messages of a conversation, kept for the visit, and the calls that send them. */
import { read, write } from "../components/storage";
import { events, type StreamEvent } from "./events";
import { Failure } from "./failure";

export interface AssistantEndpoint {
  address: string; // of the service's interface, up to `/discovery`
  domain: string;
  key: string;
  version?: string;
  language?: string;
}

/** Settings of a conversation. */
export interface Setting {
  endpoint: AssistantEndpoint;
  store: string; // the name it is kept under
  path?: string; // of the page that the reader is on
  fp?: string;
  onFailure?: (failure: Failure) => void;
}

export interface Source {
  url: string;
  title: string;
}

/** A sentence of an answer that a passage contradicts, found after it had been sent. */
export interface Contradiction {
  sentence: string;
  url: string; // of the passage; empty where it is not known
}

export interface Context {
  type: "code" | "textSelection";
  value: string;
}

export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
  sources: Source[];
  nearest?: Source[]; // pages to look into where there is no answer
  contradicted?: Contradiction[];
  suggestions: string[];
  state: "done" | "running" | "stopped" | "failed";
  error?: string;
  helpful?: boolean;
}

interface Kept {
  chat: string;
  thread?: string;
  threadKey?: string;
  messages: Message[];
}

type Call = (signal: AbortSignal) => Promise<Response>;

const MOST_KEPT = 40;
const LONGEST_PATH = 200;
const NOT_FOUND = 404;
const NOTHING = 204;
const PAUSES_MILLISECONDS = [300, 1_000, 3_000]; // before a lost connection is made again

export class Conversation {
  private kept: Kept;
  private abort: AbortController | null = null;
  private asked: Promise<string[]> | undefined;

  constructor(private readonly setting: Setting) {
    this.kept = this.read();
  }

  get messages(): readonly Message[] {
    return this.kept.messages;
  }

  get isRunning(): boolean {
    return this.abort !== null;
  }

  clear(): void {
    this.stop();
    this.kept = fresh();
    this.write();
  }

  /** Stops listening. The service finishes the answer all the same, and `resume` has it. */
  stop(): void {
    this.abort?.abort();
  }

  /** Asks, and calls `changed` each time more of the answer has arrived. */
  async ask(text: string, context: Context | null, changed: () => void): Promise<void> {
    const { endpoint, path, fp = "anonymous" } = this.setting;
    this.kept.messages.push(message("user", text, "done"), message("assistant", "", "running"));
    await this.run(changed, (signal) =>
      this.call("message", signal, {
        id: this.kept.chat,
        fp,
        messages: [{ id: newId(), role: "user", parts: [{ type: "text", text }] }],
        threadId: this.kept.thread,
        threadKey: this.kept.threadKey,
        currentPath: path?.slice(0, LONGEST_PATH),
        context: context ? [{ ...context, path }] : undefined,
        filter: { version: endpoint.version || undefined, language: endpoint.language || undefined },
      }),
    );
  }

  /** Asks the last question again, in place of its answer. */
  async retry(changed: () => void): Promise<void> {
    const [question] = this.kept.messages.splice(-2);
    if (question) await this.ask(question.text, null, changed);
  }

  /** Receives the rest of an answer that a page change, a refresh or the reader interrupted. */
  async resume(changed: () => void): Promise<void> {
    const last = this.kept.messages.at(-1);
    if (this.isRunning || (last?.state !== "running" && last?.state !== "stopped")) return;
    last.state = "running";
    await this.run(changed, (signal) => this.replay(signal));
  }

  async judge(answer: Message, helpful: boolean, comment?: string): Promise<void> {
    const { fp } = this.setting;
    answer.helpful = helpful;
    this.write();
    await this.call("feedback", undefined, { messageId: answer.id, helpful, comment: comment || undefined, fp });
  }

  /** Questions to begin with, for the page that the reader is on. */
  starters(): Promise<string[]> {
    this.asked ??= this.readStarters().catch(() => []);
    return this.asked;
  }

  private async readStarters(): Promise<string[]> {
    const { path } = this.setting;
    const query = path ? `?currentPath=${encodeURIComponent(path.slice(0, LONGEST_PATH))}` : "";
    const response = await this.call(`starters${query}`);
    if (!response.ok) return [];
    return ((await response.json()) as { questions: string[] }).questions;
  }

  private async run(changed: () => void, call: Call): Promise<void> {
    const answer = this.kept.messages.at(-1) as Message;
    const abort = new AbortController();
    this.abort = abort;
    this.write();
    changed();
    try {
      await this.follow(answer, call, abort.signal, changed);
      answer.state = "done";
    } catch (error) {
      answer.state = abort.signal.aborted ? "stopped" : "failed";
      if (answer.state === "failed") this.fail(answer, error);
    } finally {
      if (this.abort === abort) this.abort = null;
      this.write();
      changed();
    }
  }

  /** Listens to the end; a connection that is lost on the way is made again. */
  private async follow(answer: Message, call: Call, signal: AbortSignal, changed: () => void): Promise<void> {
    const pauses = [...PAUSES_MILLISECONDS];
    let hasReceived = false;
    for (;;) {
      try {
        for await (const event of this.listen(await call(signal))) {
          hasReceived = true;
          this.apply(answer, event);
          changed();
        }
        return;
      } catch (error) {
        const pause = pauses.shift();
        if (error instanceof Failure || signal.aborted || !hasReceived || pause === undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (signal.aborted) throw error;
        call = (again) => this.replay(again);
      }
    }
  }

  private async *listen(response: Response): AsyncGenerator<StreamEvent> {
    if (response.status === NOTHING) throw new Failure("broken_off");
    if (!response.ok) throw await Failure.of(response);
    this.kept.threadKey = response.headers.get("X-Thread-Key") ?? this.kept.threadKey;
    yield* events(response);
  }

  private fail(answer: Message, error: unknown): void {
    const failure = error instanceof Failure ? error : new Failure("network");
    answer.error = failure.message;
    if (failure.status === NOT_FOUND) {
      // The thread may have been removed: the next question begins a new one.
      delete this.kept.thread;
      delete this.kept.threadKey;
    }
    this.setting.onFailure?.(failure);
  }

  private apply(answer: Message, event: StreamEvent): void {
    switch (event.type) {
      case "start":
        answer.id = event.messageId ?? answer.id;
        Object.assign(answer, { text: "", sources: [], nearest: [], contradicted: [], suggestions: [] }); // a replay begins again
        this.kept.thread = event.messageMetadata?.threadId ?? this.kept.thread;
        this.write();
        break;
      case "text-delta":
        answer.text += event.delta ?? "";
        break;
      case "source-url":
        answer.sources.push({ url: event.url ?? "", title: event.title || (event.url ?? "") });
        break;
      case "data-nearest":
        answer.nearest = Array.isArray(event.data) ? (event.data as Source[]) : [];
        break;
      case "data-contradicted":
        answer.contradicted = [...(answer.contradicted ?? []), event.data as Contradiction];
        break;
      case "data-suggestions":
        answer.suggestions = Array.isArray(event.data) ? event.data.map(String).slice(0, 3) : [];
        break;
      case "error":
        throw new Failure("broken_off", event.errorText);
    }
  }

  private replay(signal: AbortSignal): Promise<Response> {
    return this.call(`message/${this.kept.chat}/stream`, signal);
  }

  private call(path: string, signal?: AbortSignal, body?: object): Promise<Response> {
    const { address, domain, key } = this.setting.endpoint;
    const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
    if (body) headers["Content-Type"] = "application/json";
    if (!body && this.kept.threadKey) headers["X-Thread-Key"] = this.kept.threadKey;
    return fetch(`${address}/v2/assistant/${domain}/${path}`, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
  }

  private read(): Kept {
    try {
      const kept = JSON.parse(read("session", this.setting.store) ?? "null") as Kept | null;
      return kept?.messages ? kept : fresh();
    } catch {
      return fresh();
    }
  }

  private write(): void {
    this.kept.messages = this.kept.messages.slice(-MOST_KEPT);
    write("session", this.setting.store, JSON.stringify(this.kept));
  }
}

function fresh(): Kept {
  return { chat: newId(), messages: [] };
}

function message(role: Message["role"], text: string, state: Message["state"]): Message {
  return { id: newId(), role, text, sources: [], suggestions: [], state };
}

/** Return an id that cannot be guessed. Pages without TLS have no `randomUUID`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
