import { all, announce, drawing, make } from "./dom";
import { copy, copyButton } from "./copy";
import { word } from "./words";

const DOWNLOAD = ["M12 4v11", "M7.5 11l4.5 4.5 4.5-4.5", "M5 20h14"];

/** Buttons on images that readers may copy or download. */
export function offerImages(root: ParentNode): void {
  for (const image of all<HTMLImageElement>(root, "img[data-image-actions]:not(.ds-image-box *)")) {
    const { imageActions = "", placement = "bottom-center" } = image.dataset;
    const bar = make("span", { class: "ds-image-actions", "data-placement": placement });
    for (const name of imageActions.split(" ")) {
      bar.append(name === "copy" ? imageButton(image) : downloadLink(image));
    }
    const box = make("span", { class: "ds-image-box" });
    image.replaceWith(box);
    box.append(image, bar);
  }
}

function imageButton(image: HTMLImageElement): HTMLElement {
  return copyButton(word("copyImage"), () => copyImage(image));
}

function downloadLink(image: HTMLImageElement): HTMLElement {
  const name = word("downloadImage");
  const attributes = { class: "ds-copy", href: image.src, download: "", "aria-label": name, title: name };
  return make("a", attributes, drawing(...DOWNLOAD));
}

/** The image itself; where a browser refuses that, its URL. */
async function copyImage(image: HTMLImageElement): Promise<boolean> {
  try {
    const picture = new ClipboardItem({ "image/png": pngOf(image) });
    await navigator.clipboard.write([picture]);
    announce(word("copied"));
    return true;
  } catch {
    return copy(image.src);
  }
}

function pngOf(image: HTMLImageElement): Promise<Blob> {
  const canvas = make("canvas", {
    width: String(image.naturalWidth || image.width),
    height: String(image.naturalHeight || image.height),
  });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
