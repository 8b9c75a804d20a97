/** The events of a UI message stream: server-sent events with one JSON object each. */

export interface StreamEvent {
  type: string;
  messageId?: string;
  messageMetadata?: { threadId?: string };
  delta?: string;
  url?: string;
  title?: string;
  data?: unknown;
  errorText?: string;
}

/** Ends with the stream's own end mark; a stream without one throws. */
export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new TypeError("the stream ended before its end");
    buffer += value;
    const lines = buffer.split("\n");
    buffer = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ")) continue;
      const data = line.slice(6);
      if (data === "[DONE]") return;
      yield JSON.parse(data) as StreamEvent;
    }
  }
}
