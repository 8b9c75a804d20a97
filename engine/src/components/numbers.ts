/** The numbers of the steps of one list. */
import { createContext } from "preact";

/** Counts in the order of the page; each step asks once. */
export class StepNumbers {
  private last = 0;

  /** The position of the next step, which does not depend on numbers that authors give to others. */
  next(): number {
    this.last += 1;
    return this.last;
  }
}

/** Null for a step outside of a list, and where the browser renders an island: CSS counts those. */
export const Numbers = createContext<StepNumbers | null>(null);
