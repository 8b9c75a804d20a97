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
    const language = document.documentElement.lang.split("-")[0] ?? "";
    return others[language]?.split("|")[names.indexOf(name as string)] ?? (english[name] as string);
  };
}
