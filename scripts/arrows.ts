/** The gate of the house: walks the real module graph and prints what is wrong with it. */

import { isJsonObject } from "../src/host/json.ts";
import { sourceFiles } from "../src/host/rebuild.ts";
import { ROOT, runChild } from "./children.ts";
import { faultsOf, type Module } from "./module_graph.ts";

/** The program's modules: every file of src, also one that nothing imports yet. */
export async function programModules(): Promise<readonly Module[]> {
  const entries = ["main.ts", ...sourceFiles(`${ROOT}/src`).map((path) => relative(path))];
  const known = new Map<string, Module>();
  for (const entry of entries) {
    if (known.has(entry)) continue;
    for (const module of await graphFrom(entry)) known.set(module.path, module);
  }
  return [...known.values()];
}

async function graphFrom(entry: string): Promise<readonly Module[]> {
  const { code, stdout, output } = await runChild(["info", "--json", entry], { quiet: true });
  if (code !== 0) throw new Error(`deno info ${entry} failed:\n${output}`);
  const info: unknown = JSON.parse(stdout);
  if (!isJsonObject(info) || !Array.isArray(info["modules"])) {
    throw new Error(`deno info ${entry} lists no modules.`);
  }
  const modules: Module[] = [];
  for (const module of info["modules"]) {
    const path = isJsonObject(module) ? local(module["specifier"]) : undefined;
    if (path === undefined || !isJsonObject(module)) continue;
    if (typeof module["error"] === "string") throw new Error(`${path}: ${module["error"]}`);
    modules.push({ path, imports: importsOf(module["dependencies"]), lines: await lines(path) });
  }
  return modules;
}

/** Imports of types count as well: an arrow is an arrow. */
function importsOf(dependencies: unknown): readonly string[] {
  if (!Array.isArray(dependencies)) return [];
  const paths = dependencies.flatMap((dependency) => {
    if (!isJsonObject(dependency)) return [];
    return [dependency["code"], dependency["type"]].map((resolved) =>
      isJsonObject(resolved) ? local(resolved["specifier"]) : undefined
    );
  });
  return [...new Set(paths.filter((path) => path !== undefined))];
}

function local(specifier: unknown): string | undefined {
  if (typeof specifier !== "string" || !specifier.startsWith("file://")) return undefined;
  const path = decodeURIComponent(new URL(specifier).pathname);
  return path.startsWith(`${ROOT}/`) ? relative(path) : undefined;
}

function relative(path: string): string {
  return path.slice(ROOT.length + 1);
}

async function lines(path: string): Promise<number> {
  return (await Deno.readTextFile(`${ROOT}/${path}`)).split("\n").length - 1;
}

if (import.meta.main) {
  const modules = await programModules();
  const faults = faultsOf(modules);
  for (const fault of faults) {
    // deno-lint-ignore no-console
    console.error(fault);
  }
  // deno-lint-ignore no-console
  console.log(`${modules.length} modules looked at, ${faults.length} faults.`);
  if (faults.length > 0) Deno.exit(1);
}
