import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/host/clock.ts";
import { silentLog } from "../../src/host/log.ts";
import { type ByteWriter, LineWriter } from "../../src/mcp/writer.ts";

const text = (parts: readonly Uint8Array[]) =>
  parts.map((part) => new TextDecoder().decode(part)).join("");

const open = (writer: ByteWriter) => new LineWriter(writer, systemClock, silentLog);

Deno.test("short lines are written at once, long ones are awaited, all in order", async () => {
  const written: Uint8Array[] = [];
  let synchronous = 0;
  const writer = open({
    async write(bytes) {
      await Promise.resolve();
      // A pipe takes only so much at a time.
      const part = bytes.slice(0, 60_000);
      written.push(part);
      return part.length;
    },
    writeSync(bytes) {
      synchronous++;
      written.push(bytes.slice(0, 10));
      return Math.min(10, bytes.length);
    },
  });
  writer.send({ n: 1 });
  assertEquals(text(written), '{"n":1}\n');
  const long = "x".repeat(200_000);
  writer.send({ long });
  writer.send({ n: 2 });
  await writer.flush();
  assertEquals(text(written), `{"n":1}\n{"long":"${long}"}\n{"n":2}\n`);
  assertEquals(synchronous, 1);
  writer.send({ n: 3 });
  assert(text(written).endsWith('{"n":3}\n'));
});

Deno.test("a full pipe is tried again until the line is out", async () => {
  const written: Uint8Array[] = [];
  let turns = 0;
  const full = () => {
    if (++turns % 2 === 1) throw new Deno.errors.WouldBlock("full");
  };
  const writer = open({
    // deno-lint-ignore require-await
    async write(bytes) {
      full();
      written.push(bytes.slice(0, 3));
      return Math.min(3, bytes.length);
    },
    writeSync(bytes) {
      full();
      written.push(bytes.slice(0, 3));
      return Math.min(3, bytes.length);
    },
  });
  writer.send({ n: 1 });
  writer.send({ n: 2 });
  await writer.flush();
  assertEquals(text(written), '{"n":1}\n{"n":2}\n');
});

Deno.test("a client that is gone is noticed at once, by either way of writing", async () => {
  const broken = () => {
    throw new Deno.errors.BrokenPipe("gone");
  };
  // deno-lint-ignore require-await
  const rejects = async () => broken();
  for (const writer of [open({ write: rejects, writeSync: broken }), open({ write: rejects })]) {
    writer.send({ n: 1 });
    writer.send({ n: 2 });
    await writer.gone;
    await writer.flush();
    writer.send({ n: 3 });
    await writer.flush();
  }
});

Deno.test("after the seal nothing new is written, what was queued is", async () => {
  const written: Uint8Array[] = [];
  const writer = open({
    async write(bytes) {
      await Promise.resolve();
      written.push(bytes.slice());
      return bytes.length;
    },
  });
  writer.send({ n: 1 });
  writer.send({ n: 2 });
  writer.seal();
  writer.send({ n: 3 });
  await writer.flush();
  assertEquals(text(written), '{"n":1}\n{"n":2}\n');
});

Deno.test("what is no JSON is thrown back and leaves the stream whole", async () => {
  const written: Uint8Array[] = [];
  const writer = open({
    write: (bytes) => Promise.resolve((written.push(bytes.slice()), bytes.length)),
  });
  const loop: Record<string, Record<string, never> | undefined> = {};
  Object.assign(loop, { loop });
  let thrown = false;
  try {
    writer.send(loop);
  } catch {
    thrown = true;
  }
  assert(thrown);
  writer.send({ n: 1 });
  await writer.flush();
  assertEquals(text(written), '{"n":1}\n');
});
