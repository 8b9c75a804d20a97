/** The words of the playground, in the page's language; English where there are none. */

import { translated } from "../components/language";

const ENGLISH = {
  title: "Playground",
  close: "Close",
  server: "Server",
  authorization: "Authorization",
  path: "Path parameters",
  query: "Query parameters",
  headers: "Headers",
  body: "Body",
  send: "Send",
  sending: "Sending…",
  required: "required",
  bearer: "token",
  basic: "username:password",
  key: "API key",
  response: "Response",
  responseHeaders: "Response headers",
  failed: "No answer",
  crossOrigin: "The server may not allow requests from other sites.",
  connect: "Connect",
  disconnect: "Disconnect",
  connecting: "Connecting…",
  connected: "Connected",
  disconnected: "Disconnected",
  message: "Message",
  messages: "Messages",
  sent: "Sent",
  received: "Received",
  clear: "Clear",
  request: "Request",
  example: "Example",
  history: "History",
  fields: "Fields",
  add: "Add",
  remove: "Remove",
  getToken: "Get a token",
  hasToken: "The token is filled in.",
  noToken: "No token",
  noSignIn: "Signing in needs a site with its own host and HTTPS. Paste a token instead.",
  implicit: "The token is part of a URL: use another flow where you can.",
};

export type Word = keyof typeof ENGLISH;

export const word = /* @__PURE__ */ translated("playground", ENGLISH);
