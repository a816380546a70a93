/** Which program is started as the editor, and everything that was tried (bridge.md 3.5). */

import { type Env, isAbsolute, joinPath, type Os } from "../host/config_dir.ts";

/** One place that was looked at, in the order of looking. */
export interface TriedPlace {
  /** Where the idea came from, such as `PATH` or `OCS_EXECUTABLE`. */
  readonly source: string;
  readonly path: string;
  /** What is wrong with what was named and is there; absent where nothing is. */
  readonly fault?: string;
}

/** The program, when there is one, and all that was tried. */
export interface FoundEditor {
  readonly path?: string;
  readonly tried: readonly TriedPlace[];
}

/** What the search needs to know of the machine. */
export interface EditorSearch {
  readonly os: Os;
  readonly env: Env;
  /** `--editor` or `OCS_EXECUTABLE`: nothing else is tried when one of them is given. */
  readonly named?: string;
  /** The working directory, for a relative `named`. */
  readonly cwd: () => string;
  /** The `executable` of the newest descriptor, even of a dead editor. */
  readonly lastSeen: () => string | undefined;
  readonly isFile: (path: string) => boolean;
  /** Why something that is there is no program; asked only for what was named. */
  readonly faultOf?: (path: string) => string | undefined;
}

/** A place in words, for `doctor` and for errors. */
export function placeLine({ source, path, fault }: TriedPlace): string {
  return `${path} (${source}${fault === undefined ? "" : `; ${fault}`})`;
}

/** Takes the first place that holds a plain file. */
export function findEditor(search: EditorSearch): FoundEditor {
  const tried: TriedPlace[] = [];
  for (const place of places(search)) {
    // The usual places may stand on PATH as well.
    if (tried.some(({ path }) => path === place.path)) continue;
    if (search.isFile(place.path)) return { path: place.path, tried: [...tried, place] };
    // Where everything is searched, another look at each place would hold the start up.
    const fault = search.named === undefined ? undefined : search.faultOf?.(place.path);
    tried.push(fault === undefined ? place : { ...place, fault });
  }
  return { tried };
}

function* places(search: EditorSearch): Generator<TriedPlace> {
  const { os, named } = search;
  const program = os === "windows" ? "OpenCADStudio.exe" : "OpenCADStudio";
  if (named !== undefined) {
    if (isAbsolute(os, named)) yield { source: "--editor or OCS_EXECUTABLE", path: named };
    else if (/[\\/]/.test(named)) {
      yield { source: "--editor or OCS_EXECUTABLE", path: joinPath(os, search.cwd(), named) };
    } else yield* onPath(search, named);
    return;
  }
  const seen = search.lastSeen();
  if (seen !== undefined && isAbsolute(os, seen)) {
    yield { source: "the newest session descriptor", path: seen };
  }
  yield* onPath(search, program);
  for (const path of usualPlaces(os, search.env, program)) {
    yield { source: "usual install place", path };
  }
}

function* onPath(search: EditorSearch, program: string): Generator<TriedPlace> {
  const parts = (search.env("PATH") ?? "").split(search.os === "windows" ? ";" : ":");
  for (const part of new Set(parts)) {
    // A relative part would make the program depend on where the client happened to start us.
    if (!isAbsolute(search.os, part)) continue;
    yield { source: "PATH", path: joinPath(search.os, part, program) };
  }
}

function usualPlaces(os: Os, env: Env, program: string): readonly string[] {
  const below = (variable: string, ...rest: readonly string[]) => {
    const base = env(variable);
    return base === undefined || base === "" ? [] : [joinPath(os, base, ...rest)];
  };
  if (os === "windows") {
    return [
      ...below("LOCALAPPDATA", "Programs", "OpenCADStudio", program),
      ...below("PROGRAMFILES", "OpenCADStudio", program),
    ];
  }
  if (os === "darwin") {
    const inside = ["Applications", "OpenCADStudio.app", "Contents", "MacOS", program];
    return [`/${inside.join("/")}`, ...below("HOME", ...inside)];
  }
  return [
    ...below("HOME", ".local", "bin", program),
    `/usr/local/bin/${program}`,
    `/usr/bin/${program}`,
    `/opt/OpenCADStudio/${program}`,
  ];
}
