/** Code in the colours of the page's code blocks, roughly: texts, names, numbers and keywords. */
import { make } from "./dom";

// A text without an end is read once: the quotes within it are escaped, and begin no other.
const TOKEN =
  /((?<!\\)"(?:\\.|[^"\\])*"|(?<!\\)'(?:\\.|[^'\\])*'|`[^`]*`)(\s*:)?|\b(true|false|null|None|True|False|nil)\b|(-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|(?<![\w.$-])(await|const|curl|defer|do|echo|end|func|import|main|new|package|require|var)\b/g;

export function colored(text: string): HTMLElement {
  const code = make("code");
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon, constant, number] = match;
    code.append(text.slice(end, match.index));
    const kind = quoted ? (colon ? "v" : "s") : constant ? "k" : number ? "m" : "k";
    code.append(make("span", { class: kind }, quoted ?? whole), quoted ? (colon ?? "") : "");
    end = match.index + whole.length;
  }
  code.append(text.slice(end));
  return code;
}
