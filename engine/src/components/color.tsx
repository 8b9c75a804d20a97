import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { word } from "../words";
import { Glyph } from "./icon";
import { frame, oneOf, type BaseProps } from "./props";

interface Themed {
  light?: string;
  dark?: string;
}

interface ColorProps extends BaseProps {
  variant?: string;
}

/** Whether names and values are hidden from screen readers, because the buttons have them as names. */
const InTable = createContext(false);

export function Color(props: ColorProps) {
  const variant = oneOf(props.variant, ["compact", "table"], "compact");
  return (
    <div {...frame("color", props)} data-variant={variant}>
      <InTable.Provider value={variant === "table"}>{props.children}</InTable.Provider>
    </div>
  );
}

function Row(props: BaseProps & { title?: string }) {
  return (
    <div {...frame("color-row", props)}>
      {props.title && (
        <div class="ds-color-row-head" data-component-part="color-row-title-container">
          <p class="ds-color-row-title" data-component-part="color-row-title">
            {props.title}
          </p>
        </div>
      )}
      <div class="ds-color-row-items" data-component-part="color-row-items-container">
        {props.children}
      </div>
    </div>
  );
}

interface ItemProps extends BaseProps {
  name?: string;
  value?: string | Themed;
}

function Item(props: ItemProps) {
  const { light, dark } = themed(props.value);
  const style = { "--ds-swatch-light": light, "--ds-swatch-dark": dark };
  const isThemed = light !== dark;
  const values = isThemed ? `${light} / ${dark}` : light;
  return (
    <div {...frame("color-item", props)} data-copy-light={light} data-copy-dark={dark}>
      <span class="ds-color-swatch" style={style as BaseProps["style"]} aria-hidden="true" />
      <CopyButton text={[props.name, values].filter(Boolean).join(" ")} />
      <div class="ds-color-text" aria-hidden={useContext(InTable) ? "true" : undefined}>
        {props.name && (
          <p class="ds-color-name" data-component-part="color-item-name">
            {props.name}
          </p>
        )}
        <p class="ds-color-value" data-component-part="color-item-value" data-dark={isThemed ? dark : undefined}>
          {light}
        </p>
      </div>
    </div>
  );
}

/** Button with which a script copies the colour. It is hidden without scripts. */
function CopyButton({ text }: { text: string }) {
  const label = `${word("copy")} ${text}`;
  return (
    <button type="button" class="ds-color-copy" data-component-part="color-item-button" aria-label={label} title={label}>
      <Glyph icon="check" iconLibrary="lucide" part={null} label={word("copied")} />
    </button>
  );
}

function themed(value: ItemProps["value"]): { light: string; dark: string } {
  if (typeof value !== "object" || value === null) {
    const text = String(value ?? "");
    return { light: text, dark: text };
  }
  const light = value.light ?? value.dark ?? "";
  return { light, dark: value.dark ?? light };
}

Color.Row = Row;
Color.Item = Item;
