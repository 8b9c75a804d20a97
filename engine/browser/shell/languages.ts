/** The home page in a language of the browser, on the first visit only. */

import { read, write } from "../components/storage";

const VISITED = "ds-language";

/** `homes` alternates tags of languages with URLs, separated by spaces. */
export function leadToLanguage(homes: string | undefined): void {
  if (!homes || read("local", VISITED)) return;
  write("local", VISITED, document.documentElement.lang);
  if (!read("local", VISITED)) return; // it would be asked anew on each visit
  const words = homes.split(" ");
  const known = words.filter((_, at) => at % 2 === 0);
  const preferred = navigator.languages.map((tag) => closest(tag, known)).find(Boolean);
  if (!preferred || preferred === document.documentElement.lang) return;
  location.replace(words[words.indexOf(preferred) + 1]!);
}

function closest(tag: string, known: string[]): string | undefined {
  const bare = (each: string) => each.toLowerCase().split("-")[0];
  return known.find((each) => each.toLowerCase() === tag.toLowerCase()) ?? known.find((each) => bare(each) === bare(tag));
}
