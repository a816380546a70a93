/** The file system as captures use it. */

/** A file or a folder in the captures folder. */
export interface ListedEntry {
  readonly name: string;
  /** Milliseconds since the epoch; 0 when unknown. */
  readonly modifiedMs: number;
}

/** What captures ask of the file system; raises what Deno raises. */
export interface CaptureDisk {
  /** Makes the folder with mode 0700, or tightens it; refuses a link or another file there. */
  makeFolder(path: string): Promise<void>;
  /** The bytes of a plain file, no link, of at most `limit` bytes. */
  readPlainFile(path: string, limit: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Removes a file, or a folder with all that is in it; a link, not what it leads to. */
  remove(path: string): Promise<void>;
  /** Plain files and folders only; empty when there is no such folder. */
  list(path: string): Promise<readonly ListedEntry[]>;
}

/** The machine's own file system. */
export const systemCaptureDisk: CaptureDisk = {
  async makeFolder(path) {
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
    const found = await Deno.lstat(path);
    if (!found.isDirectory) throw new Deno.errors.NotADirectory();
    const open = found.mode !== null && (found.mode & 0o077) !== 0;
    if (open && Deno.build.os !== "windows") await Deno.chmod(path, 0o700);
  },
  async readPlainFile(path, limit) {
    const found = await Deno.lstat(path);
    if (!found.isFile) throw new Error("it is no plain file");
    if (found.size > limit) throw new Error(`it has ${found.size} bytes, more than ${limit}`);
    return await Deno.readFile(path);
  },
  remove: (path) => Deno.remove(path, { recursive: true }),
  async list(path) {
    const entries: ListedEntry[] = [];
    try {
      for await (const entry of Deno.readDir(path)) {
        if (!entry.isFile && !entry.isDirectory) continue;
        const found = await Deno.lstat(`${path}/${entry.name}`).catch(() => undefined);
        // Another bridge may have removed it between the two calls.
        if (found !== undefined) {
          entries.push({ name: entry.name, modifiedMs: found.mtime?.getTime() ?? 0 });
        }
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return entries;
  },
};
