/** What was said, kept for the visit, and the calls that carry it. */
import { read, write } from "../components/storage";
import { events, type StreamEvent } from "./events";

export interface Place {
  address: string; // of the service's interface, up to `/discovery`
  domain: string;
  key: string;
  version?: string;
  language?: string;
}

export interface Source {
  url: string;
  title: string;
}

export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
  sources: Source[];
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

const STORE = "ds-assistant";
const MOST_KEPT = 40;

export class Conversation {
  private kept: Kept = this.read();
  private abort: AbortController | null = null;

  constructor(private readonly place: Place) {}

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

  stop(): void {
    this.abort?.abort();
  }

  /** Asks, and calls `changed` whenever there is more of the answer. */
  async ask(text: string, context: string | null, changed: () => void): Promise<void> {
    this.kept.messages.push(message("user", text, "done"), message("assistant", "", "running"));
    await this.run(changed, (signal) =>
      this.call("message", signal, {
        id: this.kept.chat,
        fp: "anonymous",
        messages: [{ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] }],
        threadId: this.kept.thread,
        threadKey: this.kept.threadKey,
        currentPath: location.pathname.slice(0, 200),
        context: context ? [{ type: "textSelection", value: context, path: location.pathname }] : undefined,
        filter: { version: this.place.version || undefined, language: this.place.language || undefined },
      }),
    );
  }

  /** Asks the last question again, in place of its answer. */
  async retry(changed: () => void): Promise<void> {
    const [question] = this.kept.messages.splice(-2);
    if (question) await this.ask(question.text, null, changed);
  }

  /** Hears an answer to its end that a page change or a refresh cut off. */
  async resume(changed: () => void): Promise<void> {
    const last = this.kept.messages.at(-1);
    if (last?.state !== "running") return;
    Object.assign(last, { text: "", sources: [], suggestions: [] });
    await this.run(changed, (signal) => this.call(`message/${this.kept.chat}/stream`, signal));
  }

  async judge(answer: Message, helpful: boolean, comment?: string): Promise<void> {
    answer.helpful = helpful;
    this.write();
    await this.call("feedback", undefined, { messageId: answer.id, helpful, comment: comment || undefined });
  }

  private async run(changed: () => void, call: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    const answer = this.kept.messages.at(-1) as Message;
    this.abort = new AbortController();
    this.write();
    changed();
    try {
      const response = await call(this.abort.signal);
      if (!response.ok) throw new Error(await errorOf(response));
      this.kept.threadKey = response.headers.get("X-Thread-Key") ?? this.kept.threadKey;
      for await (const event of events(response)) {
        this.hear(answer, event);
        changed();
      }
      if (answer.state === "running") answer.state = "done";
    } catch (error) {
      answer.state = this.abort.signal.aborted ? "stopped" : "failed";
      if (answer.state === "failed") answer.error = error instanceof Error ? error.message : String(error);
    } finally {
      this.abort = null;
      this.write();
      changed();
    }
  }

  private hear(answer: Message, event: StreamEvent): void {
    switch (event.type) {
      case "start":
        answer.id = event.messageId ?? answer.id;
        this.kept.thread = event.messageMetadata?.threadId ?? this.kept.thread;
        this.write();
        break;
      case "text-delta":
        answer.text += event.delta ?? "";
        break;
      case "source-url":
        answer.sources.push({ url: event.url ?? "", title: event.title || (event.url ?? "") });
        break;
      case "data-suggestions":
        answer.suggestions = Array.isArray(event.data) ? event.data.map(String).slice(0, 3) : [];
        break;
      case "error":
        throw new Error(event.errorText);
    }
  }

  private call(path: string, signal?: AbortSignal, body?: object): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.place.key}` };
    if (body) headers["Content-Type"] = "application/json";
    if (!body && this.kept.threadKey) headers["X-Thread-Key"] = this.kept.threadKey;
    const { address, domain } = this.place;
    return fetch(`${address}/v2/assistant/${domain}/${path}`, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      signal,
    });
  }

  private read(): Kept {
    try {
      const kept = JSON.parse(read("session", STORE) ?? "null") as Kept | null;
      return kept?.messages ? kept : fresh();
    } catch {
      return fresh();
    }
  }

  private write(): void {
    this.kept.messages = this.kept.messages.slice(-MOST_KEPT);
    write("session", STORE, JSON.stringify(this.kept));
  }
}

function fresh(): Kept {
  return { chat: crypto.randomUUID(), messages: [] };
}

function message(role: Message["role"], text: string, state: Message["state"]): Message {
  return { id: crypto.randomUUID(), role, text, sources: [], suggestions: [], state };
}

async function errorOf(response: Response): Promise<string> {
  if (response.status === 204) return "";
  try {
    return String(((await response.json()) as { error?: string }).error ?? response.statusText);
  } catch {
    return response.statusText;
  }
}
