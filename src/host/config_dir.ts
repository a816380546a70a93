/** Where the editor keeps its configuration: the directory of each system (gui-protocol.md 1.1). */

/** The folder's name, a constant of the editor's build. */
const FOLDER = "OpenCADStudio";

/** The systems whose places differ; anything else is treated as Linux is. */
export type Os = typeof Deno.build.os;

/** One variable of the environment, or nothing. */
export type Env = (name: string) => string | undefined;

/** The directory that was settled on, or why there is none. */
export type ConfigDir =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly missing: string };

/**
 * `<config>` of bridge.md 3.0: what the person named, else the place of the system. A system whose
 * base variable is missing has no configuration directory; `missing` says which variable it was.
 */
export function configDir(os: Os, env: Env, named?: string): ConfigDir {
  if (named !== undefined && named !== "") return { found: true, path: named };
  if (os === "windows") return below(env, "APPDATA", FOLDER);
  if (os === "darwin") return below(env, "HOME", "Library", "Application Support", FOLDER);
  const xdg = env("XDG_CONFIG_HOME");
  // Set but empty counts as set: the editor then keeps its folder relative to the root.
  if (xdg !== undefined) return { found: true, path: `${xdg}/${FOLDER}` };
  return below(env, "HOME", ".config", FOLDER);
}

/** Whether a path says where it starts, so that the working directory has no part in it. */
export function isAbsolute(os: Os, path: string): boolean {
  if (os !== "windows") return path.startsWith("/");
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}

/** Joins with the separator of the system; the first part keeps its own. */
export function joinPath(os: Os, ...parts: readonly string[]): string {
  const separator = os === "windows" ? "\\" : "/";
  return parts.map((part, index) => index === 0 ? part.replace(/[\\/]+$/, "") : part)
    .join(separator);
}

/** Everything before the last separator; of a root, the root itself. */
export function parentOf(os: Os, path: string): string {
  const cut = os === "windows"
    ? Math.max(path.lastIndexOf("\\"), path.lastIndexOf("/"))
    : path.lastIndexOf("/");
  if (cut < 0) return path;
  if (cut === 0) return path.slice(0, 1);
  return os === "windows" && path[cut - 1] === ":" ? path.slice(0, cut + 1) : path.slice(0, cut);
}

function below(env: Env, variable: string, ...rest: readonly string[]): ConfigDir {
  const base = env(variable);
  if (base === undefined || base === "") return { found: false, missing: variable };
  const separator = variable === "APPDATA" ? "\\" : "/";
  return { found: true, path: [base, ...rest].join(separator) };
}
