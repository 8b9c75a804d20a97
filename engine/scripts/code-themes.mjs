// Prints src/docstead/repository/code_themes.csv: the colors that themes of editors give to our
// classes of tokens. Usage: node scripts/code-themes.mjs FOLDER, of the npm package tm-themes.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Theme } from "@shikijs/vscode-textmate";

const themes = join(process.argv[2], "themes");
/** Scopes of one token of each class, as the grammars of VS Code name it. */
const SCOPES = {
  k: ["source.ts", "keyword.control.flow.ts"],
  s: ["source.ts", "string.quoted.double.ts"],
  c: ["source.ts", "comment.line.double-slash.ts"],
  m: ["source.ts", "constant.numeric.decimal.ts"],
  t: ["source.ts", "entity.name.type.class.ts"],
  f: ["source.ts", "entity.name.function.ts"],
  g: ["text.html.basic", "entity.name.tag.html"],
  a: ["text.html.basic", "entity.other.attribute-name.html"],
  b: ["source.python", "support.function.builtin.python"],
  v: ["source.shell", "variable.other.normal.shell"],
};
/** Themes under a license that we do not pass on; their names stay known. */
const LEFT_OUT = new Set(["aurora-x"]);

/** `#RGB` or `#RRGGBBAA` on a background, as `#rrggbb`. */
function opaque(color, background = "#000000") {
  const parts = channels(color);
  const alpha = parts.length > 3 ? parts[3] / 255 : 1;
  const below = channels(background);
  const mixed = below.map((part, n) => Math.round(parts[n] * alpha + part * (1 - alpha)));
  return "#" + mixed.map((part) => part.toString(16).padStart(2, "0")).join("");
}

function channels(color) {
  const digits = color.slice(1);
  const pairs = digits.length < 6 ? [...digits].map((d) => d + d) : digits.match(/../g);
  return pairs.map((pair) => parseInt(pair, 16));
}

function row(raw) {
  if (LEFT_OUT.has(raw.name)) return [raw.name, raw.type, ...Array(12).fill("")];
  const background = opaque(raw.colors["editor.background"]);
  const plain = raw.colors["editor.foreground"] ?? raw.colors.foreground;
  const theme = Theme.createFromRawTheme({ settings: raw.settings ?? raw.tokenColors });
  const colors = theme.getColorMap();
  const tokens = Object.values(SCOPES).map((scopes) => {
    const stack = scopes.reduce((parent, scopeName) => ({ parent, scopeName }), null);
    return colors[theme.match(stack)?.foregroundId] ?? plain;
  });
  const written = [plain, ...tokens].map((color) => opaque(color, background));
  return [raw.name, raw.type, background, ...written];
}

const files = readdirSync(themes).sort();
const rows = files.map((file) => row(JSON.parse(readFileSync(join(themes, file), "utf8"))));
console.log(["name,scheme,background,foreground", ...Object.keys(SCOPES)].join(","));
for (const each of rows) console.log(each.join(","));
