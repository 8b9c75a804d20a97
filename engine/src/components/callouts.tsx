import { inline } from "./children";
import { Glyph, cssColor } from "./icon";
import { word } from "../words";
import { frame, oneOf, type BaseProps, type IconProps } from "./props";

/** The icon of each kind; what it is called is a word of the same name. */
const KINDS = {
  note: "info",
  info: "info",
  tip: "lightbulb",
  check: "check",
  warning: "triangle-alert",
  danger: "octagon-alert",
};

export type KindName = keyof typeof KINDS;

const SYNONYMS: Record<string, KindName> = {
  success: "check",
  error: "danger",
  caution: "warning",
  warn: "warning",
  important: "info",
};

/** The kind of callout that a `type` prop names, or undefined. */
export function kindOf(type: unknown): KindName | undefined {
  const name = String(type ?? "")
    .trim()
    .toLowerCase();
  return name in KINDS ? (name as KindName) : SYNONYMS[name];
}

interface CalloutProps extends BaseProps, IconProps {
  type?: string;
  title?: string;
}

export function Callout(props: CalloutProps) {
  const kind = kindOf(props.type);
  return <Box {...props} kind={kind} />;
}

function Box(props: CalloutProps & { kind?: KindName }) {
  const { kind, title, children } = props;
  const { class: name, style } = frame("callout", props);
  const color = cssColor(props.color);
  return (
    <div
      class={name}
      role="note"
      aria-label={kind ? word(kind) : undefined}
      data-callout={kind ?? "custom"}
      style={color ? withColor(style, color) : style}
    >
      <CalloutIcon {...props} />
      <div class="ds-callout-body">
        {title && <p class="ds-callout-title">{inline(title)}</p>}
        {children}
      </div>
    </div>
  );
}

function withColor(style: BaseProps["style"], color: string): BaseProps["style"] {
  if (typeof style === "string") return `--ds-hue:${color};${style}`;
  return { "--ds-hue": color, ...style } as BaseProps["style"];
}

function CalloutIcon({ icon, iconType, iconLibrary, kind }: CalloutProps & { kind?: KindName }) {
  if (icon !== undefined) {
    const drawn = Glyph({ icon, iconType, iconLibrary });
    return drawn && <span class="ds-callout-icon">{drawn}</span>;
  }
  return kind ? <span class="ds-callout-icon">{presetIcon(kind)}</span> : null;
}

/** The icon that belongs to a kind of callout. */
export function presetIcon(kind: KindName) {
  return <Glyph icon={KINDS[kind]} iconLibrary="lucide" />;
}

function preset(kind: KindName) {
  return (props: CalloutProps) => <Box {...props} kind={kind} />;
}

export const Note = preset("note");
export const Info = preset("info");
export const Tip = preset("tip");
export const Check = preset("check");
export const Warning = preset("warning");
export const Danger = preset("danger");
