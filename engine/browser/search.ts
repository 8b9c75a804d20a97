/**
 * Search in the browser. Loaded when a reader first opens the search; from then on the
 * dialog answers from the index of the site (outputs/search_bundle).
 */

import { SearchDialog } from "./search/dialog";
import { Files } from "./search/files";
import { Index } from "./search/index";
import { suggestPages } from "./search/near";

const button = document.querySelector<HTMLElement>("[data-search]");
if (button) {
  const { search = "", searchLanguage = "", searchVersion = "" } = button.dataset;
  const script = new URL(search, document.baseURI).href;
  const root = script.slice(0, script.lastIndexOf("_docs/")); // folders above may end so too
  const tab = document.querySelector(".ds-nav-tab[aria-current] > span")?.textContent ?? "";
  const index = new Index(new Files(root), searchLanguage, searchVersion, tab);
  const dialog = new SearchDialog(index, root, button.getAttribute("aria-label") ?? "");
  const open = () => {
    const typed = button.dataset.requested;
    if (typed === undefined) return;
    delete button.dataset.requested;
    dialog.open(typed);
  };
  open();
  document.addEventListener("docstead:search", open);
  void suggestPages(index, root);
}
