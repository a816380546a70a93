/** Where everything is on this machine: looked up once on the main thread, before rights are given up. */

import { configDir, type Env, isAbsolute, joinPath, parentOf } from "../host/config_dir.ts";
import type { Reach } from "../host/sandbox.ts";
import { findEditor, type FoundEditor } from "./find_editor.ts";
import type { Options } from "./options.ts";

/** The places, in the one spelling that is used everywhere. All plain data: it crosses threads. */
export interface Places {
  /** `<config>`; absent when the system's base variable is not set. */
  readonly configDir?: string;
  /** The variable that is missing when there is no `configDir`. */
  readonly missingVariable?: string;
  readonly automationDir?: string;
  readonly editor: FoundEditor;
  /** The process lister, where the system has one. */
  readonly lister?: string;
  /** The files that the rebuild watch looks at. */
  readonly watched: readonly string[];
  readonly workspaces: readonly string[];
  /** The PNG codec's file, when run from source; the executable embeds it as a module. */
  readonly pngWasm?: string;
  readonly reach: Reach;
}

/** Looks everything up. Nothing here may fail for want of an editor or a directory. */
export async function findPlaces(options: Options, env: Env): Promise<Places> {
  const { os } = Deno.build;
  const config = configDir(os, env, options.configDir);
  const dir = config.found ? settle(absolute(config.path)) : undefined;
  const automationDir = dir === undefined ? undefined : settle(joinPath(os, dir, "automation"));
  const editor = findEditor({
    os,
    env,
    ...(options.editor === undefined ? {} : { named: options.editor }),
    cwd: Deno.cwd,
    lastSeen: () => automationDir === undefined ? undefined : newestExecutable(automationDir),
    isFile: isProgram,
    faultOf: whyNoProgram,
  });
  const lister = listerPlaces(env).find(isProgram);
  const spelled = options.workspaces.map(absolute);
  const workspaces = [...new Set([...spelled, ...spelled.map(settle)])];
  const own = await ownFiles();
  return {
    ...(dir === undefined ? {} : { configDir: dir }),
    ...(config.found ? {} : { missingVariable: config.missing }),
    ...(automationDir === undefined ? {} : { automationDir }),
    editor,
    ...(lister === undefined ? {} : { lister }),
    watched: own.watched,
    workspaces: spelled,
    ...(own.pngWasm === undefined ? {} : { pngWasm: own.pngWasm }),
    reach: {
      ...(automationDir === undefined ? {} : { automationDir }),
      own: own.pngWasm === undefined ? own.read : [...own.read, own.pngWasm],
      workspaces,
      programs: [editor.path, lister].filter((path) => path !== undefined),
    },
  };
}

interface OwnFiles {
  readonly watched: readonly string[];
  readonly read: readonly string[];
  readonly pngWasm?: string;
}

/** The executable, whose path must be taken now: it changes when the file is replaced. */
async function ownFiles(): Promise<OwnFiles> {
  if (Deno.build.standalone) {
    const path = Deno.execPath();
    return { watched: [path], read: [path] };
  }
  const { ownSource } = await import("./own_source.ts");
  return await ownSource();
}

/** The real path; of what does not exist yet, the real path of its parent and the name. */
export function settle(path: string): string {
  const { os } = Deno.build;
  try {
    return Deno.realPathSync(path);
  } catch {
    // Absent or unreadable: the nearest ancestor that can be resolved gives the spelling.
    const parent = parentOf(os, path);
    if (parent === path) return path;
    return joinPath(os, settle(parent), path.slice(parent.length).replace(/^[\\/]+/, ""));
  }
}

/** The path, seen from where the program was started. */
export function absolute(path: string): string {
  const { os } = Deno.build;
  return isAbsolute(os, path) ? path : joinPath(os, Deno.cwd(), path);
}

/** A plain file, after links; on Unix one that may be executed. */
function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (Deno.build.os === "windows" || mode === null || (mode & 0o111) !== 0);
  } catch {
    // Not there, or not to be looked at: no program for us.
    return false;
  }
}

function whyNoProgram(path: string): string | undefined {
  try {
    return Deno.statSync(path).isFile ? "it may not be executed" : "it is no file";
  } catch {
    // Not there: that it was tried in vain says enough.
    return undefined;
  }
}

function listerPlaces(env: Env): readonly string[] {
  if (Deno.build.os !== "windows") return ["/usr/bin/ps", "/bin/ps"];
  return [`${env("SYSTEMROOT") ?? "C:\\Windows"}\\System32\\tasklist.exe`];
}

/** The `executable` of the newest descriptor; a hint only, so whatever is wrong means nothing. */
function newestExecutable(automationDir: string): string | undefined {
  let best: { readonly at: number; readonly executable: string } | undefined;
  try {
    for (const entry of Deno.readDirSync(automationDir)) {
      // Plain files only: a symbolic link could name a file that someone else wrote.
      if (!entry.isFile || !entry.name.endsWith(".json")) continue;
      const seen = executableIn(joinPath(Deno.build.os, automationDir, entry.name));
      if (seen !== undefined && (best === undefined || seen.at > best.at)) best = seen;
    }
  } catch {
    // No directory yet, or not readable: then nothing was seen.
  }
  return best?.executable;
}

/** The largest descriptor that is read, in bytes (bridge.md 3.1). */
const DESCRIPTOR_BYTES = 8_192;

function executableIn(path: string): { at: number; executable: string } | undefined {
  try {
    const info = Deno.lstatSync(path);
    if (!info.isFile || info.size > DESCRIPTOR_BYTES) return undefined;
    if (info.mode !== null && (info.mode & 0o077) !== 0) return undefined;
    const parsed: unknown = JSON.parse(Deno.readTextFileSync(path));
    if (typeof parsed !== "object" || parsed === null || !("executable" in parsed)) {
      return undefined;
    }
    const { executable } = parsed;
    if (typeof executable !== "string") return undefined;
    return { at: info.mtime?.getTime() ?? 0, executable };
  } catch {
    // Gone meanwhile, unreadable, or not JSON: not a descriptor to learn from.
    return undefined;
  }
}
