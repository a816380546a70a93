/** The automation directory's files, as far as the bridge touches them. */

/** What is known of one directory entry without following links. */
export interface FileFacts {
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  /** Bytes. */
  readonly size: number;
  /** Owner, where the system has one. */
  readonly uid: number | null;
  /** Permission and type bits, where the system has them. */
  readonly mode: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly modifiedMs: number | null;
}

/** File access of the editor's side; every method may reject. */
export interface AutomationFiles {
  /** Names in the directory, unsorted. */
  names(directory: string): Promise<readonly string[]>;
  /** Facts about the path itself: a symbolic link is not followed. */
  facts(path: string): Promise<FileFacts>;
  realPath(path: string): Promise<string>;
  /** At most `cap` bytes from the start of the file. */
  read(path: string, cap: number): Promise<Uint8Array>;
  remove(path: string): Promise<void>;
}

/** The machine's own files. */
export const machineFiles: AutomationFiles = {
  async names(directory) {
    const names: string[] = [];
    for await (const entry of Deno.readDir(directory)) names.push(entry.name);
    return names;
  },
  async facts(path) {
    const info = await Deno.lstat(path);
    return {
      isFile: info.isFile,
      isSymlink: info.isSymlink,
      size: info.size,
      // Windows has neither; what a runtime makes up for them there must refuse nothing.
      uid: Deno.build.os === "windows" ? null : info.uid,
      mode: Deno.build.os === "windows" ? null : info.mode,
      modifiedMs: info.mtime?.getTime() ?? null,
    };
  },
  realPath: (path) => Deno.realPath(path),
  async read(path, cap) {
    using file = await Deno.open(path, { read: true });
    const buffer = new Uint8Array(cap);
    let filled = 0;
    while (filled < cap) {
      const count = await file.read(buffer.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  },
  remove: (path) => Deno.remove(path),
};

/** Directory and file name in one spelling: grants are matched by spelling (bridge.md 12). */
export function inDirectory(directory: string, name: string): string {
  const windows = Deno.build.os === "windows";
  const separator = windows && !directory.includes("/") ? "\\" : "/";
  return directory.endsWith(separator) ? `${directory}${name}` : `${directory}${separator}${name}`;
}

/** Without a config directory there is a phrase in its place: nothing is read or made under that name. */
export function isPhrase(directory: string): boolean {
  return !/^(?:[/\\]|[A-Za-z]:)/.test(directory);
}

/** A failure of the file system in our own words: no path of the runtime, no advice about flags. */
export function fileTrouble(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "it does not exist";
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.AlreadyExists) {
    return "what has its place is a link or a file, not a folder";
  }
  if (error instanceof Deno.errors.NotCapable) return "the sandbox does not grant it";
  if (error instanceof Deno.errors.PermissionDenied) return "the system does not permit it";
  return error instanceof Error ? error.name : "unknown failure";
}
