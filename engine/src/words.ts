/**
 * The words that components add to a page, in its language; English where there are none. They
 * are sent with the site and with each page; in the browser, where islands are rendered again, a
 * script of the page has them.
 */
import { speak, translated, type Words } from "../browser/components/language";

/** As `markup/content_words.py` has them, which has those that Python adds as well. */
const ENGLISH = {
  colon: ": ",
  request_example: "Request example",
  response_example: "Response example",
  default: "default",
  required: "required",
  optional: "optional",
  deprecated: "deprecated",
  note: "Note",
  info: "Info",
  tip: "Tip",
  check: "Success",
  warning: "Warning",
  danger: "Danger",
  details: "Details",
  show_title: "Show {title}",
  hide_title: "Hide {title}",
  child_attributes: "child attributes",
  prompt: "Prompt",
  show_prompt: "Show prompt",
  tab: "Tab",
  view: "View",
  contents: "On this page",
  section_link: "Link to this section",
  tags: "Tags",
  copy: "Copy",
  copied: "Copied",
  diagram: "Diagram",
  files: "Files",
  footnotes: "Footnotes",
  footnote_back: "Back to reference {reference}",
};

export const word = /* @__PURE__ */ translated("content", ENGLISH);

/** Pages are rendered one after the other, each in one language, and whole. */
export function speakFrom(content: Words[string] | undefined): void {
  const words = content && { content };
  speak(() => words);
}
