/** A response, shown according to its kind. */
import { copyButton } from "../components/copy";
import { make } from "../components/dom";
import { colored } from "../components/tokens";
import { word as pageWord } from "../components/words";
import type { Answer, Way } from "./send";
import { word } from "./words";

const LONGEST_TEXT = 200_000;

export function showAnswer(output: HTMLElement, answer: Answer): void {
  const kind = answer.status < 400 ? "good" : "bad";
  const line = make(
    "p",
    { class: "ds-playground-status", "data-kind": kind },
    make("strong", {}, `${answer.status} ${answer.statusText}`.trim()),
    ` ${answer.milliseconds} ms · ${answer.body.size} B`,
  );
  const headers = make(
    "details",
    {},
    make("summary", {}, word("responseHeaders")),
    make("pre", {}, answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")),
  );
  output.replaceChildren(line, headers);
  void content(answer.body).then((shown) => shown && output.append(shown));
}

export function showFailure(output: HTMLElement, error: unknown, way: Way): void {
  const reason = error instanceof Error ? error.message : String(error);
  const hint = way.proxy ? "" : ` ${word("crossOrigin")}`;
  const line = `${word("failed")}: ${reason}.${hint}`;
  output.replaceChildren(make("p", { class: "ds-playground-status", "data-kind": "bad" }, line));
}

async function content(body: Blob): Promise<HTMLElement | null> {
  if (body.size === 0) return null;
  const media = /^(image|audio|video)\//.exec(body.type)?.[1];
  if (media) return picture(media as "image" | "audio" | "video", body);
  const text = (await body.text()).slice(0, LONGEST_TEXT);
  const pre = make("pre", { tabindex: "0" }, colored(pretty(text)));
  return make("div", { class: "ds-code ds-playground-code" }, pre, copyButton(pageWord("copyCode"), () => text));
}

function picture(media: "image" | "audio" | "video", body: Blob): HTMLElement {
  const src = URL.createObjectURL(body);
  return media === "image" ? make("img", { src, alt: word("response") }) : make(media, { src, controls: "" });
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
