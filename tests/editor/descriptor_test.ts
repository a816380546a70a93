import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { type AutomationFiles, machineFiles } from "../../src/editor/automation_files.ts";
import { parseDescriptor, readDescriptors, refuseFile } from "../../src/editor/descriptor.ts";
import { automationDirectory, writeDescriptor } from "../support/protocol_server.ts";

const unix = Deno.build.os !== "windows";
const good = { session_id: "a1", port: 5000, token: "t0", pid: 12, executable: "/opt/e" };

async function reasonFor(directory: string, file: string, files: AutomationFiles = machineFiles) {
  const { descriptors, skipped } = await readDescriptors(directory, files);
  assert(!descriptors.some((one) => one.file === file), `${file} was trusted`);
  return skipped.find((one) => one.file === file)?.reason ?? "no reason given";
}

Deno.test("descriptors are read in sorted order and unknown fields are ignored", async () => {
  await using directory = await automationDirectory();
  await writeDescriptor(directory.path, { ...good, session_id: "b", started_at_unix_ms: 1 });
  await writeDescriptor(directory.path, { ...good, session_id: "a" });
  await Deno.writeTextFile(`${directory.path}/gui.log`, "not a descriptor");
  const { descriptors, skipped } = await readDescriptors(directory.path, machineFiles);
  assertEquals(descriptors.map((one) => one.sessionId), ["a", "b"]);
  assertEquals(descriptors[0]?.port, 5000);
  assertEquals(descriptors[0]?.pid, 12);
  assertEquals(skipped, []);
});

Deno.test("a directory that does not exist holds no descriptor and gives no complaint", async () => {
  const listing = await readDescriptors("/nonexistent/automation", machineFiles);
  assertEquals(listing, { descriptors: [], skipped: [], complete: true });
});

Deno.test("a phrase in the place of a directory is not looked into and gives no complaint", async () => {
  const files = { ...machineFiles, names: () => Promise.reject(new Error("looked into")) };
  const listing = await readDescriptors("no configuration directory (HOME is not set)", files);
  assertEquals(listing, { descriptors: [], skipped: [], complete: false });
});

Deno.test("a directory that cannot be read is a reason, not an exception", async () => {
  const files = { ...machineFiles, names: () => Promise.reject(new Deno.errors.NotCapable("x")) };
  const listing = await readDescriptors("/some/automation", files);
  assertEquals(listing.complete, false);
  assertMatch(listing.skipped[0]?.reason ?? "", /Cannot read the directory.*sandbox/);
});

Deno.test("a file in the place of the directory is a reason in our own words", async () => {
  const path = await Deno.makeTempFile();
  const listing = await readDescriptors(path, machineFiles);
  assertEquals([listing.complete, listing.skipped.length], [false, 1]);
  assertMatch(listing.skipped[0]?.reason ?? "", /is a link or a file, not a folder/);
  await Deno.remove(path);
});

Deno.test({
  name: "a file with a permission bit for group or others is refused",
  ignore: !unix,
  async fn() {
    await using directory = await automationDirectory();
    for (const mode of [0o640, 0o604, 0o610, 0o601, 0o620, 0o602]) {
      const path = await writeDescriptor(directory.path, good, "a1.json");
      await Deno.chmod(path, mode);
      const reason = await reasonFor(directory.path, "a1.json");
      assertMatch(reason, new RegExp(`mode 0${mode.toString(8)}`));
    }
  },
});

Deno.test("a file of another owner than the directory's is refused", async () => {
  await using directory = await automationDirectory();
  await writeDescriptor(directory.path, good);
  const files: AutomationFiles = {
    ...machineFiles,
    async facts(path) {
      const facts = { ...await machineFiles.facts(path), mode: null };
      return { ...facts, uid: path.endsWith(".json") ? 1001 : 1000 };
    },
  };
  assertMatch(await reasonFor(directory.path, "a1.json", files), /owned by user 1001.* user 1000/);
});

Deno.test("without owners and modes, as on Windows, neither is asked for", () => {
  const facts = { isFile: true, isSymlink: false, size: 10, modifiedMs: 0, uid: null, mode: null };
  assertEquals(refuseFile(facts, null), undefined);
});

Deno.test("exactly 8 KiB are read and one byte more is refused", async () => {
  await using directory = await automationDirectory();
  const text = JSON.stringify(good);
  const path = `${directory.path}/a1.json`;
  await Deno.writeTextFile(path, text.padEnd(8192), { mode: 0o600 });
  assertEquals((await readDescriptors(directory.path, machineFiles)).descriptors.length, 1);
  await Deno.writeTextFile(path, text.padEnd(8193));
  assertMatch(await reasonFor(directory.path, "a1.json"), /8193 bytes/);
});

Deno.test("a file that grew after it was looked at is refused too", async () => {
  await using directory = await automationDirectory();
  const path = `${directory.path}/a1.json`;
  await Deno.writeTextFile(path, JSON.stringify(good).padEnd(9000), { mode: 0o600 });
  const files: AutomationFiles = {
    ...machineFiles,
    facts: async (path) => ({ ...await machineFiles.facts(path), size: 100 }),
  };
  assertMatch(await reasonFor(directory.path, "a1.json", files), /8193 bytes, more than 8192/);
});

Deno.test({
  name: "symbolic links and directories are refused",
  ignore: !unix,
  async fn() {
    await using directory = await automationDirectory();
    await using elsewhere = await automationDirectory();
    const target = await writeDescriptor(elsewhere.path, good, "target.json");
    await Deno.symlink(target, `${directory.path}/link.json`);
    await Deno.mkdir(`${directory.path}/folder.json`);
    await Deno.symlink("/nonexistent", `${directory.path}/dangling.json`);
    assertMatch(await reasonFor(directory.path, "link.json"), /symbolic link/);
    assertMatch(await reasonFor(directory.path, "dangling.json"), /symbolic link/);
    assertMatch(await reasonFor(directory.path, "folder.json"), /not a plain file/);
  },
});

Deno.test("a file whose real path is elsewhere is refused, whatever lstat said", async () => {
  await using directory = await automationDirectory();
  await writeDescriptor(directory.path, good);
  const files: AutomationFiles = {
    ...machineFiles,
    realPath: (path) =>
      path.endsWith(".json") ? Promise.resolve("/etc/a1.json") : machineFiles.realPath(path),
  };
  assertMatch(await reasonFor(directory.path, "a1.json", files), /Leads out/);
});

Deno.test({
  name: "an automation directory that is itself reached by a link is served",
  ignore: !unix,
  async fn() {
    await using directory = await automationDirectory();
    await writeDescriptor(directory.path, good);
    const link = `${directory.path}/../link`;
    await Deno.symlink(directory.path, link);
    assertEquals((await readDescriptors(link, machineFiles)).descriptors.length, 1);
  },
});

Deno.test("every fault of a descriptor's content has its own reason", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["{", /not JSON/],
    ["[]", /not a JSON object/],
    ["null", /not a JSON object/],
    [JSON.stringify({ ...good, session_id: undefined }), /no session_id/],
    [JSON.stringify({ ...good, session_id: 7 }), /no session_id/],
    [JSON.stringify({ ...good, session_id: "a\ud800" }), /not well-formed/],
    [JSON.stringify({ ...good, port: undefined }), /no port/],
    [JSON.stringify({ ...good, port: "80" }), /no port/],
    [JSON.stringify({ ...good, port: 0 }), /port 0, outside/],
    [JSON.stringify({ ...good, port: 65536 }), /port 65536, outside/],
    [JSON.stringify({ ...good, port: -1 }), /port -1, outside/],
    [JSON.stringify({ ...good, port: 1.5 }), /port 1.5, outside/],
    [JSON.stringify({ ...good, token: undefined }), /no token/],
    [JSON.stringify({ ...good, token: "" }), /no token/],
  ];
  for (const [text, reason] of cases) {
    const parsed = parseDescriptor(text);
    assert(typeof parsed === "string", text);
    assertMatch(parsed, reason);
  }
});

Deno.test("pid and executable are optional and dropped when they are nonsense", () => {
  for (const pid of [undefined, -1, 0, 1.5, "12", null]) {
    const parsed = parseDescriptor(JSON.stringify({ ...good, pid, executable: 7 }));
    assertEquals(parsed, { sessionId: "a1", port: 5000, token: "t0" });
  }
});

Deno.test("any text is a descriptor or a reason, and a reason never contains the token", () => {
  const token = "f".repeat(64);
  fc.assert(fc.property(
    fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({
        session_id: fc.oneof(fc.string(), fc.integer()),
        port: fc.oneof(fc.integer(), fc.double(), fc.string()),
        token: fc.constant(token),
        pid: fc.anything(),
      }, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
    ),
    (text) => {
      const parsed = parseDescriptor(text);
      if (typeof parsed === "string") assert(!parsed.includes(token));
      else assert(parsed.port >= 1 && parsed.port <= 65535 && parsed.token !== "");
    },
  ));
});
