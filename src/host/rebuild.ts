/** The rebuild watch: whether the program on disk is still the one that runs (bridge.md 13). */

/** What tells one build of a file from another. */
export interface Fingerprint {
  /** Milliseconds since the Unix epoch, or null where the system has none. */
  readonly mtime: number | null;
  /** Bytes. */
  readonly size: number;
  readonly ino: number | null;
}

/** Reads a file's fingerprint; throws when the file cannot be looked at. */
export type Look = (path: string) => Fingerprint;

/** Says whether the program was rebuilt since the watch began. */
export interface RebuildWatch {
  /** One stat per file (about 60 microseconds); an unreadable file counts as unchanged. */
  stale(): boolean;
}

/**
 * Remembers the fingerprints of `files` now. Once stale, it stays so. A file that was moved aside is
 * merely unreadable; it is the new one in its place that makes the watch stale.
 */
export function watchFiles(files: readonly string[], look: Look = statLook): RebuildWatch {
  const known = new Map<string, Fingerprint>();
  for (const file of files) {
    const seen = tryLook(look, file);
    if (seen !== undefined) known.set(file, seen);
  }
  let changed = false;
  return {
    stale() {
      if (changed) return true;
      for (const [file, before] of known) {
        const now = tryLook(look, file);
        if (now !== undefined && differs(before, now)) {
          changed = true;
          break;
        }
      }
      return changed;
    },
  };
}

/** Every `.ts` file below `directory`, sorted; nothing where it cannot be read. */
export function sourceFiles(directory: string): readonly string[] {
  const files: string[] = [];
  try {
    for (const entry of Deno.readDirSync(directory)) {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory) files.push(...sourceFiles(path));
      else if (entry.isFile && entry.name.endsWith(".ts")) files.push(path);
    }
  } catch {
    // What cannot be read counts as unchanged (bridge.md 13), so it need not be watched.
  }
  return files.sort();
}

function differs(a: Fingerprint, b: Fingerprint): boolean {
  return a.mtime !== b.mtime || a.size !== b.size || a.ino !== b.ino;
}

function tryLook(look: Look, file: string): Fingerprint | undefined {
  try {
    return look(file);
  } catch {
    // Being replaced at this moment, or unreadable: unchanged until it can be seen again.
    return undefined;
  }
}

function statLook(path: string): Fingerprint {
  const info = Deno.statSync(path);
  return { mtime: info.mtime?.getTime() ?? null, size: info.size, ino: info.ino };
}
