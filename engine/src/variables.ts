/** `{{name}}` in a page becomes the site's value of that name (docs.json, "variables"). */
import type { Draft } from "./draft";
import type { LocalDiagnostic } from "./diagnostics";
import { codeRanges, isWithin, type Position } from "./text";

const VARIABLE = /(?<![$={])\{\{[ \t]*([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*\}\}(?!\})/g;

/**
 * Known names are replaced everywhere, code included. An unknown one in prose stays as
 * it is written, with a diagnostic; in code it is taken for another language's own syntax.
 */
export function fillVariables(
  draft: Draft,
  values: Readonly<Record<string, string>>,
): LocalDiagnostic[] {
  if (!draft.text.includes("{{")) return [];
  const diagnostics: LocalDiagnostic[] = [];
  // A site without variables has taken this from another tool's syntax.
  const anyDefined = Object.keys(values).length > 0;
  const code = codeRanges(draft.text);
  // From the end, so that the offsets of those before stay true.
  for (const match of [...draft.text.matchAll(VARIABLE)].reverse()) {
    const [written, name] = match;
    const end = match.index + written.length;
    const inCode = isWithin(code, match.index);
    if (Object.hasOwn(values, name)) {
      draft.replace(match.index, end, inCode ? values[name] : escapeProse(values[name]));
    } else if (!inCode) {
      if (anyDefined) diagnostics.unshift(undefinedVariable(draft.originalOf(match.index), name));
      draft.replace(match.index, end, written.replace("{{", "\\{\\{"));
    }
  }
  return diagnostics;
}

function undefinedVariable(position: Position, name: string): LocalDiagnostic {
  return {
    ...position,
    severity: "warning",
    code: "undefined-variable",
    message: `no variable '${name}' is defined`,
    hint: `Add "${name}" to "variables" in docs.json.`,
  };
}

/** A value is text, so it cannot begin a tag or an expression. */
function escapeProse(value: string): string {
  return value.replace(/[<{}]/g, (mark) => ({ "<": "&lt;", "{": "&#123;" })[mark] ?? "&#125;");
}
