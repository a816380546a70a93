import { assertEquals } from "@std/assert";
import { createLiveness, isKnownDead } from "../../src/editor/liveness.ts";
import { FakeClock } from "../support/fake_clock.ts";

function counted(tables: readonly (ReadonlySet<number> | undefined | Error)[]) {
  const list = { calls: 0 };
  return {
    list,
    take: () => {
      const table = tables[Math.min(list.calls++, tables.length - 1)];
      return table instanceof Error ? Promise.reject(table) : Promise.resolve(table);
    },
  };
}

Deno.test("one snapshot serves for ten seconds and is then taken anew", async () => {
  const clock = new FakeClock();
  const { list, take } = counted([new Set([1]), new Set([2])]);
  const liveness = createLiveness(take, clock);
  assertEquals(await liveness.look(), { alive: new Set([1]), fresh: true });
  await clock.advance(9_999);
  assertEquals(await liveness.look(), { alive: new Set([1]), fresh: false });
  await clock.advance(1);
  assertEquals(await liveness.look(), { alive: new Set([2]), fresh: true });
  assertEquals(list.calls, 2);
});

Deno.test("forgetting, as after a launch, makes the next look a fresh one", async () => {
  const { list, take } = counted([new Set([1])]);
  const liveness = createLiveness(take, new FakeClock());
  await liveness.look();
  liveness.forget();
  assertEquals((await liveness.look()).fresh, true);
  assertEquals(list.calls, 2);
});

Deno.test("looks at the same time share one snapshot, which is fresh only for the first", async () => {
  const { list, take } = counted([new Set([1])]);
  const liveness = createLiveness(take, new FakeClock());
  const looks = await Promise.all([liveness.look(), liveness.look(), liveness.look()]);
  assertEquals(looks.map(({ fresh }) => fresh), [true, false, false]);
  assertEquals(list.calls, 1);
});

Deno.test("a lister that fails establishes nothing and is asked again the next time", async () => {
  const { list, take } = counted([undefined, new Error("broken"), new Set([5])]);
  const liveness = createLiveness(take, new FakeClock());
  assertEquals((await liveness.look()).alive, undefined);
  assertEquals((await liveness.look()).alive, undefined);
  assertEquals((await liveness.look()).alive, new Set([5]));
  assertEquals(list.calls, 3);
});

Deno.test("a process is dead only when that is established", () => {
  const now = 1_000_000_000;
  const old = now - 120_000;
  const young = now - 119_999;
  const table = new Set([7]);
  const rules: readonly (readonly [string, boolean, boolean])[] = [
    ["no pid", isKnownDead({ modifiedMs: old }, { alive: table, fresh: true }, now), false],
    [
      "no table",
      isKnownDead({ pid: 9, modifiedMs: old }, { alive: undefined, fresh: true }, now),
      false,
    ],
    ["alive", isKnownDead({ pid: 7, modifiedMs: old }, { alive: table, fresh: true }, now), false],
    [
      "dead, fresh, young",
      isKnownDead({ pid: 9, modifiedMs: young }, { alive: table, fresh: true }, now),
      true,
    ],
    [
      "dead, cached, old",
      isKnownDead({ pid: 9, modifiedMs: old }, { alive: table, fresh: false }, now),
      true,
    ],
    [
      "dead, cached, young",
      isKnownDead({ pid: 9, modifiedMs: young }, { alive: table, fresh: false }, now),
      false,
    ],
    [
      "dead, cached, from the future",
      isKnownDead({ pid: 9, modifiedMs: now + 5 }, { alive: table, fresh: false }, now),
      false,
    ],
    [
      "dead, cached, of unknown age",
      isKnownDead({ pid: 9, modifiedMs: null }, { alive: table, fresh: false }, now),
      false,
    ],
  ];
  for (const [name, got, expected] of rules) assertEquals(got, expected, name);
});
