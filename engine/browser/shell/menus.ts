/** Menus: one is open at a time, arrow keys move in it, and Escape gives the focus back. */

const OPEN = ":is(.ds-menu, .ds-contents-inline)[open]";

export function tameMenus(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    closeMenus(target.closest(".ds-contents-inline a") ? null : target.closest(OPEN));
  });
  const mark = ({ target }: Event) => {
    const menu = target as HTMLElement;
    if (menu instanceof HTMLDetailsElement) menu.dataset.state = menu.open ? "open" : "closed";
  };
  document.addEventListener("toggle", mark, true);
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusout", closeLeft);
}

function closeMenus(except?: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN)) {
    if (menu !== except) menu.open = false;
  }
}

function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    const menu = document.activeElement?.closest<HTMLDetailsElement>(OPEN);
    closeMenus();
    menu?.querySelector("summary")?.focus();
  } else if (!event.ctrlKey && !event.metaKey && !event.altKey) move(event);
}

/** Move the focus to another entry. The arrows also open a closed menu. */
function move(event: KeyboardEvent): void {
  const { activeElement } = document;
  const menu = activeElement?.closest<HTMLDetailsElement>(".ds-menu");
  if (!menu) return;
  const entries = [...menu.querySelectorAll<HTMLElement>(".ds-option")];
  const at = entries.indexOf(activeElement as HTMLElement);
  const opens = { ArrowDown: at + 1, ArrowUp: Math.max(at, 0) - 1 };
  const next = { ...opens, ...(menu.open && { Home: 0, End: -1 }) }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  menu.open = true;
  entries.at(next % entries.length)?.focus();
}

/** Close the menu that Tab has left. */
function closeLeft({ target, relatedTarget }: FocusEvent): void {
  const menu = (target as Element).closest<HTMLDetailsElement>(".ds-menu[open]");
  if (relatedTarget && !menu?.contains(relatedTarget as Element)) menu?.removeAttribute("open");
}
