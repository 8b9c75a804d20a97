/** A card with the first words of a source, while the pointer or the focus is on a link to it. */
import { make } from "../components/dom";

const WAIT = 150; // ms, before the page of a link is read
const MOST_CHARACTERS = 220;
const GAP_PIXELS = 6; // between link and card
const TEXTS = "p, li, pre, tr";

const read = new Map<string, Promise<Document>>();

/**
 * Show the beginning of the linked section; of a citation, `title` and what it cites. Only pages of
 * this site are read, which the reader may open anyway.
 */
export function offerPreview(link: HTMLAnchorElement, title = ""): void {
  if (link.origin !== location.origin || !/^https?:$/.test(link.protocol)) return;
  let waiting = 0;
  let card: HTMLElement | null = null;
  const hide = () => {
    window.clearTimeout(waiting);
    card?.remove();
  };
  const show = () => {
    hide();
    waiting = window.setTimeout(() => {
      void textAt(link, Boolean(title)).then((text) => {
        if (text && link.matches(":hover, :focus")) card = placed(link, title, text);
      }, () => {});
    }, WAIT);
  };
  link.addEventListener("pointerenter", show);
  link.addEventListener("pointerleave", hide);
  link.addEventListener("focus", show);
  link.addEventListener("blur", hide);
}

/** Show a card above the link, or below it where the log has no space above; nothing moves for it. */
function placed(link: HTMLElement, title: string, text: string): HTMLElement {
  const card = make("div", { class: "ds-assistant-preview" }, ...(title ? [make("strong", {}, title)] : []), make("p", {}, text));
  const view = link.closest<HTMLElement>(".ds-assistant-message");
  const log = view?.parentElement;
  if (!view || !log) return card;
  view.querySelector(".ds-assistant-preview")?.remove();
  view.append(card);
  const [at, top] = [link.getBoundingClientRect(), view.getBoundingClientRect().top];
  const height = card.offsetHeight + GAP_PIXELS;
  const isAbove = at.top - height > log.getBoundingClientRect().top;
  card.style.top = `${(isAbove ? at.top - height : at.bottom + GAP_PIXELS) - top}px`;
  return card;
}

function textOf(each: Element): string {
  const parts = each instanceof HTMLTableRowElement ? [...each.cells] : [each];
  return parts.map(({ textContent }) => textContent?.trim().replace(/\s+/g, " ")).join(" · ");
}

/** Return the paragraph with the words that the link cites, or else the first of the linked section. */
async function textAt(link: HTMLAnchorElement, isCitation: boolean): Promise<string> {
  const url = link.href.split("#")[0]!;
  const found = read.get(url) ?? fetch(url).then(async (page) => new DOMParser().parseFromString(await page.text(), "text/html"));
  read.set(url, found);
  found.catch(() => read.delete(url));
  const content = (await found).querySelector(".ds-content");
  const [id = "", cited = ""] = link.hash.slice(1).split(":~:text=");
  const heading = id ? content?.querySelector(`[id="${CSS.escape(decodeURIComponent(id))}"]`) : null;
  const texts = [...(content?.querySelectorAll(TEXTS) ?? [])]
    .filter((each) => !heading || Boolean(heading.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING))
    .map(textOf)
    .filter(Boolean);
  const words = decodeURIComponent(cited.split(/[,&]/)[0]!);
  const text = texts.find((each) => isCitation && words && each.includes(words)) ?? texts[0] ?? "";
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).replace(/\s\S*$/, "")} …` : text;
}
