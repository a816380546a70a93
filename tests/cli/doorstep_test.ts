/** What is let in before the tools are loaded, and what is not. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { doorstep } from "../../src/cli/doorstep.ts";

const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n';
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';

function setting(...chunks: readonly string[]) {
  const waiting = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const loaded = Promise.withResolvers<void>();
  const asked: string[] = [];
  const reader = doorstep({
    read(into) {
      const chunk = waiting.shift();
      if (chunk === undefined) return Promise.resolve(null);
      into.set(chunk);
      return Promise.resolve(chunk.length);
    },
  }, {
    list() {
      asked.push("list");
      return loaded.promise;
    },
    open() {
      asked.push("open");
      return Promise.reject(new Error("nothing to open"));
    },
  });
  const buffer = new Uint8Array(1_024);
  const read = async () => {
    const count = await reader.read(buffer);
    return count === null ? null : new TextDecoder().decode(buffer.subarray(0, count));
  };
  return { read, loaded: loaded.resolve, asked };
}

Deno.test("an initialize is handed over before anything is loaded", async () => {
  const { read, asked } = setting(INITIALIZE, LIST);
  assertEquals(await read(), INITIALIZE);
  assertEquals(asked, []);
});

Deno.test("what comes in the same chunk is held back until the lists are there", async () => {
  const { read, loaded, asked } = setting(INITIALIZE + LIST);
  assertEquals(await read(), INITIALIZE);
  let second: string | null | undefined;
  const reading = read().then((text) => second = text);
  await Promise.resolve();
  assertEquals(second, undefined);
  loaded();
  await reading;
  assertEquals(second, LIST);
  assertEquals(asked, ["list"]);
  // The rest is loaded when the client has what it asked for.
  assertEquals(await read(), null);
  assertEquals(await read(), null);
  assertEquals(asked, ["list", "open"]);
});

for (
  const [what, chunk] of [["another request", LIST], ["half a line", '{"method":"ini']] as const
) {
  Deno.test(`${what} first waits for the loading`, async () => {
    const { read, loaded, asked } = setting(chunk);
    let first: string | null | undefined;
    const reading = read().then((text) => first = text);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    assertEquals([first, asked], [undefined, ["list"]]);
    loaded();
    await reading;
    assertEquals(first, chunk);
  });
}

Deno.test("whatever the chunks, every byte arrives, in order", async () => {
  const piece = fc.constantFrom(INITIALIZE, LIST, "{", "\n", '"method":"initialize"');
  await fc.assert(fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (chunks) => {
    const { read, loaded } = setting(...chunks);
    loaded();
    let all = "";
    for (let text = await read(); text !== null; text = await read()) all += text;
    assertEquals(all, chunks.join(""));
  }));
});
