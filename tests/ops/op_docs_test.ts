import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderOpTable } from "../../scripts/op_docs.ts";
import { EXECUTE_OPS, READ_OPS } from "../../src/ops/table.ts";

const text = renderOpTable();
const lines = text.split("\n");

Deno.test("The reference has one entry per operation and per read", () => {
  const entries = lines.filter((line) => /^- `[a-z_]+`: /.test(line));
  assertEquals(entries.length, EXECUTE_OPS.length + READ_OPS.length);
  for (const row of [...EXECUTE_OPS, ...READ_OPS]) {
    assert(entries.some((line) => line.startsWith(`- \`${row.op}\`: ${row.text}`)), row.op);
  }
});

Deno.test("The reference says of a parameter what the table says", () => {
  for (
    const line of [
      "  - `path*` `string`: must end in .pdf; a file that is written",
      "  - `angle_deg` `number`: degrees, counter-clockwise",
      "  - `detail` `summary|geometry|full`: default `full`",
      "  - `updates*` `[{path*, value*, expected}]`",
      "  - area window needs window",
      "- `stop`: Switch automation off; only a person at the editor can switch it on again. Not a batch step.",
    ]
  ) assert(lines.includes(line), line);
});

Deno.test("The formatter leaves the reference as it is", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--no-config", "--line-width", "100", "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${text}\n`));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  assert(success, new TextDecoder().decode(stderr));
  assertEquals(new TextDecoder().decode(stdout), `${text}\n`);
});

Deno.test("Signs of Markdown in texts are spelled out", () => {
  assertStringIncludes(text, "one file per layout, \\<stem\\>-\\<Layout\\>.pdf");
});
