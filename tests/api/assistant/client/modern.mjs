// Drives the hooks of the chat client's versions 5, 6 and 7, each by its own release.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createElement } from "react";
import TestRenderer, { act } from "react-test-renderer";

const require = createRequire(import.meta.url);

/** Returns the hook of a release and the `ai` that it depends on. */
async function released(client) {
  const own = createRequire(require.resolve(client));
  const [{ useChat }, ai] = await Promise.all([
    import(client),
    import(pathToFileURL(own.resolve("ai")).href),
  ]);
  return { useChat, ...ai };
}

/**
 * A conversation by `useChat`; one entry per question. With `cutAfter`, the connection of each
 * answer is torn after so many bytes, and the stream resumed; `forget` removes the torn message
 * first, as early releases need it. With `stop`, each answer is stopped at its first words. With
 * `regenerate`, the last answer is asked for again, as one more entry.
 */
export async function uiChat(request) {
  const { client, url, key, id, questions, body, cutAfter, forget, stop, regenerate } = request;
  const { useChat, DefaultChatTransport } = await released(client);
  const log = [];
  let cut = null;
  const transport = new DefaultChatTransport({
    api: url,
    headers: { authorization: `Bearer ${key}` },
    body: { fp: "anonymous", retrievalPageSize: 5, ...body },
    async fetch(url, init) {
      const response = await fetch(url, init);
      log.push({ url: String(url), status: response.status });
      return cut === null || !response.ok ? response : torn(response, cut);
    },
  });
  let hook = null;
  let finished = [];
  let data = [];
  const Chat = () => {
    hook = useChat({
      id,
      transport,
      onData: (part) => data.push(part),
      onFinish: ({ message }) => finished.push(message),
      onError() {},
    });
    return null;
  };
  const turns = [];
  const note = (before) =>
    turns.push({
      before,
      status: hook.status,
      error: hook.error?.message ?? null,
      messages: structuredClone(hook.messages),
      finished: structuredClone(finished),
      data,
    });
  let renderer;
  await act(async () => {
    renderer = TestRenderer.create(createElement(Chat));
  });
  for (const question of questions) {
    finished = [];
    data = [];
    cut = cutAfter ?? null;
    await act(async () => {
      const earlier = hook.messages.length;
      const threadId = hook.messages.at(-1)?.metadata?.threadId;
      const sent = hook.sendMessage({ text: question }, { body: threadId ? { threadId } : {} });
      if (stop) {
        await until(() => {
          const answer = hook.messages[earlier + 1];
          return answer?.parts.some((part) => part.type === "text");
        });
        await hook.stop();
      }
      await sent;
    });
    const before = { status: hook.status, messages: structuredClone(hook.messages) };
    if (cut !== null) {
      cut = null;
      await act(async () => {
        if (forget) hook.setMessages(hook.messages.filter((each) => each.role === "user"));
        await hook.resumeStream();
      });
    }
    note(before);
  }
  if (regenerate) {
    [finished, data] = [[], []];
    const threadId = hook.messages.at(-1)?.metadata?.threadId;
    await act(async () => hook.regenerate({ body: { threadId } }));
    note(null);
  }
  await act(async () => renderer.unmount());
  return { turns, log };
}

/** Opens a page again: the hook resumes the chat automatically. */
export async function uiResume({ client, url, key, id, messages }) {
  const { useChat, DefaultChatTransport } = await released(client);
  const headers = { authorization: `Bearer ${key}` };
  let hasReply = false;
  const asked = async (...request) => {
    try {
      return await fetch(...request);
    } finally {
      hasReply = true; // until then the hook is as ready as it will be at the end
    }
  };
  const body = { fp: "anonymous" };
  const transport = new DefaultChatTransport({ api: url, headers, body, fetch: asked });
  let hook = null;
  const Chat = () => {
    hook = useChat({ id, transport, resume: true, messages: messages ?? [], onError() {} });
    return null;
  };
  let renderer;
  await act(async () => {
    renderer = TestRenderer.create(createElement(Chat));
  });
  await act(async () => until(() => hasReply));
  const calm = () => hook.status === "ready" || hook.status === "error";
  // One release stays "submitted" where there is nothing to resume; a stream may take longer.
  for (let quiet = 0, left = 200; quiet < 10 && left > 0; quiet = calm() ? quiet + 1 : 0) {
    await act(async () => new Promise((resolve) => setTimeout(resolve, 10)));
    left -= hook.status === "streaming" ? 1 / 60 : 1;
  }
  const answer = {
    status: hook.status,
    error: hook.error?.message ?? null,
    messages: structuredClone(hook.messages),
  };
  await act(async () => renderer.unmount());
  return answer;
}

/** Return the last message that a release reads from a stream in these chunks (base64). */
export async function uiRead({ client, chunks }) {
  const { DefaultChatTransport, readUIMessageStream } = await released(client);
  const transport = new DefaultChatTransport({ fetch: async () => new Response(body(chunks)) });
  const failures = [];
  let message = null;
  try {
    const stream = await transport.sendMessages({ chatId: "1", messages: [], body: {} });
    const read = readUIMessageStream({ stream, onError: (error) => failures.push(String(error)) });
    for await (const state of read) message = state;
  } catch (error) {
    failures.push(String(error));
  }
  return { message, failures };
}

function body(chunks) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(Buffer.from(chunk, "base64")));
      controller.close();
    },
  });
}

/** Waits for a condition, at most two minutes. */
export async function until(isMet) {
  for (let left = 12000; left > 0 && !isMet(); left--) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Returns the response as if its connection broke after so many bytes. */
export function torn(response, bytes) {
  let left = bytes;
  const cutting = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new TypeError("terminated"));
    },
  });
  return new Response(response.body.pipeThrough(cutting), response);
}
