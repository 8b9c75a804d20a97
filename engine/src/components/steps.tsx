import { createContext, type ComponentChildren } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { useAnchor } from "./anchors";
import { childrenOf, flatten, inlineCode, isElement, plainText } from "./children";
import { Glyph } from "./icon";
import { isMarkup } from "./markup";
import { Numbers, StepNumbers } from "./numbers";
import { word } from "../words";
import { flag, frame, integer, oneOf, type BaseProps, type IconProps } from "./props";

const SIZES = ["p", "h2", "h3", "h4"] as const;
type Size = (typeof SIZES)[number];

const TitleSize = createContext<Size>("p");

interface StepsProps extends BaseProps {
  titleSize?: string;
}

/** A list by its roles, not its tags: a snippet may put more than steps between the steps. */
export function Steps(props: StepsProps) {
  const numbers = useMemo(() => new StepNumbers(), []);
  return (
    <div
      {...frame("steps", props)}
      data-component-part="steps"
      role={mayHaveSteps(props.children) ? "list" : undefined}
    >
      <Numbers.Provider value={numbers}>
        <TitleSize.Provider value={oneOf(props.titleSize, SIZES, "p")}>
          {props.children}
        </TitleSize.Provider>
      </Numbers.Provider>
    </div>
  );
}

const WITHOUT_STEPS = /^(?:ol|ul|p|pre|table|h[1-6])$/;

/** Whether steps may be among the children: a list of Markdown or a paragraph contains none. */
function mayHaveSteps(children: ComponentChildren): boolean {
  return flatten(children).some((child) => {
    if (!isElement(child)) return false;
    if (isMarkup(child)) return mayHaveSteps(child.props.exprs);
    if (typeof child.type !== "string") return true;
    return !WITHOUT_STEPS.test(child.type) && mayHaveSteps(childrenOf(child));
  });
}

interface StepProps extends BaseProps, IconProps {
  title?: ComponentChildren;
  titleSize?: string;
  stepNumber?: number | string;
  noAnchor?: boolean | string;
}

export function Step(props: StepProps) {
  const { icon, iconType, iconLibrary, color } = props;
  const size = oneOf(props.titleSize, SIZES, useContext(TitleSize));
  const id = useStepAnchor(props, size);
  const number = integer(props.stepNumber);
  const glyph = Glyph({ icon, iconType, iconLibrary, color });
  const numbers = useContext(Numbers);
  const position = useMemo(() => numbers?.next(), []);
  const shown = number ?? position;
  return (
    <div
      {...frame("step", props)}
      id={id}
      data-component-part="step-item"
      role="listitem"
    >
      <div class="ds-step-line" data-component-part="step-line" aria-hidden="true" />
      <div class="ds-step-marker" data-component-part="step-number">
        {glyph && <span class="ds-step-icon">{glyph}</span>}
        {!glyph && shown !== undefined && <div class="ds-step-number">{shown}</div>}
        {isLinked(props, size) && <AnchorLink id={String(props.id)} />}
      </div>
      <div class="ds-step-content">
        <StepTitle {...props} size={size} />
        <div class="ds-step-body" data-component-part="step-content">{props.children}</div>
      </div>
    </div>
  );
}

/** Whether the number of a step links to its heading, in place of the heading itself. */
function isLinked({ id, title, noAnchor }: StepProps, size: Size): boolean {
  return (size === "h2" || size === "h3") && Boolean(id && title) && !flag(noAnchor);
}

function AnchorLink({ id }: { id: string }) {
  return (
    <div class="ds-step-link" data-component-part="step-number-anchor-link">
      <a href={`#${id}`} aria-label={word("section_link")} />
    </div>
  );
}

/** A heading has the anchor itself; with a paragraph, the step has it. */
function useStepAnchor(props: StepProps, size: Size): string | undefined {
  const anchored = size === "p" && (props.id || (props.title && !flag(props.noAnchor)));
  const id = useAnchor(anchored ? plainText(props.title) : "", anchored ? props.id : undefined);
  return id;
}

function StepTitle({ title, size, id, noAnchor }: StepProps & { size: Size }) {
  if (title === undefined || title === null || title === "") return null;
  const part = { "data-component-part": "step-title" };
  if (size === "p") {
    return (
      <p class="ds-step-title" {...part}>
        {inlineCode(title)}
      </p>
    );
  }
  const Title = size as "h2";
  const extra = flag(noAnchor) || isLinked({ id, title }, size) ? { noAnchor: true } : {};
  return (
    <Title class="ds-step-title" id={id} {...part} {...extra}>
      {inlineCode(title)}
    </Title>
  );
}
