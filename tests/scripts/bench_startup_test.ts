/** The bare program of the startup bench has to differ from the bridge in nothing but the bridge. */

import { assertRejects } from "@std/assert";
import { compileBare } from "../../scripts/bench_startup.ts";

Deno.test("the bare program is compiled by what compiled the executable", async () => {
  const directory = await Deno.makeTempDir({ prefix: "ocs-bare-" });
  try {
    const deno = `${directory}/no-such-deno`;
    await assertRejects(() => compileBare(directory, { deno }), Deno.errors.NotFound, deno);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
