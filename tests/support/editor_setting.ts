/** A session of the editor's side over a scripted server, straight or through the fault proxy. */

import type { Connect } from "../../src/editor/loopback.ts";
import type { EditorSession, EditorSide } from "../../src/editor/types.ts";
import type { JsonObject } from "../../src/host/json.ts";
import { line, scriptedConnect, sideOver, watched } from "./editor_calls.ts";
import type { FakeClock } from "./fake_clock.ts";
import { type Fault, startFaultProxy } from "./fault_proxy.ts";
import {
  automationDirectory,
  type Handler,
  ordinaryState,
  type ProtocolServer,
  startProtocolServer,
  writeDescriptor,
} from "./protocol_server.ts";

/** A server, the side over its directory, and its session. */
export interface Setting extends AsyncDisposable {
  readonly server: ProtocolServer;
  readonly session: EditorSession;
  readonly directory: string;
  readonly side: EditorSide;
}

/** A server that answers hello by itself and everything else through `handler`. */
export async function setting(handler: Handler): Promise<Setting> {
  await using stack = new AsyncDisposableStack();
  const { directory, server } = await served(stack, handler);
  return await settledOn(stack.move(), directory, server);
}

/** A session that is reached through a proxy; `plan` decides by op and how often it was asked. */
export async function spoiledSetting(
  handler: Handler,
  plan: (op: string, count: number) => Fault,
): Promise<Setting & { readonly refuse: () => void }> {
  await using stack = new AsyncDisposableStack();
  const { directory, server } = await served(stack, handler);
  const counts = new Map<string, number>();
  const proxy = stack.use(startFaultProxy(server.port, (_index, text) => {
    const op = String(JSON.parse(text).op);
    const count = counts.get(op) ?? 0;
    counts.set(op, count + 1);
    return plan(op, count);
  }));
  await Deno.remove(server.descriptor);
  const { sessionId: session_id, token } = server;
  await writeDescriptor(directory, { session_id, port: proxy.port, token });
  return { ...await settledOn(stack.move(), directory, server), refuse: proxy.refuse };
}

/** A session without sockets, on a clock that the test moves: hello is answered by itself. */
export async function scriptedSetting(
  clock: FakeClock,
  answer: (request: JsonObject) => JsonObject | Promise<JsonObject>,
  through: (usual: Connect) => Connect = (usual) => usual,
): Promise<Pick<Setting, "side" | "session"> & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await automationDirectory());
  await writeDescriptor(path, { session_id: "s", port: 1, token: "t" });
  const connect = scriptedConnect(async (request) =>
    line(request.op === "hello" ? ordinaryState("s") : await answer(request))
  );
  const side = sideOver(path, { connect: through(connect), clock });
  const session = await side.session("s", watched());
  const kept = stack.move();
  return { side, session, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function served(stack: AsyncDisposableStack, handler: Handler) {
  const directory = stack.use(await automationDirectory()).path;
  const server = stack.use(await startProtocolServer(directory));
  server.handle(handler);
  return { directory, server };
}

async function settledOn(
  kept: AsyncDisposableStack,
  directory: string,
  server: ProtocolServer,
): Promise<Setting> {
  await using stack = new AsyncDisposableStack();
  stack.use(kept);
  const side = sideOver(directory);
  const session = await side.session(server.sessionId, watched());
  const whole = stack.move();
  return {
    server,
    session,
    side,
    directory,
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}
