/** What is wrong with a page, as Python's diagnostics have it. */
export interface Fault {
  file: string;
  line: number;
  column: number;
  severity: "error" | "warning" | "info";
  code: string;
  message: string;
  hint?: string;
}

/** A fault within one file, before the lines of its frontmatter are added. */
export type LocalFault = Omit<Fault, "file">;

/** Gives faults their file, and counts lines from the file's start. */
export function faultsOf(file: string, firstLine: number, faults: readonly LocalFault[]): Fault[] {
  return faults.map((fault) => ({
    ...fault,
    file,
    line: fault.line ? fault.line + firstLine - 1 : 0,
  }));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
