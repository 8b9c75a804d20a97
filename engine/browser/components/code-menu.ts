/** The menu of a code group: the list is over the language of the block that is shown. */
import { all, fresh } from "./dom";

export function enhanceCodeMenus(root: ParentNode): void {
  for (const menu of fresh(root, ".ds-code-menu")) {
    const group = menu.closest<HTMLElement>(".ds-code-group[data-ready]");
    const list = group?.querySelector(".ds-code-choice");
    if (!group || !list) continue;
    menu.append(list);
    const name = () => nameShown(group, menu);
    new MutationObserver(name).observe(group, { subtree: true, attributeFilter: ["hidden"] });
    name();
  }
}

function nameShown(group: HTMLElement, menu: HTMLElement): void {
  const names = menu.parentElement!.querySelector("template")!.content.children;
  const shown = all(group, ":scope > .ds-code").findIndex((block) => !block.hasAttribute("hidden"));
  const chosen = names[shown]?.cloneNode(true) as HTMLElement | undefined;
  if (!chosen) return;
  const icon = chosen.querySelector("svg");
  icon?.classList.add("icon", "code-block-icon");
  icon?.setAttribute("data-component-part", "icon-svg");
  menu.firstElementChild!.textContent = chosen.dataset.language!;
  menu.previousElementSibling!.replaceChildren(...chosen.childNodes);
}
