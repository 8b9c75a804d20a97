// The default theme with its own local search, and the sidebar that the folders give.
import { readdirSync } from "node:fs";

const items = (folder, address = "/") =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = entry.name.replace(/\.md$/, "");
    if (entry.isDirectory()) {
      return [{ text: name, collapsed: true, items: items(`${folder}/${name}`, `${address}${name}/`) }];
    }
    return name === entry.name ? [] : [{ text: name, link: address + name }];
  });

export default {
  title: "Peer",
  srcDir: "docs",
  ignoreDeadLinks: true,
  markdown: { html: false },
  // Double braces are text in these pages.
  vue: { template: { compilerOptions: { delimiters: ["{%never%", "%never%}"] } } },
  themeConfig: { search: { provider: "local" }, sidebar: items("docs") },
};
