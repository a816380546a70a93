/** Tests of the captures folder on a real file system. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InfrastructureError, ToolError } from "../../src/host/faults.ts";
import { silentLog } from "../../src/host/log.ts";
import type { ListProcesses } from "../../src/host/processes.ts";
import { encodePng } from "../../src/image/png.ts";
import type { CaptureDisk } from "../../src/tools/capture_disk.ts";
import { CaptureFolder, LEFTOVER_AGE_MS } from "../../src/tools/capture_file.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { spotted } from "./fake_camera.ts";

const PID = 4711;
const UUID = "00000000-1111-2222-3333-444444444444";

async function inFolder(
  work: (made: { directory: string; folder: CaptureFolder; clock: FakeClock }) => Promise<void>,
  listProcesses: ListProcesses = () => Promise.resolve(new Set([PID, 77])),
): Promise<void> {
  const root = await Deno.makeTempDir();
  const directory = `${root}/automation/captures`;
  const clock = new FakeClock(Date.now());
  const folder = new CaptureFolder({
    directory,
    clock,
    log: silentLog,
    pid: PID,
    listProcesses,
  });
  try {
    await work({ directory, folder, clock });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function names(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(directory)) found.push(name);
  return found.sort();
}

Deno.test({
  name: "the folder is made for its owner alone, also when it was open before",
  ignore: Deno.build.os === "windows",
  async fn() {
    await inFolder(async ({ directory, folder }) => {
      await folder.reserve();
      assertEquals(((await Deno.stat(directory)).mode ?? 0) & 0o777, 0o700);
      await Deno.chmod(directory, 0o755);
      await folder.reserve();
      assertEquals(((await Deno.stat(directory)).mode ?? 0) & 0o777, 0o700);
    });
  },
});

Deno.test("a PNG is read and removed", async () => {
  await inFolder(async ({ directory, folder }) => {
    const file = await folder.reserve();
    const png = await encodePng(spotted(3, 3, []));
    await Deno.writeFile(file.path, png);
    assertEquals(await file.read(), png);
    await file.remove();
    await file.remove();
    assertEquals(await names(directory), []);
  });
});

Deno.test("a link in the place of the picture leads nowhere and is removed", async () => {
  await inFolder(async ({ directory, folder }) => {
    const outside = `${directory}/../secret.png`;
    const file = await folder.reserve();
    await Deno.writeFile(outside, await encodePng(spotted(3, 3, [])));
    await Deno.symlink(outside, file.path);
    await assertRejects(() => file.read(), ToolError);
    await file.remove();
    assertEquals(await names(directory), []);
    await Deno.stat(outside);
  });
});

Deno.test("a captures folder that is a link is not used", async () => {
  await inFolder(async ({ directory, folder }) => {
    const elsewhere = await Deno.makeTempDir();
    await Deno.mkdir(directory.replace(/\/captures$/, ""), { recursive: true });
    await Deno.symlink(elsewhere, directory);
    await assertRejects(() => folder.reserve(), InfrastructureError);
    await Deno.remove(elsewhere);
  });
});

Deno.test("a file in the place of the folder is told in our own words", async () => {
  await inFolder(async ({ directory, folder }) => {
    await Deno.mkdir(directory.replace(/\/captures$/, ""));
    await Deno.writeTextFile(directory, "");
    const error = await assertRejects(() => folder.reserve(), InfrastructureError);
    assertStringIncludes(error.message, "is a link or a file, not a folder");
    assert(!/os error|mkdir/.test(error.message), error.message);
  });
});

Deno.test("leftovers of dead processes and old ones are swept, all else stays", async () => {
  await inFolder(async ({ directory, folder, clock }) => {
    await Deno.mkdir(directory, { recursive: true });
    const stay = [`77-${UUID}.png`, `${UUID}.png`, "notes.txt", `4711-${UUID}.png`];
    const go = [`99-${UUID}.png`];
    for (const name of [...stay, ...go]) await Deno.writeTextFile(`${directory}/${name}`, "x");
    const old = `77-${UUID.replaceAll("0", "a")}.png`;
    await Deno.writeTextFile(`${directory}/${old}`, "x");
    const past = new Date(clock.now() - LEFTOVER_AGE_MS);
    await Deno.utime(`${directory}/${old}`, past, past);
    await Deno.utime(`${directory}/notes.txt`, past, past);
    for (const name of [`98-${UUID}`, `77-${UUID}`]) {
      await Deno.mkdir(`${directory}/${name}`);
      await Deno.writeTextFile(`${directory}/${name}/picture.png`, "x");
    }
    await folder.sweep();
    assertEquals(await names(directory), [...stay, `77-${UUID}`].sort());
  });
});

Deno.test("a removed place is gone for whoever still wants to write to it", async () => {
  await inFolder(async ({ directory, folder, clock }) => {
    const file = await folder.reserve();
    assertEquals(file.path.startsWith(`${directory}/${PID}-`), true);
    await Deno.writeTextFile(file.path, "half a pic");
    await file.remove();
    await assertRejects(() => Deno.writeTextFile(file.path, "late"), Deno.errors.NotFound);
    const open = await folder.reserve();
    await Deno.writeTextFile(open.path, "x");
    await folder.close();
    await assertRejects(() => Deno.writeTextFile(open.path, "late"), Deno.errors.NotFound);
    assertEquals(await names(directory), []);
    assertEquals(clock.pending, 0);
  });
});

Deno.test("what cannot be removed yet is tried again, a minute long", async () => {
  const clock = new FakeClock();
  let tries = 0;
  let busy = true;
  const disk: CaptureDisk = {
    makeFolder: () => Promise.resolve(),
    readPlainFile: () => Promise.reject(new Deno.errors.NotFound()),
    remove() {
      tries++;
      return busy ? Promise.reject(new Deno.errors.Busy("in use")) : Promise.resolve();
    },
    list: () => Promise.resolve([]),
  };
  const listProcesses = () => Promise.resolve(undefined);
  const made = { directory: "/captures", clock, log: silentLog, pid: PID, listProcesses, disk };
  const folder = new CaptureFolder(made);
  await (await folder.reserve()).remove();
  await clock.advance(500);
  assertEquals(tries, 3);
  busy = false;
  await clock.advance(1500);
  assertEquals([tries, clock.pending], [4, 0]);
  busy = true;
  await (await folder.reserve()).remove();
  await clock.advance(120_000);
  assertEquals([tries, clock.pending], [11, 0]);
});

Deno.test("without a process list only what is old is swept", async () => {
  await inFolder(async ({ directory, folder, clock }) => {
    await Deno.mkdir(directory, { recursive: true });
    await Deno.writeTextFile(`${directory}/99-${UUID}.png`, "x");
    await Deno.writeTextFile(`${directory}/${UUID}.png`, "x");
    await clock.advance(LEFTOVER_AGE_MS + 60_000);
    await Deno.utime(`${directory}/99-${UUID}.png`, clock.now() / 1000, clock.now() / 1000);
    await folder.sweep();
    assertEquals(await names(directory), [`99-${UUID}.png`]);
  }, () => Promise.resolve(undefined));
});

Deno.test("closing waits for the sweep that is under way", async () => {
  await inFolder(async ({ directory, folder }) => {
    await Deno.mkdir(directory, { recursive: true });
    await Deno.writeTextFile(`${directory}/99-${UUID}.png`, "x");
    void folder.sweep();
    await folder.close();
    assertEquals(await names(directory), []);
  });
});

Deno.test("without a folder there is nothing to sweep", async () => {
  await inFolder(async ({ folder }) => await folder.sweep());
});
