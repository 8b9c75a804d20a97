/** Stands for the library of mathematics, which is ten times what the other parts take. */
function renderToString(source: string): string {
  const code = document.createElement("code");
  code.textContent = source;
  return code.outerHTML;
}

export default { renderToString };
