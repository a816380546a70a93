/** The desk's socket and its limits (gui-protocol.md 1.3), over real connections. */

import { assertEquals } from "@std/assert";
import { listen, type Listener, LISTENER_LIMITS } from "../../src/desk/listener.ts";
import { silentLog } from "../../src/host/log.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { ask, exchange, readAll } from "./wire.ts";

const TOKEN = "c0ffee";

/** Counts the timers that were ever set. */
class CountingClock extends FakeClock {
  timers = 0;

  override after(ms: number, callback: () => void): () => void {
    this.timers++;
    return super.after(ms, callback);
  }
}

interface Bench {
  readonly listener: Listener;
  readonly clock: CountingClock;
  /** The ops that came through. */
  readonly seen: string[];
}

/** Runs a test with a listener that answers `{"got": op}`; the op `hold` waits for `release`. */
async function withListener(
  run: (bench: Bench) => Promise<void>,
  hold: Promise<void> = Promise.resolve(),
): Promise<void> {
  const clock = new CountingClock();
  const seen: string[] = [];
  const listener = listen({
    token: TOKEN,
    clock,
    log: silentLog,
    async answer({ request }) {
      seen.push(String(request.op));
      if (request.op === "hold") await hold;
      return { got: request.op, token: request.token ?? null };
    },
  });
  try {
    await run({ listener, clock, seen });
  } finally {
    listener.close();
    await listener.finished;
  }
}

/** Text as bytes, one per character. */
function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A request line of exactly so many bytes, newline included. */
function lineOf(bytes: number): string {
  const empty = JSON.stringify({ token: TOKEN, op: "x", pad: "" });
  return `${empty.slice(0, -2)}${"p".repeat(bytes - empty.length - 1)}"}\n`;
}

Deno.test("one line in, one line out, without the token, and the connection is over", async () => {
  await withListener(async ({ listener }) => {
    assertEquals(await ask(listener.port, TOKEN, { op: "state" }), { got: "state", token: null });
    assertEquals(
      await exchange(listener.port, `${JSON.stringify({ token: TOKEN, op: "a" })}\nmore\n`),
      '{"got":"a","token":null}\n',
    );
  });
});

for (
  const [what, bytes] of [
    ["no token", '{"op":"state"}\n'],
    ["a wrong token", '{"token":"decade","op":"state"}\n'],
    ["a longer token", '{"token":"c0ffee0","op":"state"}\n'],
    ["a token that is no string", '{"token":12648430,"op":"state"}\n'],
    ["no JSON", "{'token'}\n"],
    ["an array", '["c0ffee"]\n'],
    ["null", "null\n"],
    ["an empty line", "\n"],
    ["a byte order mark", '\ufeff{"token":"c0ffee","op":"state"}\n'],
    [
      "nesting beyond 128",
      `{"token":"c0ffee","op":"x","a":${"[".repeat(128)}${"]".repeat(128)}}\n`,
    ],
    ["text that is not UTF-8", latin1('{"token":"c0ffee","op":"\xFF"}\n')],
  ] as const
) {
  Deno.test(`${what} is answered with nothing at all`, async () => {
    await withListener(async ({ listener, seen }) => {
      assertEquals(await exchange(listener.port, bytes), "");
      assertEquals(seen, []);
    });
  });
}

Deno.test("an end before the newline is answered with nothing at all", async () => {
  await withListener(async ({ listener, seen }) => {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    await connection.write(new TextEncoder().encode('{"token":"c0ffee","op":"state"}'));
    await connection.closeWrite();
    assertEquals(await readAll(connection), "");
    assertEquals(seen, []);
  });
});

Deno.test("a request has up to 1,048,576 bytes, and one more is too many", async () => {
  await withListener(async ({ listener, seen }) => {
    const limit = LISTENER_LIMITS.requestBytes;
    assertEquals(limit, 1_048_576);
    assertEquals(await exchange(listener.port, lineOf(limit)), '{"got":"x","token":null}\n');
    assertEquals(await exchange(listener.port, lineOf(limit + 1)), "");
    assertEquals(await exchange(listener.port, "y".repeat(3 * limit)), "");
    assertEquals(seen, ["x"]);
  });
});

Deno.test("nesting up to 128 is answered, and brackets in strings do not count", async () => {
  await withListener(async ({ listener }) => {
    const deep = JSON.parse("[".repeat(127) + "]".repeat(127));
    const text = `\\"${"[".repeat(500)}`;
    assertEquals((await ask(listener.port, TOKEN, { op: "x", deep, text })).got, "x");
  });
});

Deno.test("15 seconds of silence end a connection, and each byte starts them anew", async () => {
  await withListener(async ({ listener, clock, seen }) => {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    const reading = readAll(connection);
    await until(() => clock.timers === 1);
    await clock.advance(14_999);
    await connection.write(new TextEncoder().encode('{"token":'));
    // The timer of the next read is the sign that the bytes have come in.
    await until(() => clock.timers === 2);
    await clock.advance(14_999);
    await connection.write(new TextEncoder().encode('"c0ffee"'));
    await until(() => clock.timers === 3);
    await clock.advance(15_000);
    assertEquals(await reading, "");
    assertEquals(seen, []);
  });
});

Deno.test("a ninth connection is dropped without a byte, and then there is room again", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await withListener(async ({ listener, seen }) => {
    const held = Array.from({ length: 8 }, () => ask(listener.port, TOKEN, { op: "hold" }));
    await until(() => seen.length === 8);
    assertEquals(await exchange(listener.port, '{"token":"c0ffee","op":"ninth"}\n'), "");
    resolve();
    assertEquals((await Promise.all(held)).map((reply) => reply.got), Array(8).fill("hold"));
    assertEquals(seen.includes("ninth"), false);
    await until(async () => {
      const line = await exchange(listener.port, '{"token":"c0ffee","op":"later"}\n');
      return line === '{"got":"later","token":null}\n';
    });
  }, promise);
});

Deno.test("a client that does not read its answer is cut off, and makes room", async () => {
  const clock = new FakeClock();
  const { promise, resolve } = Promise.withResolvers<void>();
  // More than the system's buffers take, so that writing has to wait for the reader.
  const pad = "z".repeat(32_000_000);
  let held = 0;
  const listener = listen({
    token: TOKEN,
    clock,
    log: silentLog,
    async answer({ request }) {
      if (request.op === "big") return { pad };
      if (request.op !== "hold") return { ok: true };
      held++;
      await promise;
      return { ok: true };
    },
  });
  const holding = Array.from({ length: 7 }, () => ask(listener.port, TOKEN, { op: "hold" }));
  await until(() => held === 7);
  using stalled = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
  try {
    await stalled.write(new TextEncoder().encode('{"token":"c0ffee","op":"big"}\n'));
    await stalled.read(new Uint8Array(1));
    const small = '{"token":"c0ffee","op":"small"}\n';
    assertEquals(await exchange(listener.port, small), "", "the eighth place is taken");
    await clock.advance(15_000);
    let answered = "";
    // The place is free as soon as the cut has been noticed.
    for (let attempt = 0; answered === "" && attempt < 500; attempt++) {
      answered = await exchange(listener.port, small);
    }
    assertEquals(answered, '{"ok":true}\n');
  } finally {
    resolve();
    await Promise.all(holding);
    listener.close();
    await listener.finished;
  }
});

Deno.test("a client that goes away does not end the listener", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await withListener(async ({ listener, seen }) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    await connection.write(new TextEncoder().encode('{"token":"c0ffee","op":"hold"}\n'));
    await until(() => seen.length === 1);
    connection.close();
    resolve();
    assertEquals((await ask(listener.port, TOKEN, { op: "state" })).got, "state");
  }, promise);
});

/** Waits until something that the other side brings about is true. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
