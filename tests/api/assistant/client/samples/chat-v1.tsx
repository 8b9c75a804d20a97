import { useChat } from "@ai-sdk/react";

export function Chat({ assistantKey }: { assistantKey: string }) {
  const { messages, input, handleInputChange, handleSubmit, data } = useChat({
    api: "http://127.0.0.1:8080/discovery/v1/assistant/docstead/message",
    headers: { Authorization: `Bearer ${assistantKey}` },
    streamProtocol: "data",
    sendExtraMessageFields: true,
    body: { fp: "anonymous", retrievalPageSize: 5 },
  });
  // The last `finish` event carries the identifier of the thread.
  const finish = data?.at(-1) as { threadId?: string } | undefined;

  return (
    <form onSubmit={(event) => handleSubmit(event, { body: { threadId: finish?.threadId } })}>
      {messages.map((message) => <p key={message.id}>{message.content}</p>)}
      <input value={input} onChange={handleInputChange} />
    </form>
  );
}
