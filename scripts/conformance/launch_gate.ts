/** The ninth gate: the launch claim lets one launcher through (bridge.md 3.5). */

import { assert, assertEquals } from "@std/assert";
import { CLAIM_LIFE_MS, claimLaunch, LOCK_NAME } from "../../src/editor/starting_lock.ts";
import { createLiveness } from "../../src/editor/liveness.ts";
import { silentLog } from "../../src/host/log.ts";
import { present } from "../../tests/support/expect.ts";
import { FakeClock } from "../../tests/support/fake_clock.ts";

const OURS = 101;
const THEIRS = 102;

/** Claim, wait, stale reclaim, dead-pid reclaim, release. */
export async function startupLockSerializesConcurrentLaunches(): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ocs-claim-" });
  try {
    await claims(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function claims(directory: string): Promise<void> {
  const clock = new FakeClock();
  const alive = new Set([OURS, THEIRS]);
  const liveness = createLiveness(() => Promise.resolve(new Set(alive)), clock);
  const claim = (pid: number) => claimLaunch({ directory, pid, clock, liveness, log: silentLog });

  const racing = await Promise.all([claim(OURS), claim(THEIRS), claim(OURS), claim(THEIRS)]);
  const granted = racing.filter((one) => one !== undefined);
  assertEquals(granted.length, 1, "Of four claims at once exactly one must be granted.");
  assertEquals(await claim(THEIRS), undefined, "A claim that is held must be waited for.");

  await granted[0]?.release();
  const next = present(await claim(THEIRS), "a released claim to be free");

  await clock.advance(CLAIM_LIFE_MS + 1_000);
  const afterStale = present(await claim(OURS), "a stale claim to be taken over");
  await next.release();
  assert(
    (await Deno.stat(`${directory}/${LOCK_NAME}`)).isFile,
    "A claim that was taken over is no longer the first claimant's to release.",
  );

  alive.delete(OURS);
  liveness.forget();
  const afterDeath = present(await claim(THEIRS), "the claim of a dead process to be taken over");
  await afterDeath.release();
  await afterStale.release();
}
