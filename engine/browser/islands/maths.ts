/** Replacement of the library of mathematics, which is ten times as large as the other parts. */
function renderToString(source: string): string {
  const code = document.createElement("code");
  code.textContent = source;
  return code.outerHTML;
}

export default { renderToString };
