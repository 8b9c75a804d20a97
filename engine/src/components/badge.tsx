import { Glyph } from "./icon";
import { flag, frame, oneOf, type BaseProps, type IconProps } from "./props";

const SIZES = ["xs", "sm", "md", "lg"] as const;
const SHAPES = ["rounded", "pill"] as const;
const COLORS = [
  "gray",
  "blue",
  "green",
  "yellow",
  "orange",
  "red",
  "purple",
  "white",
  "surface",
  "white-destructive",
  "surface-destructive",
] as const;

interface BadgeProps extends BaseProps, Omit<IconProps, "color"> {
  color?: string;
  size?: string;
  shape?: string;
  variant?: string;
  stroke?: boolean | string;
  disabled?: boolean | string;
  leadIcon?: IconProps["icon"];
  tailIcon?: IconProps["icon"];
  href?: string;
}

/** `icon` and `stroke` are former names of `tailIcon` and `variant="outline"`. */
export function Badge(props: BadgeProps) {
  const variant = oneOf(props.variant, ["solid", "outline"], flag(props.stroke) ? "outline" : "solid");
  const disabled = flag(props.disabled);
  const given = {
    ...frame("badge", props),
    "data-badge": "",
    "data-color": oneOf(props.color, COLORS, "gray"),
    "data-size": oneOf(props.size, SIZES, "md"),
    "data-shape": oneOf(props.shape, SHAPES, "rounded"),
    "data-stroke": variant === "outline" ? "" : undefined,
    "data-variant": variant,
    "data-disabled": disabled ? "true" : undefined,
  };
  const content = (
    <>
      <BadgeIcon {...props} icon={props.leadIcon} part="lead-icon" />
      {props.tailIcon === undefined && <BadgeIcon {...props} part="tail-icon" />}
      {props.children}
      <BadgeIcon {...props} icon={props.tailIcon} part="tail-icon" />
    </>
  );
  if (props.href && !disabled) {
    return (
      <a {...given} href={props.href}>
        {content}
      </a>
    );
  }
  return <span {...given}>{content}</span>;
}

function BadgeIcon({ icon, iconType, iconLibrary, part }: IconProps & { part: string }) {
  const glyph = Glyph({ icon, iconType, iconLibrary });
  if (!glyph) return null;
  const kind = typeof icon === "string" ? "string" : "element";
  return (
    <span class="ds-badge-icon" data-component-part={part} data-icon-type={kind}>
      {glyph}
    </span>
  );
}
