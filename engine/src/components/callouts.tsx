import { inline } from "./children";
import { Glyph, cssColor } from "./icon";
import { word } from "../words";
import { frame, withVariable, type BaseProps, type IconProps } from "./props";

/** The icon of each kind. Its label is the word of the same name. */
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
  variant?: string;
  title?: string;
}

/** `variant` is the name that `type` has in the original's package. */
export function Callout(props: CalloutProps) {
  const kind = kindOf(props.type ?? props.variant);
  return <Box {...props} kind={kind} />;
}

function Box(props: CalloutProps & { kind?: KindName }) {
  const { kind, title, children } = props;
  const { class: name, style } = frame("callout", props);
  const color = cssColor(props.color);
  const isNamed = kind !== undefined && props.icon === undefined; // by its icon
  return (
    <div
      class={name}
      role="note"
      aria-label={kind && !isNamed ? word(kind) : undefined}
      data-callout={kind ?? "custom"}
      data-callout-type={kind ?? "custom"}
      style={color ? withVariable(style, "--ds-hue", color) : style}
    >
      <CalloutIcon {...props} />
      <div class="ds-callout-body" data-component-part="callout-content">
        {title && (
          <div class="ds-callout-title" data-component-part="callout-title">
            {inline(title)}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

function CalloutIcon({ icon, iconType, iconLibrary, kind }: CalloutProps & { kind?: KindName }) {
  const own = icon !== undefined;
  const glyph = own ? Glyph({ icon, iconType, iconLibrary }) : kind && presetIcon(kind);
  if (!glyph) return null;
  return (
    <div class="ds-callout-icon" data-component-part="callout-icon">
      {glyph}
    </div>
  );
}

/** The icon that belongs to a kind of callout. */
export function presetIcon(kind: KindName) {
  return <Glyph icon={KINDS[kind]} iconLibrary="lucide" part={null} label={word(kind)} />;
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
