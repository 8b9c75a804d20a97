/**
 * Tabs and views stand in the page one below the other, each under its title, and are
 * whole without a script; the browser script makes tab lists and selects of them.
 */
import { word } from "../words";
import { useAnchor } from "./anchors";
import { Boxed } from "./icon";
import { flag, frame, integer, type BaseProps, type IconProps } from "./props";

interface TabsProps extends BaseProps {
  defaultTabIndex?: number | string;
  sync?: boolean | string;
  borderBottom?: boolean | string;
}

export function Tabs(props: TabsProps) {
  return (
    <div
      {...frame("tabs", props)}
      id={props.id}
      data-default={integer(props.defaultTabIndex)}
      data-sync={flag(props.sync, true) ? undefined : "false"}
      data-border={flag(props.borderBottom) ? "" : undefined}
    >
      <div class="ds-tab-panels" data-component-part="tabs-panels">
        {props.children}
      </div>
    </div>
  );
}

interface TabProps extends BaseProps, IconProps {
  title?: string;
}

export function Tab(props: TabProps) {
  const title = String(props.title ?? word("tab"));
  const id = useAnchor(String(props.title ?? "tab"), props.id);
  return (
    <section {...frame("tab", props)} id={id} data-title={title}>
      <p class="ds-tab-title">
        <Boxed class="ds-tab-icon tab-icon" {...pictured(props)} />
        <span>{title}</span>
      </p>
      <div class="ds-tab-body" data-component-part="tab-content">
        {props.children}
      </div>
    </section>
  );
}

export function View(props: TabProps) {
  const title = String(props.title ?? word("view"));
  return (
    <section {...frame("view", props)} id={props.id} data-view={title}>
      <p class="ds-view-title">
        <Boxed class="ds-view-icon" {...pictured(props)} />
        <span>{title}</span>
      </p>
      <div class="ds-view-body multi-view-item">{props.children}</div>
    </section>
  );
}

function pictured({ icon, iconType, iconLibrary, color }: IconProps): IconProps {
  return { icon, iconType, iconLibrary, color };
}
