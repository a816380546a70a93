import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  PNG_WASM_FILE,
  pngWasmModule,
  pngWasmPath,
  providePngWasm,
} from "../../src/image/png_wasm.ts";

Deno.test("The codec's path leads to a WebAssembly file of the name an executable embeds", async () => {
  const path = pngWasmPath();
  assertEquals(path.endsWith(PNG_WASM_FILE), true);
  const bytes = await Deno.readFile(path);
  assertEquals([...bytes.subarray(0, 4)], [0, 0x61, 0x73, 0x6d]);
});

Deno.test("The codec is compiled once, and a failure to load it is not kept", async () => {
  let loads = 0;
  providePngWasm(() => {
    loads++;
    return loads === 1 ? Promise.reject(new Error("not there yet")) : Deno.readFile(pngWasmPath());
  });
  await assertRejects(() => pngWasmModule(), Error, "not there yet");
  const [one, two] = await Promise.all([pngWasmModule(), pngWasmModule()]);
  assertStrictEquals(one, two);
  assertStrictEquals(await pngWasmModule(), one);
  assertEquals(loads, 2);
});

Deno.test("A path given is the file that is read", async () => {
  providePngWasm("/nowhere/codec.wasm");
  await assertRejects(() => pngWasmModule(), Error);
  providePngWasm(pngWasmPath());
  assertEquals(await pngWasmModule() instanceof WebAssembly.Module, true);
});
