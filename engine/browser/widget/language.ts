/** The widget is one script, on pages that know nothing of its words: it has those of every language. */
import translations from "translations";
import type { Words } from "../components/language";

/** In the language of the page that it stands in; none where there is no translation. */
export function wordsOfPage(): Words | undefined {
  const tag = document.documentElement.lang;
  const name = /^zh-(Hant|TW)/.test(tag) ? "zh-Hant" : tag.split("-")[0]!;
  return translations[name];
}
