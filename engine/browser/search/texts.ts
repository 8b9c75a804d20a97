/** The words of the search dialog, in the page's language; English where there are none. */

import { translated } from "../components/language";

const ENGLISH = {
  none: "Nothing found for “{query}”.",
  hint: "Searches titles, sections and code.",
  found: "{count} results",
  select: "navigate",
  open: "open",
  close: "close",
  failed: "The search index could not be loaded.",
  all: "All",
};

export const word = translated("search", ENGLISH);
