/** The island in which our own components are rendered. */
import { createContext } from "preact";

/** Whether an interactive component of an author is around this one. */
export const InIsland = createContext(false);

/**
 * In the browser: the drawings of the icons of the page, by their names. Only Python knows
 * them all, so that elsewhere this is null and a mark stands for each.
 */
export const drawings: { byName: ReadonlyMap<string, string> | null } = { byName: null };
