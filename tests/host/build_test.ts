/** The build stamp. */

import { assertEquals, assertMatch } from "@std/assert";
import { gitRevision, stampedRevision, VERSION } from "../../src/host/build.ts";
import config from "../../deno.json" with { type: "json" };

function git(head: string, status: string) {
  return (args: readonly string[]) => Promise.resolve(args[0] === "status" ? status : head);
}

Deno.test("a clean tree is named by its short revision", async () => {
  assertEquals(await gitRevision("/r", git("1a2b3c4\n", "")), "1a2b3c4");
});

Deno.test("a changed tree is marked dirty", async () => {
  assertEquals(await gitRevision("/r", git("1a2b3c4\n", " M main.ts\n")), "1a2b3c4-dirty");
  assertEquals(await gitRevision("/r", git("1a2b3c4\n", "?? new.ts\n")), "1a2b3c4-dirty");
});

Deno.test("without git or a repository the revision is unknown", async () => {
  const missing = () => Promise.reject(new Deno.errors.NotFound("git"));
  assertEquals(await gitRevision("/r", missing), "unknown");
  const dir = await Deno.makeTempDir();
  try {
    assertEquals(await gitRevision(dir), "unknown");
  } finally {
    await Deno.remove(dir);
  }
});

Deno.test("a real repository gives a real revision", async () => {
  const dir = await Deno.makeTempDir();
  const run = async (...args: string[]) => {
    const { success } = await new Deno.Command("git", {
      args: ["-C", dir, "-c", "user.name=t", "-c", "user.email=t@t", ...args],
      stdout: "null",
      stderr: "null",
    }).output();
    assertEquals(success, true, `git ${args[0]}`);
  };
  try {
    await run("init");
    await Deno.writeTextFile(`${dir}/a`, "a");
    await run("add", "a");
    await run("commit", "-m", "a", "--no-gpg-sign");
    assertMatch(await gitRevision(dir), /^[0-9a-f]{7,}$/);
    await Deno.writeTextFile(`${dir}/a`, "b");
    assertMatch(await gitRevision(dir), /^[0-9a-f]{7,}-dirty$/);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("the stamp counts only once the bundle has replaced it", () => {
  assertEquals(stampedRevision(), undefined);
  assertEquals(stampedRevision("@@build-rev@@"), undefined);
  assertEquals(stampedRevision("1a2b3c4-dirty"), "1a2b3c4-dirty");
});

Deno.test("the version is the one of deno.json", () => {
  assertEquals(VERSION, config.version);
});
