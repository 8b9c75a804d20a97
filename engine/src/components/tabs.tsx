/**
 * Tabs and views are below each other, each under its title, and complete without a script; the browser script
 * shows one at a time.
 */
import { useContext } from "preact/hooks";
import { Page } from "../runtime/scope";
import { word } from "../words";
import { useAnchor, useAnchors } from "./anchors";
import { flatten, isElement, type Element } from "./children";
import { Boxed, Glyph } from "./icon";
import { between, flag, frame, integer, type BaseProps, type IconProps } from "./props";

interface TabsProps extends BaseProps {
  defaultTabIndex?: number | string;
  sync?: boolean | string;
  borderBottom?: boolean | string;
}

/** The list names tabs that are children; a script makes one for tabs of other components. */
export function Tabs(props: TabsProps) {
  const claim = useAnchors();
  const children = flatten(props.children);
  const tabs = children.filter(isTab).map((tab) => tab.props as TabProps);
  const chosen = between(props.defaultTabIndex, 0, tabs.length - 1, 0);
  return (
    <div
      {...frame("tabs", props)}
      id={props.id}
      data-default={integer(props.defaultTabIndex)}
      data-sync={flag(props.sync, true) ? undefined : "false"}
      data-border={flag(props.borderBottom) ? "" : undefined}
    >
      {tabs.length > 0 && <TabList tabs={tabs} chosen={chosen} />}
      <div class="ds-tab-panels" data-component-part="tabs-panels">
        {children.map((child) => (isTab(child) ? <Panel {...child.props} id={anchorOf(child, claim)} /> : child))}
      </div>
    </div>
  );
}

function isTab(child: unknown): child is Element {
  return isElement(child) && child.type === Tab;
}

function anchorOf({ props }: Element, claim: ReturnType<typeof useAnchors>): string | undefined {
  return claim(String(props.title ?? "tab"), props.id);
}

function TabList({ tabs, chosen }: { tabs: TabProps[]; chosen: number }) {
  return (
    <ul class="ds-tab-list" role="tablist" data-component-part="tabs-list">
      {tabs.map((tab, index) => (
        <li
          class="ds-tab-button"
          role="tab"
          aria-selected={index === chosen ? "true" : "false"}
          data-component-part="tab"
        >
          <div data-component-part="tab-button" data-active={index === chosen ? "true" : "false"}>
            <Glyph class="ds-tab-icon tab-icon" {...pictured(tab)} />
            {titleOf(tab)}
          </div>
        </li>
      ))}
    </ul>
  );
}

interface TabProps extends BaseProps, IconProps {
  title?: string;
}

export function Tab(props: TabProps) {
  const id = useAnchor(String(props.title ?? "tab"), props.id);
  return <Panel {...props} id={id} />;
}

function Panel(props: TabProps) {
  return (
    <div
      {...frame("tab", props)}
      id={props.id}
      role="tabpanel"
      data-title={titleOf(props)}
      data-component-part="tab-content"
    >
      {props.children}
    </div>
  );
}

function titleOf({ title }: TabProps): string {
  return String(title ?? word("tab"));
}

/** The hook is that of the view that is shown; a script moves it. */
export function View(props: TabProps) {
  const title = String(props.title ?? word("view"));
  const isShown = useContext(Page)?.isFirstView(title) ?? true;
  return (
    <section {...frame("view", props)} id={props.id} data-view={title}>
      <p class="ds-view-title">
        <Boxed class="ds-view-icon" {...pictured(props)} />
        <span>{title}</span>
      </p>
      <div class={isShown ? "ds-view-body multi-view-item" : "ds-view-body"}>{props.children}</div>
    </section>
  );
}

function pictured({ icon, iconType, iconLibrary, color }: IconProps): IconProps {
  return { icon, iconType, iconLibrary, color };
}
