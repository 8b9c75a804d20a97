// Copies the fonts that pages are set in, and writes down which characters each file has.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const engine = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(engine, "../src/docstead/site/assets/built/fonts");
const FAMILIES = { Inter: "inter", Geist: "geist", "JetBrains Mono": "jetbrains-mono" };
const LEFT_OUT = /-(greek-ext|cyrillic-ext)-/; // of ancient texts and rare languages
const FACE = /@font-face \{[^}]*?url\(\.\/files\/([^)]+)\)[^}]*?unicode-range: ([^;]+);/g;

mkdirSync(built, { recursive: true });
const faces = Object.entries(FAMILIES).flatMap(([family, name]) => {
  const source = join(engine, "node_modules/@fontsource-variable", name);
  const css = readFileSync(join(source, "index.css"), "utf8");
  return [...css.matchAll(FACE)]
    .filter(([, file]) => !LEFT_OUT.test(file))
    .map(([, file, range]) => {
      const short = basename(file).replace("-wght-normal", "");
      copyFileSync(join(source, "files", file), join(built, short));
      return { family, file: short, range };
    });
});
writeFileSync(join(built, "fonts.json"), JSON.stringify(faces, null, 2));
