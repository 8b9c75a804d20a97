import { useState, type FormEvent } from "react";
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";

type Message = UIMessage<{ threadId?: string }>;

export function Chat({ chatId, assistantKey }: { chatId: string; assistantKey: string }) {
  const [transport] = useState(() => new DefaultChatTransport<Message>({
    api: "http://127.0.0.1:8080/discovery/v2/assistant/docstead/message",
    headers: { Authorization: `Bearer ${assistantKey}` },
    body: { fp: "anonymous", retrievalPageSize: 5 },
  }));
  const { messages, sendMessage } = useChat<Message>({ id: chatId, transport, resume: true });
  const [question, setQuestion] = useState("");
  const threadId = messages.map((message) => message.metadata?.threadId).filter(Boolean).at(-1);

  function ask(event: FormEvent) {
    event.preventDefault();
    void sendMessage({ text: question }, { body: { threadId } });
    setQuestion("");
  }

  return (
    <form onSubmit={ask}>
      {messages.flatMap((message) => message.parts.map((part, number) => {
        const key = `${message.id}-${number}`;
        if (part.type === "text") return <p key={key}>{part.text}</p>;
        if (part.type === "source-url") return <a key={key} href={part.url}>{part.title}</a>;
        return null;
      }))}
      <input value={question} onChange={(event) => setQuestion(event.target.value)} />
    </form>
  );
}
