/** Words of scripts in the language of their page. */

/**
 * Looks words up by name. `others` has, for each language, the words in the order of the
 * English ones, separated by `|`; English stands in for languages that it does not have.
 */
export function translated<T extends Record<string, string>>(
  english: T,
  others: Readonly<Record<string, string>>,
): (name: keyof T) => string {
  const names = Object.keys(english);
  return (name) => {
    const tag = document.documentElement.lang;
    const language = tag.split("-")[0] ?? "";
    const found = (/^zh-(Hant|TW)/.test(tag) && others["zh-Hant"]) || others[language];
    return found?.split("|")[names.indexOf(name as string)] ?? (english[name] as string);
  };
}
