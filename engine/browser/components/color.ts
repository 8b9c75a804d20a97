import { copy } from "./copy";
import { fresh, make } from "./dom";
import { word } from "./words";

/** A click on a colour copies its value for the theme that is shown. */
export function enhanceColors(root: ParentNode): void {
  for (const item of fresh(root, ".ds-color-item")) {
    const texts = [...item.querySelectorAll(".ds-color-text > *")].map((each) => each.textContent);
    const label = [word("copy"), ...texts].join(" ");
    const button = make("button", {
      type: "button",
      class: "ds-color-copy",
      "data-component-part": "color-item-button",
      "aria-label": label,
      title: label,
    });
    button.addEventListener("click", () => copy(valueOf(item)));
    item.append(button);
  }
}

function valueOf(item: HTMLElement): string {
  const { copyLight = "", copyDark = "" } = item.dataset;
  return isDark() ? copyDark : copyLight;
}

function isDark(): boolean {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
