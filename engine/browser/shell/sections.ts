/** Menus of languages and versions lead to the section that is being read, not only to its page. */

import { read, write } from "../components/storage";

const SECTION = "ds-section";
const LINKS = ":is([data-menu=language], [data-menu=version]) a:not(:has(.ds-option-note))";

const contents = () => [...document.querySelectorAll<HTMLAnchorElement>(".ds-contents li a")];
const idOf = (hash: string) => decodeURIComponent(hash.slice(1));

/** Translated sections have ids of their own: their position is passed on, too. */
function keepSection(): void {
  document.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest<HTMLAnchorElement>(LINKS);
    const links = contents();
    const at = links.findIndex((each) => each.ariaCurrent);
    if (!link || at < 0 || scrollY <= 0) return;
    link.hash = links[at]!.hash;
    write("session", SECTION, `${at} ${links.length}`);
  });
}

function showSection(): void {
  const [at, count] = (read("session", SECTION) ?? "").split(" ");
  if (!count) return;
  write("session", SECTION, "");
  const links = contents();
  if (!location.hash || document.getElementById(idOf(location.hash)) || links.length !== Number(count)) return;
  location.replace(links[Number(at)]!.hash);
}

showSection();
keepSection();
