/**
 * Providers of contexts that share their functions.
 *
 * V8 allocates a function that is assigned to a property in its old heap, which only full garbage
 * collections clean. Preact's providers assign several, which refer to the elements of their page, in
 * order to render again when a value changes. Here nothing is rendered twice.
 */
import { options } from "preact";

/** The renderer's instance of a component; `__c` is the name of the context that a provider sets. */
interface Component {
  __v: { type: { __c?: string } };
  getChildContext?: (this: Component) => object;
  sub?: () => void;
}

type Hooks = { __r?: (element: { __c: Component }) => void };

function provided(this: Component): object {
  return { [this.__v.type.__c as string]: this };
}

function ignored(): void {}

/** Set up each provider before it is rendered, so that it assigns no functions itself. */
export function shareProviders(): void {
  const hooks = options as Hooks;
  const before = hooks.__r;
  hooks.__r = (element) => {
    before?.(element);
    const component = element.__c;
    if (component.__v.type.__c === undefined) return;
    component.getChildContext = provided;
    component.sub = ignored;
  };
}
