import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/host/clock.ts";
import { silentLog } from "../../src/host/log.ts";
import { type ByteWriter, LineWriter } from "../../src/mcp/writer.ts";

const text = (parts: readonly Uint8Array[]) =>
  parts.map((part) => new TextDecoder().decode(part)).join("");

const open = (writer: ByteWriter) => new LineWriter(writer, systemClock, silentLog);

Deno.test("lines keep their order and their bytes, however few of them a write takes", async () => {
  const written: Uint8Array[] = [];
  const writer = open({
    async write(bytes) {
      await Promise.resolve();
      const part = bytes.slice(0, 60_000);
      written.push(part);
      return part.length;
    },
  });
  const long = "x".repeat(200_000);
  for (const message of [{ n: 1 }, { n: 2 }, { long }, { n: 3 }]) writer.send(message);
  await writer.flush();
  writer.send({ n: 4 });
  await writer.flush();
  assertEquals(text(written), `{"n":1}\n{"n":2}\n{"long":"${long}"}\n{"n":3}\n{"n":4}\n`);
});

Deno.test("while a write hangs, sending goes on; what waited goes out together", async () => {
  const written: string[] = [];
  const first = Promise.withResolvers<void>();
  const writer = open({
    async write(bytes) {
      written.push(text([bytes]));
      if (written.length === 1) await first.promise;
      return bytes.length;
    },
  });
  for (let n = 1; n <= 4; n++) writer.send({ n });
  assertEquals(written, ['{"n":1}\n']);
  first.resolve();
  await writer.flush();
  assertEquals(written, ['{"n":1}\n', '{"n":2}\n{"n":3}\n{"n":4}\n']);
});

Deno.test("a full pipe is tried again until the line is out", async () => {
  const written: Uint8Array[] = [];
  let turns = 0;
  const full = () => {
    if (++turns % 2 === 1) throw new Deno.errors.WouldBlock("full");
  };
  const writer = open({
    async write(bytes) {
      await Promise.resolve();
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

Deno.test("a client that is gone is noticed, and what waits for it is dropped", async () => {
  const warned: string[] = [];
  for (const error of [new Deno.errors.BrokenPipe("gone"), new Error("odd")]) {
    let writes = 0;
    const writer = new LineWriter(
      { write: () => (writes++, Promise.reject(error)) },
      systemClock,
      { ...silentLog, warn: (line) => warned.push(line) },
    );
    writer.send({ n: 1 });
    writer.send({ n: 2 });
    await writer.gone;
    await writer.flush();
    writer.send({ n: 3 });
    await writer.flush();
    assertEquals(writes, 1);
  }
  // A closed pipe is a goodbye, anything else is told.
  assertEquals(warned.length, 1);
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
