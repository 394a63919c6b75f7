// What the stories are told over: archives recorded for them, plumbline view, and a browser.
//
// PLUMBLINE, STORY_ARCHIVES: programs. EXAMPLES: directory of the example programs. CHROMIUM: by default chromium.
// VIEWER_MODULES: where npm ci was run. ASSETS: directory of a page that is served instead of that within plumbline.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";

const { PLUMBLINE = "", STORY_ARCHIVES = "", EXAMPLES = "", ASSETS, CHROMIUM, VIEWER_MODULES = "." } = process.env;
export const modules = createRequire(join(VIEWER_MODULES, "package.json"));

const kPlatform = `<platform version="1" name="test node">
  <node name="here" cores="2" memory-rate="5GB/s"/>
  <inside>
    <range upto="4KiB" protocol="eager" send="100ns" receive="100ns" latency="200ns" send-rate="8GB/s" receive-rate="8GB/s"/>
    <range protocol="rendezvous" send="200ns" receive="200ns" latency="500ns" receive-rate="8GB/s"/>
  </inside>
  <filesystem name="local">
    <path prefix="/"/>
    <cached-write call="1us" rate="2GB/s"/> <cached-read call="500ns" rate="4GB/s"/>
    <device-write call="100us" rate="200MB/s"/> <device-read call="100us" rate="300MB/s"/>
    <metadata open="5us" close="1us" sync="1ms"/>
  </filesystem>
</platform>
`;

// Files lie on a server of the network.
const kServedPlatform = `<platform version="1" name="test node and a file server">
  <node name="here" cores="2" memory-rate="5GB/s" interface-rate="1GB/s"/>
  <node name="store" memory-rate="5GB/s" interface-rate="1GB/s"/>
  <edge name="cable" from="here" to="store" latency="10us" rate="1GB/s"/>
  <packets granularity="64KiB" header="40B"/>
  <inside><range protocol="eager" send="1us" receive="1us" latency="1us"/></inside>
  <between><range protocol="eager" send="1us" receive="1us" latency="3us"/></between>
  <server name="d0" node="store" request="20us"><device latency="50us" rate="200MB/s"/><cache policy="none"/></server>
  <filesystem name="pfs"><path prefix="/"/><distribution servers="d0"/></filesystem>
  <place ranks="0-1" node="here"/>
</platform>
`;

export const directory = mkdtempSync(join(tmpdir(), "plumbline-stories-"));

// Standard output; a status other than `statuses` fails, with all that was said.
export function run(program: string, words: readonly string[], statuses: readonly number[] = [0]): string {
  try {
    const env = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
    return execFileSync(program, words, { cwd: directory, env, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    if (statuses.includes(status)) return stdout;
    throw new Error(`${program} ${words.join(" ")}: status ${status}\n${stdout}\n${stderr}`);
  }
}

export const plumbline = (...words: string[]) => run(PLUMBLINE, words);

// compare's statuses are its answers.
export const compare = (...words: string[]) => run(PLUMBLINE, ["compare", "--force", ...words], [0, 1, 5]);

export function json<T = any>(file: string): T {
  return JSON.parse(readFileSync(join(directory, file), "utf8"));
}

// MPICH writes files through ROMIO, which the hints are of; so does Open MPI when asked to.
function launched(example: string, ...more: string[]): string[] {
  const mpich = join(EXAMPLES, `${example}-mpich`);
  if (existsSync(mpich) && process.env.PATH!.split(":").some((each) => existsSync(join(each, "mpirun.mpich")))) {
    return ["mpirun.mpich", "-n", "2", mpich, ...more];
  }
  const words = ["mpirun.openmpi", "--oversubscribe", "--mca", "io", "romio321", "-n", "2"];
  return [...words, join(EXAMPLES, `${example}-openmpi`), ...more];
}

function record(name: string, program: readonly string[]): void {
  plumbline("record", "-o", name, "--", ...program);
  plumbline("replay", name, "-p", "platform.xml", "-o", `${name}-expected`);
  compare(name, `${name}-expected`, "--json", `${name}.json`);
}

// hinted: a solver whose hints split its writes; hinted-served: the same expected on a file server. late: rank 0 computes before it sends. slow, before: 4,096 ranks.
export function record_all(): void {
  writeFileSync(join(directory, "platform.xml"), kPlatform);
  const hints = ["--hint", "romio_cb_write=disable", "--hint", "romio_ds_write=disable"];
  const size = ["--rows", "8192", "--columns", "32", "--iterations", "20", "--every", "5", "--file", "hinted.dat"];
  record("hinted", launched("jacobi", ...size, ...hints));
  writeFileSync(join(directory, "served.xml"), kServedPlatform);
  plumbline("replay", "hinted", "-p", "served.xml", "-o", "hinted-served");
  record("late", launched("late_sender"));
  run(STORY_ARCHIVES, [directory]);
}

export type Viewing = {
  url: string; // with the token
  api: string;
  port: number;
  token: string;
  process: ChildProcess;
  get<T = any>(path: string): Promise<T>;
};

const servers: ChildProcess[] = [];
const viewings = new Map<string, Promise<Viewing>>();

// One server for each command line, that stories share.
export function view(...words: string[]): Promise<Viewing> {
  const key = words.join(" ");
  const viewing = viewings.get(key) ?? serve(words);
  viewings.set(key, viewing);
  return viewing;
}

// A server that has said where it is.
async function serve(words: readonly string[]): Promise<Viewing> {
  const assets = ASSETS ? ["--assets", ASSETS] : [];
  const server = spawn(PLUMBLINE, ["view", "--json", "--no-browser", ...assets, ...words], { cwd: directory });
  servers.push(server);
  let [said, complained] = ["", ""];
  server.stderr!.on("data", (text) => (complained += text));
  await new Promise<void>((resolve, reject) => {
    server.stdout!.on("data", (text) => {
      said += text;
      if (said.includes("\n")) resolve();
    });
    server.on("exit", (status) => reject(new Error(`plumbline view ${words.join(" ")}: status ${status}\n${complained}`)));
  });
  const told = JSON.parse(said);
  const headers = { Authorization: `Bearer ${told.token}` };
  const get = async (path: string) => (await fetch(told.api + path, { headers })).json();
  return { ...told, process: server, get };
}

let browser: Browser | null = null;

export async function browsing(): Promise<Browser> {
  const { chromium } = modules("playwright-core") as typeof import("playwright-core");
  browser ??= await chromium.launch({ executablePath: which(CHROMIUM ?? "chromium"), args: ["--no-sandbox", "--disable-gpu"] });
  return browser;
}

function which(program: string): string {
  return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
}

export async function end_all(): Promise<void> {
  await browser?.close();
  for (const server of servers) server.kill("SIGINT");
  execFileSync("rm", ["-rf", directory]); // thousands of files, for which rmSync takes half a minute
}
