/** Cutting a base binary out of an executable: where the ELF file ends. */

import { assertEquals, assertThrows } from "@std/assert";
import { elfEnd } from "../../scripts/denort.ts";

function elf(sectionsAt: bigint, count: number, size: number): Uint8Array {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  view.setBigUint64(0x28, sectionsAt, true);
  view.setUint16(0x3a, size, true);
  view.setUint16(0x3c, count, true);
  return bytes;
}

Deno.test("the file ends behind its section headers", () => {
  assertEquals(elfEnd(elf(1_000n, 33, 64)), 1_000 + 33 * 64);
});

Deno.test("anything but a 64-bit little-endian ELF file is refused", () => {
  assertThrows(() => elfEnd(new Uint8Array(10)), Error, "not a 64-bit");
  assertThrows(() => elfEnd(new TextEncoder().encode("#!/bin/sh".repeat(20))), Error);
  const big = elf(0n, 0, 0);
  big[5] = 2;
  assertThrows(() => elfEnd(big), Error);
});
