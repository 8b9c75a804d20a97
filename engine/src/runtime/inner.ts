/** The island in which our own components are rendered. */
import { createContext } from "preact";

/** Whether an interactive component of an author is around this one. */
export const InIsland = createContext(false);

/**
 * In the browser: the drawings of the icons of the page, by their names. Elsewhere null: a mark stands for each
 * icon, because only Python knows them all.
 */
export const drawings: { byName: ReadonlyMap<string, string> | null } = { byName: null };
