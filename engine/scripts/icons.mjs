// Packs the icons of Lucide and Font Awesome Free into one file that Python reads.
//
//   node scripts/icons.mjs [output]
//
// The file: {"lucide": {name: inner SVG}, "solid" | "regular" | "brands": {name: "width path"},
// "aliases": {"lucide" | "solid" | …: {old name: name}}, "near": {name: "set/name"}}.
// Font Awesome's icons are one path in a box 512 high; Lucide's are strokes in a box of 24.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { near } from "./icons-near.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "..", "node_modules");
const fontAwesome = join(modules, "@fortawesome", "fontawesome-free");
const defaultOutput = join(here, "../../src/docstead/markup/assets/built/icons.json");

function readSet(folder, shorten) {
  const drawings = {};
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith(".svg")) {
      drawings[file.slice(0, -4)] = shorten(readFileSync(join(folder, file), "utf8"));
    }
  }
  return drawings;
}

function shortenFontAwesome(svg) {
  const [, width] = /viewBox="0 0 (\d+) 512"/.exec(svg);
  const [, path] = /<path [^>]*?\bd="([^"]+)"/.exec(svg);
  return `${width} ${path}`;
}

function shortenLucide(svg) {
  const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
  return inner.replace(/\s*\n\s*/g, "").replace(/ \/>/g, "/>");
}

// Both packages ship an old name as a second file with the same drawing.
function splitAliases(drawings) {
  const firstName = new Map();
  const kept = {};
  const aliases = {};
  for (const [name, drawing] of Object.entries(drawings)) {
    const first = firstName.get(drawing);
    if (first === undefined) {
      firstName.set(drawing, name);
      kept[name] = drawing;
    } else {
      aliases[name] = first;
    }
  }
  return { kept, aliases };
}

// Names of Font Awesome 4: `name:` blocks with an optional `prefix: far | fab` and new name.
function readShims() {
  const sets = { far: "regular", fab: "brands" };
  const text = readFileSync(join(fontAwesome, "metadata", "shims.yml"), "utf8");
  const shims = {};
  for (const [, old, body] of text.matchAll(/^([\w-]+):\n((?: .*\n?)+)/gm)) {
    const name = /name: (\S+)/.exec(body)?.[1] ?? old;
    shims[old] = `${sets[/prefix: (\S+)/.exec(body)?.[1]] ?? "solid"}/${name}`;
  }
  return shims;
}

// A letter or digit in a ring or a square: the free set has the glyphs, not the badges.
function badges(solid) {
  const ring = "M256 24a232 232 0 1 0 0 464a232 232 0 1 0 0-464zM256 72a184 184 0 1 1 0 368a184 184 0 1 1 0-368z";
  const square =
    "M96 32a64 64 0 0 0-64 64v320a64 64 0 0 0 64 64h320a64 64 0 0 0 64-64V96a64 64 0 0 0-64-64zM96 80h320a16 16 0 0 1 16 16v320a16 16 0 0 1-16 16H96a16 16 0 0 1-16-16V96a16 16 0 0 1 16-16z";
  const drawings = {};
  for (const glyph of "0123456789abcdefghijklmnopqrstuvwxyz") {
    const [width, ...path] = solid[glyph].split(" ");
    const inside = `<path transform="translate(${256 - width * 0.23} 138.2) scale(.46)" d="${path.join(" ")}"/>`;
    drawings[`circle-${glyph}`] = `512 <path fill-rule="evenodd" d="${ring}"/>${inside}`;
    drawings[`square-${glyph}`] = `512 <path fill-rule="evenodd" d="${square}"/>${inside}`;
  }
  return drawings;
}

export function packIcons() {
  const packed = { aliases: {} };
  const add = (set, drawings) => {
    const { kept, aliases } = splitAliases(drawings);
    packed[set] = kept;
    packed.aliases[set] = aliases;
  };
  for (const set of ["solid", "regular", "brands"]) {
    add(set, readSet(join(fontAwesome, "svgs", set), shortenFontAwesome));
  }
  add("lucide", readSet(join(modules, "lucide-static", "icons"), shortenLucide));
  packed.solid = { ...badges(packed.solid), ...packed.solid };
  packed.near = { ...readShims(), ...near };
  return packed;
}

const output = resolve(process.argv[2] ?? defaultOutput);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, JSON.stringify(packIcons()));
