/** The rebuild watch on its own: when a program counts as rebuilt (bridge.md 13). */

import { assertEquals } from "@std/assert";
import { type Fingerprint, sourceFiles, watchFiles } from "../../src/host/rebuild.ts";

const FIRST: Fingerprint = { mtime: 1_000, size: 10, ino: 7 };

/** A file system in which single files can be changed or made unreadable. */
function files(start: Readonly<Record<string, Fingerprint | undefined>>) {
  const now = new Map(Object.entries(start));
  const look = (path: string): Fingerprint => {
    const found = now.get(path);
    if (found === undefined) throw new Deno.errors.NotFound(path);
    return found;
  };
  return { now, look };
}

Deno.test("an untouched program is not stale", () => {
  const { look } = files({ "/p": FIRST });
  const watch = watchFiles(["/p"], look);
  assertEquals([watch.stale(), watch.stale()], [false, false]);
});

for (
  const [what, change] of [["time", { mtime: 1_001 }], ["size", { size: 11 }], ["inode", {
    ino: 8,
  }]] as const
) {
  Deno.test(`another ${what} makes it stale, for good`, () => {
    const { now, look } = files({ "/p": FIRST });
    const watch = watchFiles(["/p"], look);
    now.set("/p", { ...FIRST, ...change });
    assertEquals(watch.stale(), true);
    now.set("/p", FIRST);
    assertEquals(watch.stale(), true);
  });
}

Deno.test("a program moved aside counts as unchanged until another is in its place", () => {
  const { now, look } = files({ "/p": FIRST });
  const watch = watchFiles(["/p"], look);
  now.delete("/p");
  assertEquals(watch.stale(), false);
  now.set("/p", FIRST);
  assertEquals(watch.stale(), false);
  now.set("/p", { ...FIRST, ino: 8 });
  assertEquals(watch.stale(), true);
});

Deno.test("what could not be read at the start is never stale", () => {
  const { now, look } = files({});
  const watch = watchFiles(["/p"], look);
  now.set("/p", FIRST);
  assertEquals(watch.stale(), false);
});

Deno.test("any one of many files makes it stale", () => {
  const { now, look } = files({ "/a": FIRST, "/b": FIRST, "/c": FIRST });
  const watch = watchFiles(["/a", "/b", "/c"], look);
  now.set("/c", { ...FIRST, size: 0 });
  assertEquals(watch.stale(), true);
});

Deno.test("real files: a touched one is noticed, source files are found at any depth", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${dir}/deep/er`, { recursive: true });
    for (const name of ["a.ts", "deep/b.ts", "deep/er/c.ts", "deep/note.txt"]) {
      await Deno.writeTextFile(`${dir}/${name}`, name);
    }
    const found = sourceFiles(dir);
    assertEquals(found.map((path) => path.slice(dir.length)), [
      "/a.ts",
      "/deep/b.ts",
      "/deep/er/c.ts",
    ]);
    const watch = watchFiles(found);
    assertEquals(watch.stale(), false);
    await Deno.utime(`${dir}/deep/er/c.ts`, new Date(), new Date(1_000_000_000_000));
    assertEquals(watch.stale(), true);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a folder that cannot be read has no source files", () => {
  assertEquals(sourceFiles("/nowhere/at/all"), []);
});
