/** A session of the editor's side over a scripted server, straight or through the fault proxy. */

import type { EditorSession, EditorSide } from "../../src/editor/types.ts";
import { sideOver, watched } from "./editor_calls.ts";
import { type Fault, startFaultProxy } from "./fault_proxy.ts";
import {
  automationDirectory,
  type Handler,
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
  const directory = stack.use(await automationDirectory());
  const server = stack.use(await startProtocolServer(directory.path));
  server.handle(handler);
  const side = sideOver(directory.path);
  const session = await side.session(server.sessionId, watched());
  const kept = stack.move();
  return {
    server,
    session,
    side,
    directory: directory.path,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A session that is reached through a proxy; `plan` decides by op and how often it was asked. */
export async function spoiledSetting(
  handler: Handler,
  plan: (op: string, count: number) => Fault,
): Promise<Setting & { readonly refuse: () => void }> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await automationDirectory());
  const server = stack.use(await startProtocolServer(directory.path));
  server.handle(handler);
  const counts = new Map<string, number>();
  const proxy = stack.use(startFaultProxy(server.port, (_index, text) => {
    const op = String(JSON.parse(text).op);
    const count = counts.get(op) ?? 0;
    counts.set(op, count + 1);
    return plan(op, count);
  }));
  await Deno.remove(server.descriptor);
  await writeDescriptor(directory.path, {
    session_id: server.sessionId,
    port: proxy.port,
    token: server.token,
  });
  const side = sideOver(directory.path);
  const session = await side.session(server.sessionId, watched());
  const kept = stack.move();
  return {
    server,
    session,
    side,
    directory: directory.path,
    refuse: proxy.refuse,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
