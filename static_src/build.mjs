// Builds everything for the browser: scripts, styles and the icon sprite, under hashed names, and the manifest
// with which templates find those names. `--watch` rebuilds after each change.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, watch } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const source = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(source);
const out = path.join(root, "build/static/dist");
const maps = path.join(root, "build/maps"); // outside of the served folder
const manifestFile = path.join(root, "build/manifest.json");

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  sourcemap: "external",
  charset: "utf8",
  logLevel: "warning",
  outdir: out,
  preserveSymlinks: true, // the same names wherever node_modules lies
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  // Browsers of the last two years: light-dark(), popover, :dir() and nesting need no lowering there.
  target: ["chrome123", "edge123", "firefox128", "safari17.5"],
  define: { "process.env.NODE_ENV": '"production"' },
};

/** What templates name. Other outputs are loaded by scripts: islands.js has the files of the islands (runtime/chunks.ts). */
const ENTRY = /^static_src\/((styles\/)?[^/]+|behaviors\/lng-boot\.ts)$/;

async function build() {
  const [behaviors, account, modules, classic, plain, sprite] = await Promise.all([
    // Separate from the islands, so that a page without them loads one small file, whose name no change of an island affects.
    // Code that few pages need is a separate chunk.
    esbuild.build({ ...shared, entryPoints: ["static_src/behaviors.ts"], format: "esm", splitting: true }),
    // A separate build: what it shares with the behaviors must not become a further file of every page.
    esbuild.build({ ...shared, entryPoints: ["static_src/account.ts"], format: "esm" }),
    islands(),
    // Blocks the first paint on purpose (language detection), so it can't be a module.
    esbuild.build({ ...shared, entryPoints: ["static_src/behaviors/lng-boot.ts"], format: "iife" }),
    // The sheet of all pages, and those of a few.
    esbuild.build({
      ...shared,
      entryPoints: ["static_src/styles/*.css", "static_src/favicon.svg"],
      loader: { ".svg": "copy" },
    }),
    iconSprite(),
  ]);
  const results = [behaviors, account, classic, plain, ...modules];
  await write([...results.flatMap((result) => result.outputFiles), sprite]);
  const manifest = { "icons.svg": served(sprite.path) };
  for (const [output, { entryPoint }] of results.flatMap((result) => Object.entries(result.metafile.outputs))) {
    if (ENTRY.test(entryPoint)) {
      manifest[path.basename(entryPoint).replace(/\.ts$/, ".js")] = served(output);
    }
  }
  await writeFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * The islands, each folder one entry; with the libraries as further entries, each of those is a chunk of its own: a
 * change of our code leaves them in the browser's cache. No page loads the entries of the libraries themselves.
 */
async function islands() {
  const names = readdirSync(path.join(source, "islands"));
  const { metafile, outputFiles } = await esbuild.build({
    ...shared,
    entryPoints: {
      ...Object.fromEntries(names.map((name) => [name, `static_src/islands/${name}/index.tsx`])),
      "react-dom": "static_src/runtime/react-dom.ts",
      i18next: "i18next",
      // The script of one page, which shares with the islands what it loads.
      decisions: "static_src/decisions.ts",
    },
    format: "esm",
    splitting: true,
    jsx: "automatic",
  });
  const chunks = names.map((name) => {
    const files = closure(metafile, [findOutput(metafile, `static_src/islands/${name}/index.tsx`)]);
    return [name, [...files].map((file) => path.basename(file))];
  });
  const loader = await esbuild.build({
    ...shared,
    entryPoints: ["static_src/islands.ts"],
    format: "esm",
    define: { ...shared.define, CHUNKS: JSON.stringify(JSON.stringify(Object.fromEntries(chunks))) },
  });
  return [{ metafile, outputFiles }, loader];
}

/** Write the new files, then remove those of older builds, so that a page being loaded finds its files. */
async function write(files) {
  await Promise.all([mkdir(out, { recursive: true }), mkdir(maps, { recursive: true })]);
  const targetPath = (file) => (file.path.endsWith(".map") ? path.join(maps, path.basename(file.path)) : file.path);
  await Promise.all(files.map((file) => writeFile(targetPath(file), file.contents)));
  const written = new Set(files.map(targetPath));
  const old = [out, maps].flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  await Promise.all(old.filter((file) => !written.has(file)).map((file) => rm(file)));
}

/** These outputs, and those that they import statically. */
function closure(metafile, outputs, collected = new Set()) {
  for (const output of outputs) {
    if (collected.has(output)) continue;
    collected.add(output);
    const imports = metafile.outputs[output].imports.filter((i) => i.kind === "import-statement" && !i.external);
    closure(
      metafile,
      imports.map((i) => i.path),
      collected,
    );
  }
  return collected;
}

function findOutput(metafile, entryPoint) {
  return Object.keys(metafile.outputs).find((output) => metafile.outputs[output].entryPoint === entryPoint);
}

function served(output) {
  return `dist/${path.basename(output)}`;
}

/** One SVG file with the icons of icons.json as symbols, for `<use href="…#name">`. */
async function iconSprite() {
  const names = JSON.parse(await readFile(path.join(source, "icons.json"), "utf8"));
  const folder = path.join(path.dirname(createRequire(import.meta.url).resolve("lucide-static/package.json")), "icons");
  const symbols = await Promise.all(names.map((name) => symbol(folder, name)));
  // Their strokes are styled in styles/app/base.css: symbols from another file inherit styles from where they are used.
  const text = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>\n`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
  return { path: path.join(out, `icons-${hash}.svg`), contents: text };
}

async function symbol(folder, name) {
  const file = path.join(folder, `${name}.svg`);
  if (!existsSync(file)) throw new Error(`icons.json names "${name}", which lucide-static does not have`);
  const drawing = /<svg[^>]*>(.*)<\/svg>/s.exec(await readFile(file, "utf8"))[1];
  return `<symbol id="${name}" viewBox="0 0 24 24">${drawing.replace(/\s*\n\s*/g, "").replaceAll(" />", "/>")}</symbol>`;
}

async function report() {
  const started = performance.now();
  try {
    await build();
    console.log(`built in ${Math.round(performance.now() - started)} ms`);
    return true;
  } catch (error) {
    if (!error.errors) console.error(error.message); // esbuild has printed its own
    return false;
  }
}

const ok = await report();
if (process.argv.includes("--watch")) {
  let timer;
  watch(source, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(report, 50);
  });
} else if (!ok) {
  process.exitCode = 1;
}
