/** Which era a request belongs to, decided message by message (mcp-stdio.md 1.5, 2.3, 2.4). */

import { isJsonObject, type Json } from "../host/json.ts";
import type { Era } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import type { Request } from "./message.ts";
import { MetaKey, MODERN_VERSION, NEWEST_LEGACY_VERSION, TASKS_EXTENSION } from "./versions.ts";

/** In whose terms a request is served. */
export interface Caller {
  readonly era: Era;
  readonly protocolVersion: string;
  /** Whether this very request declared the tasks extension. */
  readonly tasks: boolean;
}

/** Methods that only the modern era has: without an envelope they are malformed, not legacy. */
const MODERN_ONLY = new Set(["server/discover", "subscriptions/listen"]);

const LOG_LEVELS: readonly Json[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/**
 * Routes a request. `negotiated` is the version that `initialize` answered, if it has been. What
 * came before never decides for a modern request. Raises ProtocolFault -32602 or -32022.
 */
export function routeRequest(request: Request, negotiated: string | undefined): Caller {
  if (Object.hasOwn(request.meta, MetaKey.protocolVersion)) return readEnvelope(request);
  if (MODERN_ONLY.has(request.method)) throw missing(request.method);
  if (negotiated !== undefined) {
    return { era: "legacy", protocolVersion: negotiated, tasks: false };
  }
  if (request.method === "initialize" || request.method === "ping") {
    return { era: "legacy", protocolVersion: NEWEST_LEGACY_VERSION, tasks: false };
  }
  throw missing(request.method);
}

/** Checks the per-request envelope of the modern era. */
function readEnvelope(request: Request): Caller {
  const { meta } = request;
  const version = meta[MetaKey.protocolVersion];
  if (typeof version !== "string") throw badKey(MetaKey.protocolVersion, "a version string");
  if (version !== MODERN_VERSION) {
    throw new ProtocolFault(
      ErrorCode.unsupportedVersion,
      `Unsupported protocol version ${JSON.stringify(version)}; served here: ${MODERN_VERSION}.`,
      { supported: [MODERN_VERSION], requested: version },
    );
  }
  const capabilities = meta[MetaKey.clientCapabilities];
  if (!isJsonObject(capabilities)) throw badKey(MetaKey.clientCapabilities, "an object");
  const client = meta[MetaKey.clientInfo];
  if (client !== undefined && !isImplementation(client)) {
    throw badKey(MetaKey.clientInfo, 'an object with "name" and "version"');
  }
  const level = meta[MetaKey.logLevel];
  if (level !== undefined && !LOG_LEVELS.includes(level)) {
    throw badKey(MetaKey.logLevel, `one of ${LOG_LEVELS.join(", ")}`);
  }
  const { extensions } = capabilities;
  const tasks = isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
  return { era: "modern", protocolVersion: version, tasks };
}

/** Whether a value names a program: `name` and `version` are text. */
export function isImplementation(value: unknown): boolean {
  return isJsonObject(value) && typeof value.name === "string" && typeof value.version === "string";
}

function missing(method: string): ProtocolFault {
  const key = MetaKey.protocolVersion;
  return new ProtocolFault(
    ErrorCode.invalidParams,
    `${method} came without _meta["${key}"]: send it with "${MODERN_VERSION}", or send ` +
      `initialize first (up to ${NEWEST_LEGACY_VERSION}).`,
    { envelope: { key, problem: "missing" } },
  );
}

function badKey(key: string, expected: string): ProtocolFault {
  return new ProtocolFault(
    ErrorCode.invalidParams,
    `Invalid params: _meta["${key}"] must be ${expected}.`,
    { envelope: { key, problem: `expected ${expected}` } },
  );
}
