// Drives the published chat clients. One JSON request a line on stdin, one JSON answer a line
// on stdout; what to do is `do`: "read" a stream given as chunks, or "chat" with a service, each
// by version 4 or, as "uiRead", "uiChat" and "uiResume", by the release that is named.

import { createInterface } from "node:readline";
import { callChatApi } from "@ai-sdk/ui-utils";
import { useChat } from "@ai-sdk/react";
import { processDataStream } from "ai";
import { createElement } from "react";
import TestRenderer, { act } from "react-test-renderer";
import { torn, until, uiChat, uiRead, uiResume } from "./modern.mjs";

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

const actions = { read, call, chat, uiRead, uiChat, uiResume };

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = await actions[request.do](request);
  } catch (error) {
    answer = { error: String(error?.message ?? error), name: error?.name };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** Return the parts that the client's own parser reads from a stream in these chunks (base64). */
async function read({ chunks }) {
  const seen = [];
  const note = (kind) => (value) => seen.push([kind, value]);
  const stream = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(Buffer.from(chunk, "base64")));
      controller.close();
    },
  });
  let error = null;
  try {
    await processDataStream({
      stream,
      onTextPart: note("text"),
      onSourcePart: note("source"),
      onDataPart: note("data"),
      onErrorPart: note("error"),
      onMessageAnnotationsPart: note("annotations"),
      onStartStepPart: note("start"),
      onFinishStepPart: note("step"),
      onFinishMessagePart: note("finish"),
    });
  } catch (failure) {
    error = failure.message;
  }
  return { seen, error };
}

/** Sends one request by the client's function without a framework. */
async function call({ url, key, body }) {
  const updates = [];
  let headers = null;
  let finish = null;
  let error = null;
  await callChatApi({
    api: url,
    body,
    streamProtocol: "data",
    credentials: undefined,
    headers: { authorization: `Bearer ${key}` },
    abortController: undefined,
    restoreMessagesOnFailure() {},
    onResponse(response) {
      headers = Object.fromEntries(response.headers);
    },
    onUpdate({ message, data }) {
      updates.push({ content: message.content, data });
    },
    onFinish(message, details) {
      finish = { message, ...details };
    },
    onToolCall: undefined,
    generateId: () => "generated",
    fetch: undefined,
    lastMessage: undefined,
  }).catch((failure) => {
    error = failure.message;
  });
  return { updates: updates.length, last: updates.at(-1) ?? null, headers, finish, error };
}

/**
 * A conversation by `useChat`, configured as the interface says; one entry per question. With
 * `cutAfter`, the connection is torn after so many bytes, and the stream resumed; with `stop`,
 * each answer is stopped at its first words; with `regenerate`, the last one is asked for again,
 * as one more entry.
 */
async function chat({ url, key, questions, options, body, stop, cutAfter, regenerate }) {
  const turns = [];
  let hook = null;
  let cut = null;
  let finished = [];
  let threadId = null;
  function Chat() {
    hook = useChat({
      api: url,
      headers: { authorization: `Bearer ${key}` },
      streamProtocol: "data",
      sendExtraMessageFields: true,
      body: { fp: "anonymous", retrievalPageSize: 5, ...body },
      onResponse(response) {
        threadId = response.headers.get("x-thread-id");
      },
      onFinish(message, { usage, finishReason }) {
        finished.push({ id: message.id, usage, finishReason, annotations: message.annotations });
      },
      async fetch(url, init) {
        const response = await fetch(url, init);
        return cut === null ? response : torn(response, cut);
      },
      ...options,
    });
    return null;
  }
  const note = () =>
    turns.push({
      status: hook.status,
      error: hook.error?.message ?? null,
      messages: structuredClone(hook.messages),
      data: structuredClone(hook.data ?? null),
      finished,
      threadId,
    });
  let renderer;
  await act(async () => {
    renderer = TestRenderer.create(createElement(Chat));
  });
  for (const question of questions) {
    finished = [];
    cut = cutAfter ?? null;
    await act(async () => {
      const earlier = hook.messages.length;
      const last = hook.data?.at(-1)?.threadId;
      const sent = hook.append(
        { role: "user", content: question },
        { body: last ? { threadId: last } : {} },
      );
      if (stop) {
        await until(() => hook.messages[earlier + 1]?.content);
        hook.stop();
      }
      await sent;
    });
    if (cut !== null) {
      cut = null;
      await act(async () => hook.setMessages(hook.messages.filter((each) => each.role === "user")));
      await act(async () => hook.experimental_resume());
      // The hook does not wait for what it resumes.
      await act(async () => until(() => ["ready", "error"].includes(hook.status)));
    }
    note();
  }
  if (regenerate) {
    finished = [];
    const last = hook.data?.at(-1)?.threadId;
    await act(async () => hook.reload({ body: { threadId: last } }));
    note();
  }
  await act(async () => renderer.unmount());
  return { turns };
}
