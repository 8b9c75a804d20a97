import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { useAnchor } from "./anchors";
import { inline } from "./children";
import { slug } from "../slug";
import { word } from "../words";
import { flag, frame, list, type BaseProps } from "./props";

const LOCATIONS = ["query", "path", "body", "header", "cookie"] as const;
type ParamLocation = (typeof LOCATIONS)[number];

/** Anchors of nested fields begin with those of the fields around them. */
const Parent = createContext("param");

interface FieldProps extends BaseProps {
  name?: ComponentChildren;
  type?: unknown;
  default?: unknown;
  required?: boolean | string;
  optional?: boolean | string;
  placeholder?: unknown;
  deprecated?: boolean | string;
  description?: ComponentChildren;
  pre?: unknown;
  post?: unknown;
}

type ParamProps = FieldProps & Partial<Record<ParamLocation, unknown>>;

export function ResponseField(props: FieldProps) {
  return <Field {...props} location={undefined} />;
}

export function ParamField(props: ParamProps) {
  const location = LOCATIONS.find((each) => props[each] !== undefined);
  const value = location && props[location];
  const name = typeof value === "string" || typeof value === "number" ? value : props.name;
  return <Field {...props} name={name} location={location} />;
}

function Field(props: FieldProps & { location?: ParamLocation }) {
  const parent = useContext(Parent);
  const name = String(props.name ?? "");
  const path = name ? `${parent}-${slug(name)}` : parent;
  const id = useAnchor("", props.id ?? (name ? path : undefined));
  return (
    <div
      {...frame("field", props)}
      id={id}
      data-place={props.location}
      data-placeholder={props.placeholder === undefined ? undefined : String(props.placeholder)}
    >
      <div class="ds-field-head">
        <Pills values={props.pre} part="field-meta-pre" />
        <FieldName name={name} id={id} />
        <div class="ds-field-meta" data-component-part="field-meta">
          <Facts {...props} />
          <Pills values={props.post} part="field-meta-post" />
        </div>
      </div>
      <div class="ds-field-body" data-component-part="field-content">
        {props.description && <p>{inline(props.description)}</p>}
        <Parent.Provider value={path}>{props.children}</Parent.Provider>
      </div>
    </div>
  );
}

function FieldName({ name, id }: { name: string; id?: string }) {
  if (!name) return null;
  return (
    <div class="ds-field-label" data-component-part="field-name">
      {id ? (
        <a class="ds-field-name" href={`#${id}`}>
          <code>{name}</code>
        </a>
      ) : (
        <code class="ds-field-name">{name}</code>
      )}
    </div>
  );
}

function Facts(props: FieldProps & { location?: ParamLocation }) {
  const preset = defaultText(props.default);
  return (
    <>
      {props.type !== undefined && <Pill kind="type">{String(props.type)}</Pill>}
      {props.location && <Pill kind="place">{props.location}</Pill>}
      {preset !== undefined && (
        <Pill kind="default">
          {`${word("default")} `}
          <code>{preset}</code>
        </Pill>
      )}
      {flag(props.required) && <Pill kind="required">{word("required")}</Pill>}
      {flag(props.optional) && <Pill kind="optional">{word("optional")}</Pill>}
      {flag(props.deprecated) && <Pill kind="deprecated">{word("deprecated")}</Pill>}
    </>
  );
}

/** The parts of labels that have one of their own; the others inform. */
const PARTS: Record<string, string> = {
  required: "field-required-pill",
  deprecated: "field-deprecated-pill",
};

interface PillProps {
  kind: string;
  part?: string;
  children?: ComponentChildren;
}

function Pill({ kind, part, children }: PillProps) {
  return (
    <div
      class={`ds-field-pill ds-field-${kind}`}
      data-component-part={part ?? PARTS[kind] ?? "field-info-pill"}
    >
      {children}
    </div>
  );
}

function Pills({ values, part }: { values: unknown; part: string }) {
  return list(values).map((value) => (
    <Pill kind="note" part={part}>
      {value}
    </Pill>
  ));
}

function defaultText(value: unknown): string | undefined {
  return value === undefined ? undefined : (JSON.stringify(value) ?? String(value));
}
