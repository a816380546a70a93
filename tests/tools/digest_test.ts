/** Tests of the pinned digest of the tool definitions. */

import { assert, assertEquals } from "@std/assert";
import { TOOL_SCHEMA_DIGEST, toolSchemaDigest, toolSchemaOf } from "../../src/tools/digest.ts";

Deno.test("tool_schema_digest_is_pinned", async () => {
  const computed = await toolSchemaDigest();
  assert(
    computed === TOOL_SCHEMA_DIGEST,
    `The tool definitions changed. Put this into src/tools/digest.ts if that is meant: ${computed}`,
  );
});

Deno.test("a release answers the pinned value, dev the computed one", async () => {
  assertEquals(await toolSchemaOf("release"), TOOL_SCHEMA_DIGEST);
  assertEquals(await toolSchemaOf("dev"), await toolSchemaDigest());
});
