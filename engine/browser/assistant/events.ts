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

export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
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
