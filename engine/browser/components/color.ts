import { copy } from "./copy";
import { all, fresh } from "./dom";

const PRESSED_MILLISECONDS = 2000;

/** A click on a colour copies its value for the theme that is shown. */
export function enhanceColors(root: ParentNode): void {
  for (const item of fresh(root, ".ds-color-item")) {
    for (const button of all(item, ".ds-color-copy")) {
      button.addEventListener("click", async () => press(button, await copy(valueOf(item))));
    }
  }
}

/** Shows for a while that the value was copied. */
function press(button: HTMLElement, isCopied: boolean): void {
  if (!isCopied) return;
  button.setAttribute("aria-pressed", "true");
  window.setTimeout(() => button.setAttribute("aria-pressed", "false"), PRESSED_MILLISECONDS);
}

function valueOf(item: HTMLElement): string {
  const { copyLight = "", copyDark = "" } = item.dataset;
  return isDark() ? copyDark : copyLight;
}

function isDark(): boolean {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
