/** The words of the assistant, in the page's language; English where there are none. */

import { translated } from "../components/language";

const ENGLISH = {
  title: "Assistant",
  placeholder: "Ask a question",
  send: "Send",
  stop: "Stop",
  close: "Close",
  fresh: "New chat",
  copy: "Copy",
  copied: "Copied",
  retry: "Try again",
  good: "Helpful",
  bad: "Not helpful",
  comment: "What was missing? (optional)",
  thanks: "Thank you.",
  sources: "Sources",
  thinking: "Looking through the documentation…",
  stopped: "Stopped.",
  failed: "The answer was interrupted",
  unanswered: "The question could not be answered",
  intro: "Answers come from this documentation, with their sources.",
  about: "About",
  removeContext: "Leave out",
  question: "Your question",
  rest: "Show the rest",
  starters: "Suggestions",
  support: "Contact support",
  nearest: "Nearest pages",
  contradicted: "The documentation says otherwise",
};

export type Word = keyof typeof ENGLISH;

export const word = /* @__PURE__ */ translated("assistant", ENGLISH);
