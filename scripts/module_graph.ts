/** What is wrong with a module graph: arrows that run up, circles, files that are too long. Pure. */

/** One module of the program: its path from the root, and the paths that it imports. */
export interface Module {
  readonly path: string;
  readonly imports: readonly string[];
  readonly lines: number;
}

/** The longest a file of src may be, in lines. */
export const LINE_LIMIT = 400;

/**
 * Which folders a folder of src may import, besides itself (DEVELOPING.md, the house). `desk` may take
 * only the wire types of `editor`.
 */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  cli: ["tools", "mcp", "ops", "editor", "image", "desk", "host"],
  tools: ["mcp", "ops", "editor", "image", "host"],
  desk: ["ops", "image", "host"],
  mcp: ["host"],
  ops: ["host"],
  editor: ["host"],
  image: ["host"],
  host: [],
};

/** Single modules that may be imported from above their folder's rule. */
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ["desk", "src/editor/types.ts"],
  ["host", "deno.json"],
];

/** Every fault, as a sentence; none when the house is in order. */
export function faultsOf(modules: readonly Module[]): readonly string[] {
  return [...modules.flatMap(arrowFaults), ...circles(modules), ...modules.flatMap(lengthFaults)];
}

function arrowFaults(module: Module): readonly string[] {
  const from = folderOf(module.path);
  return module.imports.filter((to) => !mayImport(module.path, from, to)).map((to) =>
    `${module.path} imports ${to}: ${
      from === undefined ? "main.ts imports only src/cli" : `${from} may not import that`
    }.`
  );
}

function mayImport(path: string, from: string | undefined, to: string): boolean {
  const target = folderOf(to);
  if (from === undefined) return path === "main.ts" && target === "cli";
  if (ALLOWED.some(([folder, file]) => folder === from && file === to)) return true;
  if (target === undefined) return false;
  return target === from || (BELOW[from]?.includes(target) ?? false);
}

/** The folder directly below src, or nothing for files elsewhere. */
function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

function lengthFaults({ path, lines }: Module): readonly string[] {
  return lines > LINE_LIMIT ? [`${path} has ${lines} lines, more than ${LINE_LIMIT}.`] : [];
}

/** One sentence for each circle: depth first, each module entered once. */
function circles(modules: readonly Module[]): readonly string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const done = new Set<string>();
  const faults: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      faults.push(
        `These import each other in a circle: ${[...trail.slice(at), path].join(" → ")}.`,
      );
      return;
    }
    if (done.has(path)) return;
    for (const next of byPath.get(path)?.imports ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const module of modules) visit(module.path, []);
  return faults;
}
