// Copies the fonts that pages are set in, and writes down which characters each file has.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const engine = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(engine, "../src/docstead/markup/assets/built/fonts");
const VARIABLE = {
  Inter: "inter",
  Geist: "geist",
  "JetBrains Mono": "jetbrains-mono",
  "DM Sans": "dm-sans",
  Figtree: "figtree",
  "IBM Plex Sans": "ibm-plex-sans",
  "Instrument Sans": "instrument-sans",
  Lora: "lora",
  Manrope: "manrope",
  Montserrat: "montserrat",
  Nunito: "nunito",
  Onest: "onest",
  "Open Sans": "open-sans",
  Outfit: "outfit",
  "Plus Jakarta Sans": "plus-jakarta-sans",
  Roboto: "roboto",
  Rubik: "rubik",
  "Source Sans 3": "source-sans-3",
  "Space Grotesk": "space-grotesk",
  "Work Sans": "work-sans",
};
/** Families with a file for each weight. */
const STATIC = { Lato: ["lato", 400, 700], Poppins: ["poppins", 400, 500, 600, 700] };
const SUBSETS = /-(latin|latin-ext|cyrillic|greek|vietnamese)-(wght|\d+)-normal\.woff2$/;
const FACE = /@font-face \{[^}]*?url\(\.\/files\/([^)]+)\)[^}]*?unicode-range: ([^;]+);/g;

mkdirSync(built, { recursive: true });

function facesOf(family, source, sheet, shortened, weight = {}) {
  const css = readFileSync(join(source, sheet), "utf8");
  return [...css.matchAll(FACE)]
    .filter(([, file]) => SUBSETS.test(file))
    .map(([, file, range]) => {
      const short = basename(file).replace(shortened, "");
      copyFileSync(join(source, "files", file), join(built, short));
      return { family, file: short, range, ...weight };
    });
}

const packages = join(engine, "node_modules");
const faces = [
  ...Object.entries(VARIABLE).flatMap(([family, name]) =>
    facesOf(family, join(packages, "@fontsource-variable", name), "index.css", "-wght-normal"),
  ),
  ...Object.entries(STATIC).flatMap(([family, [name, ...weights]]) =>
    weights.flatMap((weight) =>
      facesOf(family, join(packages, "@fontsource", name), `${weight}.css`, "-normal", { weight: `${weight}` }),
    ),
  ),
];
writeFileSync(join(built, "fonts.json"), JSON.stringify(faces, null, 2));
