/** A client of the desk for tests: one line out, whatever comes back in. */

import { isJsonObject, type JsonObject } from "../../src/host/json.ts";

/** Sends bytes over a new connection and reads to the end; a connection that is cut reads as empty. */
export async function exchange(port: number, bytes: Uint8Array | string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const out = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  const writing = writeAll(connection, out);
  const read = await readAll(connection);
  await writing;
  return read;
}

/** Sends a request and answers the reply, which must be one line of JSON. */
export async function ask(port: number, token: string, request: JsonObject): Promise<JsonObject> {
  const line = await exchange(port, `${JSON.stringify({ token, ...request })}\n`);
  if (!line.endsWith("\n") || line.indexOf("\n") !== line.length - 1) {
    throw new Error(`Not one line: ${JSON.stringify(line.slice(0, 200))}`);
  }
  const reply: unknown = JSON.parse(line);
  if (!isJsonObject(reply)) throw new Error(`Not an object: ${line.slice(0, 200)}`);
  return reply;
}

/** Everything that comes until the other side ends the connection, in whatever way. */
export async function readAll(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65_536);
  let text = "";
  while (true) {
    const read = await connection.read(buffer).catch((error: unknown) => {
      // A server that closes with our bytes unread resets the connection: that is an end as well.
      if (error instanceof Deno.errors.ConnectionReset) return null;
      throw error;
    });
    if (read === null) return text;
    text += decoder.decode(buffer.subarray(0, read), { stream: true });
  }
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
  } catch {
    // The server may close before it has read everything; what it answered is what counts.
  }
}
