import { fresh, make } from "./dom";
import { word } from "./words";

const LEAST_WIDTH = 240;
const NEVER = [
  "a",
  "button",
  "summary",
  "label",
  ".ds-card",
  ".ds-tile",
  ".ds-color",
  "[data-no-zoom]",
  "[nozoom]",
].join(", ");

/** Pictures of the content that are shown smaller than they are open at full size. */
export function enhanceImages(root: ParentNode): void {
  for (const image of fresh<HTMLImageElement>(root, ".ds-prose img, .ds-content img")) {
    if (image.closest(NEVER)) continue;
    if (image.complete) consider(image);
    else image.addEventListener("load", () => consider(image), { once: true });
  }
}

function consider(image: HTMLImageElement): void {
  const isVector = /\.svg($|[?#])/i.test(image.currentSrc);
  if (image.clientWidth < LEAST_WIDTH && image.clientWidth > 0) return;
  if (!isVector && image.naturalWidth <= image.clientWidth) return;
  image.classList.add("ds-zoomable");
  image.tabIndex = 0;
  image.setAttribute("role", "button");
  image.setAttribute("aria-haspopup", "dialog");
  image.setAttribute("aria-label", [word("enlarge"), image.alt].filter(Boolean).join(": "));
  if (!image.alt) image.alt = word("enlarge"); // what can be pressed is no mere decoration
  image.addEventListener("click", () => open(image));
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open(image);
  });
}

function open(image: HTMLImageElement): void {
  const copy = make("img", { src: image.currentSrc || image.src, alt: image.alt });
  const dialog = make(
    "dialog",
    { class: "ds-zoom", "aria-label": image.alt || word("enlarge") },
    copy,
  );
  dialog.tabIndex = -1;
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    image.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
}
