// The fastest set-up that Docusaurus offers, with the local search that sites of this kind use.
module.exports = {
  title: "Peer",
  url: "https://docs.example.com",
  baseUrl: "/",
  onBrokenLinks: "ignore",
  onBrokenAnchors: "ignore",
  markdown: { format: "md", hooks: { onBrokenMarkdownLinks: "ignore", onBrokenMarkdownImages: "ignore" } },
  future: { v4: true, faster: true },
  presets: [["classic", { docs: { routeBasePath: "/", sidebarPath: undefined, numberPrefixParser: false }, blog: false, pages: false }]],
  plugins: [["@easyops-cn/docusaurus-search-local", { indexBlog: false, docsRouteBasePath: "/" }]],
};
