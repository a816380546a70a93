import { assert, assertEquals } from "@std/assert";
import { asList, asObject, Client } from "./client.ts";

/** The opening lines of real clients, one client per line. */
const recorded = Deno.readTextFileSync(new URL("../testdata/wire.jsonl", import.meta.url))
  .split("\n").filter((line) => line !== "").map((line) => asObject(JSON.parse(line)));

/** Methods of features that the bridge does not declare. */
const UNDECLARED = ["prompts/list", "logging/setLevel"];

for (const { client: name, version, lines } of recorded) {
  Deno.test(`what ${name} ${version} sends is served`, async () => {
    const client = new Client();
    const sent = asList(lines);
    // All in one go, as a client may write them before it has read anything.
    client.send(...sent);
    const requests = sent.filter((message) => Object.hasOwn(message, "id"));
    const answers = new Map<unknown, Awaited<ReturnType<Client["next"]>>>();
    while (answers.size < requests.length) {
      const answer = await client.next();
      assert(!answers.has(answer.id), "answered twice");
      answers.set(answer.id, answer);
    }
    for (const { id, method, params } of requests) {
      const answer = asObject(answers.get(id));
      if (UNDECLARED.includes(String(method))) {
        assertEquals(asObject(answer.error).code, -32601, String(method));
      } else if (method === "initialize") {
        const { protocolVersion } = asObject(answer.result);
        assertEquals(protocolVersion, asObject(params).protocolVersion);
      } else if (method === "tools/call") {
        // The face of these tests has other tools; that it was asked is what counts.
        assertEquals(client.face.calls.map((call) => call.name), ["ocs_sessions"]);
        assert(asObject(client.face.calls[0]?.args).launch_if_none !== true);
      } else {
        assert(answer.result !== undefined, `${method}: ${JSON.stringify(answer)}`);
      }
    }
    await client.quiet();
    await client.close();
  });
}

Deno.test("thirteen clients are recorded", () => assertEquals(recorded.length, 13));
