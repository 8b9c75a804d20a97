/** Problem of a page, as in `content/diagnostics.py`. */
export interface Diagnostic {
  file: string;
  line: number;
  column: number;
  severity: "error" | "warning" | "info";
  code: string;
  message: string;
  hint?: string;
}

/** A diagnostic within one file, before the lines of its frontmatter are added. */
export type LocalDiagnostic = Omit<Diagnostic, "file">;

/** Gives diagnostics their file, and counts lines from the file's start. */
export function diagnosticsOf(file: string, firstLine: number, diagnostics: readonly LocalDiagnostic[]): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    file,
    line: diagnostic.line ? diagnostic.line + firstLine - 1 : 0,
  }));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
