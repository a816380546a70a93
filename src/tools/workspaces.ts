/** Keeping files that the editor is told about inside the allowed places (bridge.md 11). */

import { ToolError } from "../host/faults.ts";
import type { PathArgument } from "../ops/paths.ts";

/** What the check asks of the file system; raises what Deno raises. */
export interface PathLookup {
  /** The path with every link followed; NotFound when it does not exist. */
  realPath(path: string): Promise<string>;
  lstat(path: string): Promise<{ readonly isSymlink: boolean }>;
}

/** The machine's own file system. */
export const systemPaths: PathLookup = {
  realPath: (path) => Deno.realPath(path),
  lstat: (path) => Deno.lstat(path),
};

/**
 * Raises ToolError unless every path is absolute and lies, links followed, in one of the
 * workspaces. No workspaces means no confinement. What cannot be established is refused. A path
 * that does not exist yet is judged by its nearest existing folder.
 */
export async function confine(
  paths: readonly Pick<PathArgument, "name" | "path">[],
  workspaces: readonly string[],
  lookup: PathLookup = systemPaths,
  windows: boolean = Deno.build.os === "windows",
): Promise<void> {
  if (workspaces.length === 0 || paths.length === 0) return;
  const roots = await Promise.all(
    workspaces.map((workspace) => lookup.realPath(workspace).catch(() => workspace)),
  );
  for (const { name, path } of paths) {
    const problem = await refusal(path, roots, lookup, windows);
    if (problem !== undefined) {
      throw new ToolError(
        `The ${name} ${JSON.stringify(path)} ${problem}. Allowed places: ${
          workspaces.join(", ")
        }. Use an absolute path inside one of them.`,
      );
    }
  }
}

async function refusal(
  path: string,
  roots: readonly string[],
  lookup: PathLookup,
  windows: boolean,
): Promise<string | undefined> {
  if (!isAbsolute(path, windows)) return "is not absolute";
  if (path.includes("\0")) return "has a zero byte in it";
  const resolved = await resolve(path, lookup, windows);
  if (resolved === undefined) return "cannot be shown to lie inside the workspace";
  return roots.some((root) => isInside(resolved, root, windows))
    ? undefined
    : "lies outside of the workspace";
}

/** The real path of what exists, plus the rest as spelled; undefined when that is not certain. */
async function resolve(
  path: string,
  lookup: PathLookup,
  windows: boolean,
): Promise<string | undefined> {
  const separator = windows ? "\\" : "/";
  const parts = partsOf(path, windows);
  const up = parts.indexOf("..");
  if (up === -1) return await resolveDown(parts, separator, lookup);
  // Never left to the runtime, which goes by the spelling where the system follows links first.
  const from = await wayUpFrom(parts.slice(0, up), lookup, windows);
  if (from === undefined) return undefined;
  const parent = from.slice(0, Math.max(1, from.length - 1));
  return await resolve([...parent, ...parts.slice(up + 1)].join(separator), lookup, windows);
}

/** The parts of an absolute path; the first is empty or a drive letter. */
function partsOf(path: string, windows: boolean): readonly string[] {
  return path.split(windows ? /[\\/]+/ : /\/+/)
    .filter((part, index) => index === 0 || (part !== "" && part !== "."));
}

/** What `..` is the parent of: Windows goes by the spelling, other systems by where links lead. */
async function wayUpFrom(
  parts: readonly string[],
  lookup: PathLookup,
  windows: boolean,
): Promise<readonly string[] | undefined> {
  if (windows) return parts;
  try {
    return partsOf(await lookup.realPath(parts.join("/") || "/"), windows);
  } catch {
    // Where a folder is missing or closed to us, a way back up from it leads nowhere certain.
    return undefined;
  }
}

async function resolveDown(
  parts: readonly string[],
  separator: string,
  lookup: PathLookup,
): Promise<string | undefined> {
  for (let count = parts.length; count > 0; count--) {
    const spelled = parts.slice(0, count).join(separator);
    // The first part alone is empty or a drive letter: its root is meant, not its current folder.
    const head = count === 1 ? `${spelled}${separator}` : spelled;
    try {
      const real = await lookup.realPath(head);
      return [real.replace(/[\\/]+$/, ""), ...parts.slice(count)].join(separator);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return undefined;
      // A link whose target is missing: a save through it would create the target.
      if (await isLink(head, lookup)) return undefined;
    }
  }
  return undefined;
}

async function isLink(path: string, lookup: PathLookup): Promise<boolean> {
  try {
    return (await lookup.lstat(path)).isSymlink;
  } catch (error) {
    // Only what is certainly not there counts as no link.
    return !(error instanceof Deno.errors.NotFound);
  }
}

function isAbsolute(path: string, windows: boolean): boolean {
  return windows ? /^([A-Za-z]:[\\/]|\\\\[^\\])/.test(path) : path.startsWith("/");
}

function isInside(path: string, root: string, windows: boolean): boolean {
  const separator = windows ? "\\" : "/";
  const fold = (text: string) => windows ? text.toLowerCase().replaceAll("/", "\\") : text;
  const base = fold(root).replace(/[\\/]+$/, "");
  const full = fold(path);
  return full === base || full.startsWith(`${base}${separator}`);
}
