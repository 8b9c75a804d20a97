/** The panel of a site with its conversation, which outlives page changes and refreshes. */
import { addStyles } from "./components/dom";
import { Conversation } from "./assistant/conversation";
import type { MakePanel } from "./assistant/loading";
import { Panel } from "./assistant/panel";
import styles from "./assistant/panel.css";

const makePanel: MakePanel = (endpoint) => {
  const path = document.documentElement.dataset.currentPath;
  const panel = new Panel(new Conversation({ endpoint, path, store: "ds-assistant" }));
  document.body.append(panel.element);
  return panel;
};

addStyles(styles);
(globalThis as unknown as { docsteadPanel: MakePanel }).docsteadPanel = makePanel;
