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

async function utilities(json: string): Promise<string> {
  const names = JSON.parse(json) as string[];
  const css = (await compile(source)).build(names);
  // Rules for the children of an element must outdo those of its running text.
  return css.replaceAll(":where(.ds-content ", ":is(.ds-content ");
}

(globalThis as unknown as Record<string, unknown>).utilities = utilities;
