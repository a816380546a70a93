import { assert, assertEquals } from "@std/assert";
import { createLiveness } from "../../src/editor/liveness.ts";
import {
  claimLaunch,
  LOCK_NAME,
  type LockMachine,
  parseClaim,
} from "../../src/editor/starting_lock.ts";
import { silentLog } from "../../src/host/log.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { automationDirectory } from "../support/protocol_server.ts";

const LIVE = 4_001;
const DEAD = 4_002;

function machineFor(directory: string, more: Partial<LockMachine> = {}): LockMachine {
  const clock = more.clock ?? new FakeClock();
  return {
    directory,
    pid: 4_000,
    clock,
    liveness: createLiveness(() => Promise.resolve(new Set([4_000, LIVE])), clock),
    log: silentLog,
    ...more,
  };
}

async function lockText(directory: string): Promise<string | undefined> {
  return await Deno.readTextFile(`${directory}/${LOCK_NAME}`).catch(() => undefined);
}

async function plant(directory: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${directory}/${LOCK_NAME}`, text);
}

const seconds = (clock: FakeClock, ago: number) => Math.floor(clock.now() / 1000) - ago;

Deno.test("a claim says who made it and when, and goes with its release", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  const claim = await claimLaunch(machineFor(directory.path, { clock }));
  assertEquals(parseClaim(await lockText(directory.path) ?? ""), {
    pid: 4_000,
    started: seconds(clock, 0),
  });
  await claim?.release();
  await claim?.release();
  assertEquals(await lockText(directory.path), undefined);
});

Deno.test("a young claim of a live process is somebody else's", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  await plant(directory.path, JSON.stringify({ pid: LIVE, started: seconds(clock, 59) }));
  assertEquals(await claimLaunch(machineFor(directory.path, { clock })), undefined);
});

Deno.test("a claim of 60 s is stale, whoever made it", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  for (const ago of [60, 3_600, -3_600]) {
    await plant(directory.path, JSON.stringify({ pid: LIVE, started: seconds(clock, ago) }));
    const claim = await claimLaunch(machineFor(directory.path, { clock }));
    assert(claim !== undefined, `${ago} s ago`);
    await claim?.release();
  }
});

Deno.test("a young claim of a dead process is taken over", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  await plant(directory.path, JSON.stringify({ pid: DEAD, started: seconds(clock, 1) }));
  const claim = await claimLaunch(machineFor(directory.path, { clock }));
  assert(claim !== undefined);
  assertEquals(parseClaim(await lockText(directory.path) ?? "")?.pid, 4_000);
});

Deno.test("a claimant that is missing in an old snapshot gets a second look", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  const table = new Set([4_000]);
  const liveness = createLiveness(() => Promise.resolve(new Set(table)), clock);
  await liveness.look();
  table.add(DEAD);
  await plant(directory.path, JSON.stringify({ pid: DEAD, started: seconds(clock, 1) }));
  assertEquals(await claimLaunch(machineFor(directory.path, { clock, liveness })), undefined);
});

Deno.test("without a process table a young claim stands", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  const liveness = createLiveness(() => Promise.resolve(undefined), clock);
  await plant(directory.path, JSON.stringify({ pid: DEAD, started: seconds(clock, 1) }));
  assertEquals(await claimLaunch(machineFor(directory.path, { clock, liveness })), undefined);
});

Deno.test("an unreadable claim counts by the age of its file", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock(Date.now());
  for (const text of ["", "{", "7", '{"pid":"x","started":1}']) {
    await plant(directory.path, text);
    assertEquals(await claimLaunch(machineFor(directory.path, { clock })), undefined, text);
  }
  const longAgo = Date.now() / 1000 - 61;
  await Deno.utime(`${directory.path}/${LOCK_NAME}`, longAgo, longAgo);
  assert(await claimLaunch(machineFor(directory.path, { clock })) !== undefined);
});

Deno.test("a claim that was taken over meanwhile is not removed by its first owner", async () => {
  await using directory = await automationDirectory();
  const clock = new FakeClock();
  const first = await claimLaunch(machineFor(directory.path, { clock }));
  await clock.advance(60_000);
  const second = await claimLaunch(machineFor(directory.path, { clock, pid: LIVE }));
  assert(second !== undefined);
  await first?.release();
  assertEquals(parseClaim(await lockText(directory.path) ?? "")?.pid, LIVE);
});

Deno.test({
  name: "a pipe or a link in the place of the claim is replaced, and neither read nor waited for",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const put of [makePipe, linkToNowhere, linkToItself, linkToLiveClaim]) {
      await using directory = await automationDirectory();
      await put(`${directory.path}/${LOCK_NAME}`);
      const machine = machineFor(directory.path, { pid: LIVE });
      const claim = await claimLaunch(machine);
      assertEquals(parseClaim(await lockText(directory.path) ?? "")?.pid, LIVE, put.name);
      assertEquals(await claimLaunch(machineFor(directory.path)), undefined, put.name);
      await claim?.release();
      assertEquals(await lockText(directory.path), undefined, put.name);
    }
  },
});

Deno.test({
  name: "a pipe or a link in the place of the guard holds no claim up and is not opened",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const put of [makePipe, linkToNowhere, linkToItself, linkToHeldFile]) {
      await using directory = await automationDirectory();
      await using _held = await put(`${directory.path}/starting.guard`);
      // The clock stands still: whoever waited for the guard would wait for ever.
      assert(await claimLaunch(machineFor(directory.path)) !== undefined, put.name);
      assertEquals(await claimLaunch(machineFor(directory.path, { pid: LIVE })), undefined);
    }
  },
});

async function makePipe(path: string): Promise<undefined> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert(success);
}

async function linkToNowhere(path: string): Promise<undefined> {
  await Deno.symlink(`${path}.nowhere`, path);
}

async function linkToItself(path: string): Promise<undefined> {
  await Deno.symlink(path, path);
}

async function linkToLiveClaim(path: string): Promise<undefined> {
  const started = seconds(new FakeClock(), 0);
  await Deno.writeTextFile(`${path}.other`, JSON.stringify({ pid: 4_000, started }));
  await Deno.symlink(`${path}.other`, path);
}

/** To a file outside that somebody else has locked. */
async function linkToHeldFile(path: string): Promise<AsyncDisposable> {
  const outside = `${path}.other`;
  const file = await Deno.open(outside, { create: true, write: true });
  await file.lock(true);
  await Deno.symlink(outside, path);
  return {
    [Symbol.asyncDispose]() {
      file.close();
      return Promise.resolve();
    },
  };
}

Deno.test("a directory that does not exist yet is made, private to its owner", async () => {
  await using directory = await automationDirectory();
  const path = `${directory.path}/new/automation`;
  assert(await claimLaunch(machineFor(path)) !== undefined);
  const { mode } = await Deno.stat(path);
  if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o700);
});

Deno.test("an unusable directory grants the claim, since a broken lock must not prevent launching", async () => {
  await using directory = await automationDirectory();
  const file = `${directory.path}/file`;
  await Deno.writeTextFile(file, "in the way");
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const claim = await claimLaunch(machineFor(`${file}/automation`, { log }));
  assert(claim !== undefined);
  await claim?.release();
  assertEquals(warnings.length, 1);
});

Deno.test("a phrase in the place of a directory grants the claim and makes nothing", async () => {
  const phrase = "no configuration directory (HOME is not set)";
  assert(await claimLaunch(machineFor(phrase)) !== undefined);
  assertEquals(await Deno.lstat(phrase).then(() => true, () => false), false);
});

Deno.test("of many claimants at once exactly one gets a free, a stale or a dead claim", async () => {
  for (const [pid, ago] of [[undefined, 0], [LIVE, 61], [DEAD, 1]] as const) {
    await using directory = await automationDirectory();
    const clock = new FakeClock();
    if (pid !== undefined) {
      await plant(directory.path, JSON.stringify({ pid, started: seconds(clock, ago) }));
    }
    const claims = await Promise.all(
      Array.from({ length: 24 }, () => claimLaunch(machineFor(directory.path, { clock }))),
    );
    assertEquals(claims.filter((claim) => claim !== undefined).length, 1, `${pid} ${ago}`);
  }
});
