/**
 * The style sheet of the utility classes that a site uses.
 *
 *     utilities(json)    a list of class names -> a promise of CSS; names that mean nothing
 *                        to the compiler have no rule
 */
import { compile } from "tailwindcss";
import theme from "tailwindcss/theme.css";
import rules from "./rules.css";

// With its values written into the rules, the sheet needs no variables of its own.
const source = `${theme.replace("@theme default", "@theme default inline")}\n${rules}`;

const PREFIXED = /^((?:[^\s:]+:)*[!-]*)mint-(?=[a-z[])/; // `dark:mint-hidden` is `dark:hidden`

async function utilities(json: string): Promise<string> {
  const names = JSON.parse(json) as string[];
  const prefixed = names.filter((name) => PREFIXED.test(name));
  const css = (await compile(source)).build(names) + (await renamed(prefixed));
  // Rules for the children of an element must outdo those of its running text.
  return css.replaceAll(":where(.ds-content ", ":is(.ds-content ");
}

/** Rules for names with the original's prefix: those of the plain names, under the given ones. */
async function renamed(names: string[]): Promise<string> {
  if (names.length === 0) return "";
  const given = new Map(names.map((name) => [name.replace(PREFIXED, "$1"), name]));
  const css = (await compile(source)).build([...given.keys()]);
  return css.replace(/\.((?:\\.|[\w-])+)/g, (selector, escaped: string) => {
    const name = given.get(escaped.replace(/\\/g, ""));
    return name ? `.${name.replace(/[^\w-]/g, "\\$&")}` : selector;
  });
}

(globalThis as unknown as Record<string, unknown>).utilities = utilities;
