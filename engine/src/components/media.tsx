import { cloneElement, type ComponentChildren } from "preact";
import { flatten, inline, isElement, type Element } from "./children";
import { Glyph } from "./icon";
import { flag, frame, oneOf, type BaseProps } from "./props";

interface FrameProps extends BaseProps {
  caption?: ComponentChildren;
  hint?: ComponentChildren;
}

export function Frame(props: FrameProps) {
  const { caption, hint } = props;
  return (
    <div class="ds-frame-container" data-component-part="frame-container">
      {hint && <p class="ds-frame-hint">{inline(hint)}</p>}
      <div
        {...frame("frame", props)}
        id={props.id}
        role="figure"
        data-component-part="frame"
        data-name="frame"
      >
        <div data-component-part="frame-background-pattern" aria-hidden="true" />
        <div class="ds-frame-content" data-component-part="frame-content">
          {flatten(props.children).map(playable)}
        </div>
        {caption && (
          <div class="ds-frame-caption" data-component-part="frame-description">
            {typeof caption === "string" ? <p>{inline(caption)}</p> : caption}
          </div>
        )}
        <div data-component-part="frame-border" aria-hidden="true" />
      </div>
    </div>
  );
}

/** Let a video start automatically, for which browsers require that it is silent and plays inline. */
function playable(child: Element | string | number): ComponentChildren {
  if (!isElement(child) || child.type !== "video") return child;
  const { autoPlay, autoplay } = child.props;
  if (!flag(autoPlay ?? autoplay)) return child;
  return cloneElement(child, { playsInline: true, loop: true, muted: true } as object);
}

interface ImageProps extends BaseProps {
  src?: string;
  alt?: string;
  [attribute: string]: unknown;
}

export function Image({ children: _, className, ...attributes }: ImageProps) {
  const name = ["ds-image", className, attributes.class].filter(Boolean).join(" ");
  return <img {...(attributes as object)} class={name} alt={attributes.alt ?? ""} />;
}

interface LinkProps extends BaseProps {
  href?: string;
  to?: string;
  [attribute: string]: unknown;
}

export function Link({ href, to, children, className, ...attributes }: LinkProps) {
  return (
    <a {...(attributes as object)} href={href ?? to} class={className}>
      {children}
    </a>
  );
}

interface RepoProps extends BaseProps {
  repo?: string;
  variant?: string;
}

function Repo(props: RepoProps) {
  const name = repositoryName(String(props.repo ?? ""));
  if (!name) return null;
  const [owner, repository] = name.split("/");
  return (
    <a
      {...frame("repo", props)}
      href={`https://github.com/${name}`}
      data-variant={oneOf(props.variant, ["inset", "flat"], "inset")}
    >
      <span class="ds-repo-icon">
        <Glyph icon="github" iconType="brands" iconLibrary="fontawesome" />
      </span>
      <span class="ds-repo-name">
        <span class="ds-repo-owner">{owner}/</span>
        {repository}
      </span>
      <span class="ds-card-arrow" aria-hidden="true" />
    </a>
  );
}

/** `owner/name` of a repository given as such or by its URL. */
function repositoryName(text: string): string | undefined {
  const match = /^(?:https?:\/\/)?(?:www\.)?(?:github\.com\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;
  return match.exec(text.trim())?.[1];
}

export const GitHub = { Repo };
