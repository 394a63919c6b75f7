// Makes the page, runs its unit tests, or serves it over synthetic data.
//
//   node build.mjs [--modules DIR] --out FILE     the page as one file, and FILE.gz
//   node build.mjs [--modules DIR] --test [DIR]   unit tests, bundled below DIR (a temporary one by default)
//   node build.mjs [--modules DIR] --stories [DIR]  the stories in a browser; test/browser/world.ts says what they need
//   node build.mjs [--modules DIR] --serve-fake [--port 8123] [--ranks 64]
//
// --modules: where npm ci was run; this folder by default.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const kHere = dirname(fileURLToPath(import.meta.url));
const kMostCompressed = 200_000; // bytes

function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : (process.argv[at + 1] ?? otherwise);
}

const modules = resolve(option("--modules") ?? kHere);
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

const kCommon = {
  bundle: true,
  nodePaths: [join(modules, "node_modules")],
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  legalComments: "none", // licences() has them all
};

function text_of(result) {
  return new TextDecoder().decode(result.outputFiles[0].contents);
}

async function bundle(entry, more) {
  return text_of(await esbuild.build({ ...kCommon, entryPoints: [join(kHere, entry)], write: false, ...more }));
}

// What is within the page, with its licences, as these ask for.
function licences() {
  const names = Object.keys(JSON.parse(readFileSync(join(kHere, "package.json"))).dependencies);
  names.push("@floating-ui/core", "@floating-ui/utils", "@preact/signals-core");
  return names.sort().map((name) => {
    const folder = join(modules, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json")));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${folder} has no file with its licence, which the page has to show`);
    return `${name} ${version}\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
}

// Closing tags within the code would end the element.
const inlined = (code) => code.replace(/<\/(script|style)/gi, "<\\/$1");
const hash = (code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;

async function page() {
  const target = ["chrome102", "firefox115", "safari16"];
  const script = inlined(await bundle("src/main.tsx", { minify: true, format: "iife", target }));
  const style = inlined(await bundle("src/style.css", { minify: true, target })).trim();
  const fill = {
    SCRIPT: script,
    STYLE: style,
    SCRIPT_HASH: hash(script),
    STYLE_HASH: hash(style),
    LICENCES: licences().join("\n\n").replace(/--/g, "- -"),
  };
  return readFileSync(join(kHere, "src/page.html"), "utf8").replace(/@([A-Z_]+)@/g, (all, name) => fill[name] ?? all);
}

async function write_page(file) {
  const text = Buffer.from(await page());
  const compressed = gzipSync(text, { level: 9 });
  if (compressed.length >= kMostCompressed) {
    throw new Error(`the page has ${compressed.length} B compressed; it must stay below ${kMostCompressed} B`);
  }
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, text);
  writeFileSync(`${file}.gz`, compressed);
  console.log(`${file}: ${text.length} B, ${compressed.length} B compressed`);
}

// Bundles the tests of a folder and runs them.
async function test(from, folder) {
  const made = folder ?? mkdtempSync(join(tmpdir(), "plumbline-page-"));
  const names = readdirSync(join(kHere, from)).filter((name) => /\.test\.tsx?$/.test(name));
  await esbuild.build({
    ...kCommon,
    entryPoints: names.map((name) => join(kHere, from, name)),
    outdir: made,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    target: "node18",
    sourcemap: "inline",
  });
  const files = names.map((name) => join(made, name.replace(/\.tsx?$/, ".mjs")));
  const env = { ...process.env, VIEWER_MODULES: modules };
  const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit", env });
  if (!folder) rmSync(made, { recursive: true });
  process.exitCode = run.status ?? 1;
}

// Why the stories cannot be told here, or nothing.
function missing() {
  const there = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  if (!there(process.env.CHROMIUM ?? "chromium")) return "chromium is not installed";
  if (!there("mpirun.mpich") && !there("mpirun.openmpi")) return "neither mpirun.mpich nor mpirun.openmpi is installed";
  return ["PLUMBLINE", "STORY_ARCHIVES", "EXAMPLES"].map((name) => (process.env[name] ? "" : `${name} is not set`)).find(Boolean) ?? "";
}

async function stories(folder) {
  const why_not = missing();
  if (why_not) console.log(`skipped: ${why_not}`);
  else await test("test/browser", folder);
}

async function serve_fake() {
  const made = mkdtempSync(join(tmpdir(), "plumbline-fake-"));
  const file = join(made, "fake_server.mjs");
  writeFileSync(file, await bundle("test/fake_server.ts", { platform: "node", format: "esm", target: "node18" }));
  const { serve } = await import(pathToFileURL(file).href);
  rmSync(made, { recursive: true });
  serve({ port: Number(option("--port") ?? 8123), ranks: Number(option("--ranks") ?? 64), page });
}

if (process.argv.includes("--serve-fake")) await serve_fake();
else if (process.argv.includes("--test")) await test("test/unit", option("--test"));
else if (process.argv.includes("--stories")) await stories(option("--stories"));
else if (option("--out")) await write_page(option("--out"));
else {
  console.error("build.mjs: say what to do: --out FILE, --test, --stories or --serve-fake");
  process.exitCode = 2;
}
