/** `{{name}}` in a page becomes the site's value of that name (docs.json, "variables"). */
import type { LocalFault } from "./faults";
import { codeRanges, isWithin, placeOf, type Range } from "./text";

const VARIABLE = /(?<![$={])\{\{[ \t]*([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*\}\}(?!\})/g;

export interface Filled {
  source: string;
  faults: LocalFault[];
}

/**
 * Known names are replaced everywhere, code included. An unknown one in prose stays as
 * it is written, with a fault; in code it is taken for another language's own syntax.
 */
export function fillVariables(source: string, values: Readonly<Record<string, string>>): Filled {
  if (!source.includes("{{")) return { source, faults: [] };
  const faults: LocalFault[] = [];
  const anyDefined = Object.keys(values).length > 0;
  let code: Range[] | undefined;
  const filled = source.replace(VARIABLE, (written, name: string, offset: number) => {
    code ??= codeRanges(source);
    const inCode = isWithin(code, offset);
    if (Object.hasOwn(values, name)) return inCode ? values[name] : escapeProse(values[name]);
    if (inCode) return written;
    // A site without variables has taken this from another tool's syntax.
    if (anyDefined) faults.push(undefinedVariable(source, offset, name));
    return written.replace("{{", "\\{\\{");
  });
  return { source: filled, faults };
}

function undefinedVariable(source: string, offset: number, name: string): LocalFault {
  return {
    ...placeOf(source, offset),
    severity: "warning",
    code: "undefined-variable",
    message: `no variable '${name}' is defined`,
    hint: `Add "${name}" to "variables" in docs.json.`,
  };
}

/** A value is text: it cannot open a tag or an expression. */
function escapeProse(value: string): string {
  return value.replace(/[<{}]/g, (mark) => ({ "<": "&lt;", "{": "&#123;" })[mark] ?? "&#125;");
}
