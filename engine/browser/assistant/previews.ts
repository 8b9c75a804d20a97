/** The first words of a source, below its link, while the pointer or the focus is on it. */
import { make } from "../components/dom";

const WAIT = 150; // ms, before the page of a link is read
const MOST_CHARACTERS = 220;
const TEXTS = "p, li, pre, td";

const read = new Map<string, Promise<Document>>();

/** Only pages of this site are read, which the reader may open anyway. */
export function offerPreview(item: HTMLElement): void {
  const link = item.querySelector("a");
  if (!link || link.origin !== location.origin || !/^https?:$/.test(link.protocol)) return;
  let waiting = 0;
  const show = () => {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => void textAt(link).then((text) => text && insert(item, text), () => {}), WAIT);
  };
  const hide = () => {
    window.clearTimeout(waiting);
    item.querySelector(".ds-assistant-preview")?.remove();
  };
  item.addEventListener("pointerenter", show);
  item.addEventListener("pointerleave", hide);
  link.addEventListener("focus", show);
  link.addEventListener("blur", hide);
}

function insert(item: HTMLElement, text: string): void {
  const isActive = item.matches(":hover, :focus-within") && !item.querySelector(".ds-assistant-preview");
  if (isActive) item.append(make("p", { class: "ds-assistant-preview" }, text));
}

/** Return the beginning of the linked section. */
async function textAt(link: HTMLAnchorElement): Promise<string> {
  const url = link.href.split("#")[0]!;
  const found = read.get(url) ?? fetch(url).then(async (page) => new DOMParser().parseFromString(await page.text(), "text/html"));
  read.set(url, found);
  const content = (await found).querySelector(".ds-content");
  const id = decodeURIComponent(link.hash.slice(1).split(":~:")[0]!); // a text to find may follow
  const heading = id ? content?.querySelector(`[id="${CSS.escape(id)}"]`) : null;
  const texts = [...(content?.querySelectorAll(TEXTS) ?? [])];
  const isAfter = (text: Element) => !heading || Boolean(heading.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING);
  const text = texts.find((each) => isAfter(each) && each.textContent?.trim())?.textContent?.trim().replace(/\s+/g, " ") ?? "";
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).replace(/\s\S*$/, "")} …` : text;
}
