/** Components that most pages do not have; a page that has one loads this script as well. */
import { enhanceColors } from "./components/color";
import { enhancePrompts } from "./components/prompt";
import { enhanceTrees } from "./components/tree";
import { enhanceUpdates } from "./components/updates";

function start(): void {
  for (const apply of [enhanceColors, enhancePrompts, enhanceTrees, enhanceUpdates]) apply(document);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
