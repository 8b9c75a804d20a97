/** Names of branches next to a git graph, clear of the diagonal labels of its commits. */
import { outlineOf, type Point } from "./boxes";
import type { Element } from "./dom";
import { round } from "./labels";

const GAP = 8;

/** Move the names to the left until no label of a commit lies on one of them. */
export function clearBranchNames(picture: Element): void {
  const lines = picture.querySelectorAll("line.branch");
  if (lines.some((line) => line.getAttribute("y1") !== line.getAttribute("y2"))) return; // names stand above
  const boxes = picture.querySelectorAll(".branchLabelBkg");
  const names = boxes.map(outlineOf);
  const labels = picture.querySelectorAll(".commit-labels > g").map(outlineOf);
  const shift = round(Math.max(0, ...labels.flatMap((label) => names.map((name) => overlap(name, label)))));
  if (shift === 0) return;
  for (const box of boxes) box.setAttribute("x", round(Number(box.getAttribute("x")) - shift));
  for (const name of picture.querySelectorAll(".branchLabel")) name.setAttribute("transform", `translate(${-shift}, 0)`);
  for (const line of lines) line.setAttribute("x1", -shift);
  widen(picture, Math.min(...names.flat().map(([x]) => x)) - shift - GAP);
}

/** Return how far a label reaches into the name, at the height of the name. */
function overlap(name: readonly Point[], label: readonly Point[]): number {
  const heights = name.map(([, y]) => y);
  const left = leftWithin(label, Math.min(...heights), Math.max(...heights));
  return Math.max(...name.map(([x]) => x)) + GAP - left;
}

/** Return the leftmost position of a shape between two heights. */
function leftWithin(shape: readonly Point[], top: number, bottom: number): number {
  let left = Infinity;
  shape.forEach(([x, y], at) => {
    const [nextX, nextY] = shape[(at + 1) % shape.length]!;
    for (const height of [y, top, bottom]) {
      const share = height === y ? 0 : (height - y) / (nextY - y);
      if (height < top || height > bottom || !(share >= 0 && share <= 1)) continue;
      left = Math.min(left, x + share * (nextX - x));
    }
  });
  return left;
}

/** Let a drawing begin at `left`, if it begins later. */
function widen(picture: Element, left: number): void {
  const [x = 0, y, width = 0, height] = (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const more = Math.max(0, x - left);
  picture.setAttribute("viewBox", [x - more, y, width + more, height].map((each) => round(each!)).join(" "));
  picture.style.setProperty("max-width", `${round(width + more)}px`);
}
