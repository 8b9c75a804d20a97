/** The theme that the reader sees now, and when it changes. */

const system = matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

export function onThemeChange(changed: () => void): void {
  let before = isDark();
  const look = () => {
    if (isDark() === before) return;
    before = !before;
    changed();
  };
  new MutationObserver(look).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", look);
}
