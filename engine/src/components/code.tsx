import { word } from "../words";
import { flag, frame, type BaseProps } from "./props";

interface GroupProps extends BaseProps {
  dropdown?: boolean | string;
}

/** Code blocks one below the other, each with its title; a script makes tabs of them. */
export function CodeGroup(props: GroupProps) {
  return (
    <div {...frame("code-group", props)} data-dropdown={flag(props.dropdown) ? "" : undefined}>
      {props.children}
    </div>
  );
}

function example(kind: "request" | "response") {
  return (props: GroupProps) => (
    <aside
      class={`ds-example ${kind}-example`}
      data-ds-example={kind}
      aria-label={word(`${kind}_example`)}
    >
      <CodeGroup {...props} />
    </aside>
  );
}

export const RequestExample = example("request");
export const ResponseExample = example("response");
