/** No more connections to an editor at once than it hears, in the order of asking. */

import { assertEquals, assertRejects } from "@std/assert";
import { throughDoors } from "../../src/editor/doors.ts";
import type { Wire } from "../../src/editor/loopback.ts";

function setting(most: number) {
  let open = 0;
  let peak = 0;
  const log: number[] = [];
  const wire = (): Wire => ({
    read: () => Promise.resolve(null),
    write: (bytes) => Promise.resolve(bytes.length),
    close: () => {
      open--;
    },
  });
  const connect = throughDoors((port) => {
    open++;
    peak = Math.max(peak, open);
    log.push(port);
    return Promise.resolve(wire());
  }, most);
  return { connect, log, peak: () => peak };
}

const never = new AbortController().signal;

Deno.test("the next connects when one has closed, and never more than allowed are open", async () => {
  const { connect, peak } = setting(2);
  const first = await connect(1, never);
  const second = await connect(1, never);
  const order: string[] = [];
  const third = connect(1, never).then((wire) => {
    order.push("third");
    return wire;
  });
  const fourth = connect(1, never).then((wire) => {
    order.push("fourth");
    return wire;
  });
  second.close();
  (await third).close();
  (await fourth).close();
  first.close();
  assertEquals(order, ["third", "fourth"]);
  assertEquals(peak(), 2);
});

Deno.test("another editor has doors of its own", async () => {
  const { connect, log } = setting(1);
  await connect(1, never);
  await connect(2, never);
  assertEquals(log, [1, 2]);
});

Deno.test("closing twice makes room once", async () => {
  const { connect, peak } = setting(1);
  const first = await connect(1, never);
  first.close();
  first.close();
  const second = await connect(1, never);
  const third = connect(1, never);
  second.close();
  await third;
  assertEquals(peak(), 1);
});

Deno.test("whoever gives up waiting takes no place", async () => {
  const { connect, log } = setting(1);
  const first = await connect(1, never);
  const impatient = new AbortController();
  const given = connect(1, impatient.signal);
  const next = connect(1, never);
  impatient.abort(new Error("enough"));
  await assertRejects(() => given, Error, "enough");
  first.close();
  await next;
  assertEquals(log.length, 2);
});

Deno.test("a connection that fails makes room", async () => {
  let refuse = true;
  const connect = throughDoors(() => {
    if (refuse) return Promise.reject(new Deno.errors.ConnectionRefused("no"));
    return Promise.resolve({
      read: () => Promise.resolve(null),
      write: () => Promise.resolve(0),
      close() {},
    });
  }, 1);
  await assertRejects(() => connect(1, never), Deno.errors.ConnectionRefused);
  refuse = false;
  (await connect(1, never)).close();
});
