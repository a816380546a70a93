/**
 * The SDK's servers behind the connection, one per era, loaded only when a request needs them.
 *
 * It serves everything behind the face but tool calls, which the connection hands over by itself. The
 * SDK decides on eras and methods, runs the handlers, carries cancels, stamps modern results
 * and serves subscriptions. It sees ids of our own (a client may reuse or repeat its ids) and a
 * clean envelope (its schemas drop a message with a malformed `_meta` without an answer). Handlers
 * are fallback handlers, since registered ones reshape results; errors go to the wire as we
 * classified them, since the SDK knows one code for a missing resource and the legacy era another
 * (mcp-stdio.md section 7).
 */

import { type JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isJsonObject, type JsonObject } from "../host/json.ts";
import type { Log } from "../host/log.ts";
import { notificationMessage, wireError } from "./answers.ts";
import { serve } from "./calls.ts";
import { Channel } from "./channel.ts";
import type { Era, ServerFace } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import type { Flight, Flights } from "./flights.ts";
import { CAPABILITIES } from "./handshake.ts";
import { Listening, tagged } from "./listening.ts";
import { MetaKey, MODERN_VERSION, TASKS_EXTENSION } from "./versions.ts";

/** What the connection asks of the SDK's side. */
export interface Dispatch {
  /** Serves a request; its answer comes through `Flights`. */
  deliver(flight: Flight): void;
  /** Tells the SDK about a request that was cancelled. */
  cancel(flight: Flight): void;
  /** Ends the subscriptions, each with its result and then a cancel, and lets go of everything. */
  close(): Promise<void>;
}

/** What the SDK's side needs. */
export interface DispatchOptions {
  readonly face: ServerFace;
  readonly flights: Flights;
  readonly log: Log;
  /** Writes a message that is no answer. */
  send(message: JsonObject): void;
}

/** Builds both servers. Nothing is written before the first request is delivered. */
export async function createDispatch(options: DispatchOptions): Promise<Dispatch> {
  const { face, flights, log } = options;
  const listening = new Listening(face);
  const receive = (message: JSONRPCMessage) => fromSdk(message, options, listening);

  const legacy = new Channel(receive);
  const legacyServer = createServer(options, "legacy");
  // Served without a handshake of its own: the connection has answered `initialize`.
  await legacyServer.connect(legacy);

  const modern = new Channel(receive);
  let modernServer: Server | undefined;
  const handle = serveStdio(() => modernServer = createServer(options, "modern"), {
    transport: modern,
    legacy: "reject",
    onerror: (error) => log.debug(`The SDK reports: ${error.message}`),
  });

  const forgetResources = face.onResourcesChanged(() => {
    // Only acknowledged subscriptions hear of it; without one the SDK drops it.
    modernServer?.sendResourceListChanged().catch((error: unknown) =>
      log.debug(`A change of the resources could not be told: ${error}`)
    );
  });
  const forgetTasks = face.onTaskChanged((task) => {
    for (const message of listening.taskChanged(task)) options.send(message);
  });

  return {
    deliver(flight) {
      if (flight.caller.era === "legacy") {
        legacy.deliver(toSdk(flight, {}));
        return;
      }
      try {
        const params = flight.request.method === "subscriptions/listen"
          ? { notifications: listening.admit(flight) }
          : {};
        modern.deliver(toSdk(flight, { ...params, _meta: ENVELOPE }));
      } catch (error) {
        listening.forget(flight);
        flights.fail(flight, wireError(error, flight.request.method, "modern", log));
      }
    },
    cancel(flight) {
      listening.forget(flight);
      const channel = flight.caller.era === "legacy" ? legacy : modern;
      channel.deliver({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: flight.key },
      });
    },
    async close() {
      forgetResources();
      forgetTasks();
      await handle.close();
      await legacyServer.close();
    },
  };
}

/** The envelope that the SDK gets to see: what the client's said is in the flight. */
const ENVELOPE = { [MetaKey.protocolVersion]: MODERN_VERSION, [MetaKey.clientCapabilities]: {} };

/** A Standard Schema that takes anything: parameters are checked where they are used. */
const ANYTHING = {
  "~standard": {
    version: 1 as const,
    vendor: "ocs-bridge",
    validate: (value: unknown) => ({ value }),
  },
};

function createServer({ face, flights, log }: DispatchOptions, era: Era): Server {
  const server = new Server({ ...face.serverInfo }, {
    capabilities: {
      ...CAPABILITIES,
      ...(era === "modern" && { extensions: { [TASKS_EXTENSION]: {} } }),
    },
  });
  server.onerror = (error) => log.debug(`The SDK reports: ${error.message}`);

  async function handle(key: unknown): Promise<JsonObject> {
    const flight = flights.get(key);
    if (flight === undefined) throw new ProtocolFault(ErrorCode.internal, "The request has ended.");
    const { request } = flight;
    try {
      return await serve(face, request, flight.call);
    } catch (error) {
      // A request that was cancelled fails as it should; that is nobody's concern.
      if (flights.get(key) === undefined) throw new ProtocolFault(ErrorCode.internal, "Cancelled");
      flight.fault = wireError(error, request.method, era, log);
      throw new ProtocolFault(flight.fault.code, flight.fault.message);
    }
  }

  server.fallbackRequestHandler = (_request, context) => handle(context.mcpReq.id);
  if (era === "modern") {
    // Names the modern era took over from an older one: without a schema the SDK refuses them.
    for (const method of ["tasks/get", "tasks/cancel"]) {
      server.setRequestHandler(
        method,
        { params: ANYTHING },
        (_params, context) => handle(context.mcpReq.id),
      );
    }
  }
  return server;
}

function toSdk(flight: Flight, params: Record<string, unknown>): JSONRPCMessage {
  return { jsonrpc: "2.0", id: flight.key, method: flight.request.method, params };
}

/** Takes what the SDK wants to send: an answer, or a notification of a subscription. */
function fromSdk(message: JSONRPCMessage, options: DispatchOptions, listening: Listening): void {
  const { flights, log, send } = options;
  if ("method" in message) {
    const params = isJsonObject(message.params) ? message.params : {};
    const meta = isJsonObject(params._meta) ? params._meta : {};
    const flight = flights.get(meta[MetaKey.subscriptionId]);
    if (flight === undefined) return;
    if (message.method === "notifications/subscriptions/acknowledged") {
      send(notificationMessage(message.method, listening.acknowledge(flight, params)));
      flights.subscribe(flight);
    } else {
      send(notificationMessage(message.method, tagged(flight, params)));
    }
    return;
  }
  const flight = flights.get(message.id);
  if (flight === undefined) return;
  listening.forget(flight);
  if (flight.fault !== undefined) {
    flights.fail(flight, flight.fault);
  } else if ("error" in message) {
    const { code, message: text, data } = message.error;
    log.debug(`The SDK refused ${flight.request.method}: ${code} ${text} ${JSON.stringify(data)}`);
    flights.fail(flight, { code, message: text });
  } else if (isJsonObject(message.result)) {
    finish(flight, message.result, options);
  }
}

/** A result is the answer; of a subscription it is the end, which a cancel then confirms (3.9). */
function finish(flight: Flight, result: JsonObject, { flights, send }: DispatchOptions): void {
  if (!flight.subscribed) {
    flights.succeed(flight, result);
    return;
  }
  const { id } = flight.request;
  flights.succeed(flight, tagged(flight, result));
  send(notificationMessage("notifications/cancelled", { requestId: id }));
}
