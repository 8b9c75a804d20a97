// A page of somebody else's that asks the assistant from the browser, by the client's hook.
// Its settings are the fragment of its URL: `#{"url":…,"key":…,"id":…}`.

import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { useChat } from "chat-7";
import { DefaultChatTransport } from "./node_modules/chat-7/node_modules/ai/dist/index.js";

const { url, key, id } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const transport = new DefaultChatTransport({
  api: url,
  headers: { authorization: `Bearer ${key}` },
  body: { fp: "anonymous" },
});

function Chat() {
  const chat = useChat({ id, transport, resume: true });
  window.chat = {
    status: chat.status,
    error: chat.error?.message ?? null,
    messages: chat.messages,
    ask(text) {
      const threadId = chat.messages.at(-1)?.metadata?.threadId;
      chat.sendMessage({ text }, { body: threadId ? { threadId } : {} });
    },
  };
  return createElement("pre", null, JSON.stringify(chat.messages, null, 2));
}

createRoot(document.getElementById("root")).render(createElement(Chat));
