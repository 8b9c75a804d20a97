/** Target of the JSX of our own components: elements whose links are relative to the site's root. */
import { runtimeOf } from "./elements";

export type { JSX } from "preact/jsx-runtime";
export { Fragment } from "preact";

const { jsx } = runtimeOf({ directory: "/", own: true });

export { jsx, jsx as jsxs, jsx as jsxDEV };
