// On the page of unknown URLs: shows its texts, and links its home, in the language of the folder that the URL is in.
(() => {
  const script = document.currentScript;
  const root = new URL("..", script.src).pathname;
  const folders = JSON.parse(document.getElementById("ds-not-found-texts").textContent);
  const around = Object.keys(folders).filter((folder) => location.pathname.startsWith(`${root}${encodeURI(folder)}/`));
  const folder = around.sort((a, b) => b.length - a.length)[0];
  if (folder === undefined) return;
  const { lang, dir, home, ...texts } = folders[folder];
  Object.assign(document.querySelector("main"), { lang, dir });
  document.querySelector(".not-found-go-back-button").setAttribute("href", home);
  for (const [selector, text] of Object.entries(texts)) {
    const element = document.querySelector(selector);
    if (!element) continue;
    if (element.matches("h1")) document.title = document.title.replace(element.textContent, text);
    element.textContent = text;
  }
})();
