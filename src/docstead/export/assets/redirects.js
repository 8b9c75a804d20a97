// On the page of unknown addresses: leads on where a redirect of the site has a pattern.
(() => {
  const table = document.getElementById("ds-redirects");
  const script = document.currentScript;
  if (!table || !script || location.protocol === "file:") return;
  const root = new URL("..", script.src);
  let path;
  try {
    path = decodeURIComponent(location.pathname);
  } catch {
    return;
  }
  const base = decodeURIComponent(root.pathname);
  if (!path.startsWith(base) || path.length > 2000) return;
  path = ("/" + path.slice(base.length)).replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  path = path.replace(/\.html$/, "");

  const escaped = (text) => encodeURI(text ?? "").replace(/[?#]/g, encodeURIComponent);

  const filled = (destination, groups) => {
    let stars = 0;
    let isWhole = true;
    const value = (name, otherwise) => {
      if (!(name in groups)) return otherwise;
      isWhole &&= Boolean(groups[name]);
      return escaped(groups[name]);
    };
    const result = destination.replace(/:([A-Za-z_]\w*)[*+?]?|\*/g, (mark, name) =>
      name === undefined ? value(`_${stars++}`, "") : value(name, mark),
    );
    return isWhole ? result : result.replace(/\/+$/, "") || "/";
  };

  const asFile = (destination) => {
    const [, bare, rest] = /^([^?#]*)(.*)$/s.exec(destination);
    const isPage = bare !== "" && !bare.endsWith("/") && !/\.[^/]*$/.test(bare);
    return bare + (isPage ? ".html" : "") + rest;
  };

  for (const [pattern, destination] of JSON.parse(table.textContent)) {
    const found = new RegExp(`^(?:${pattern})$`, "s").exec(path);
    if (!found) continue;
    const target = filled(destination, found.groups ?? {});
    const isElsewhere = /^https?:\/\//i.test(target);
    const inside = asFile(target.replace(/^[/\\]+/, ""));
    const address = new URL(isElsewhere ? target : inside, root);
    if (!isElsewhere && address.origin !== root.origin) return;
    if (!address.search) address.search = location.search;
    if (address.pathname !== location.pathname) location.replace(address);
    return;
  }
})();
