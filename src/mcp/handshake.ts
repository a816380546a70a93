/** How the bridge introduces itself: `initialize` and `server/discover` (mcp-stdio.md 2.1, 2.2). */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import { isImplementation } from "./eras.ts";
import type { ServerFace } from "./face.ts";
import { ErrorCode, ProtocolFault } from "./faults.ts";
import { freshFor, HOUR_MS } from "./lists.ts";
import type { Request } from "./message.ts";
import {
  isBefore,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  NEWEST_LEGACY_VERSION,
  TASKS_EXTENSION,
} from "./versions.ts";

/** What both eras are offered (bridge.md section 1). */
export const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: true },
  completions: {},
} as const;

/** The first version that knows `completions`. */
export const COMPLETIONS_SINCE = "2025-03-26";

/** What `initialize` led to. */
export interface Handshake {
  readonly version: string;
  readonly result: JsonObject;
}

/**
 * Answers `initialize`: a version that is served is echoed, any other gets the newest legacy one.
 * Raises ProtocolFault -32602 when a required parameter is missing.
 */
export function initialize(face: ServerFace, request: Request): Handshake {
  const { protocolVersion, capabilities, clientInfo } = request.params;
  if (typeof protocolVersion !== "string") throw needs("protocolVersion", "a string");
  if (!isJsonObject(capabilities)) throw needs("capabilities", "an object");
  if (!isImplementation(clientInfo)) {
    throw needs("clientInfo", 'an object with "name" and "version"');
  }
  const version = LEGACY_VERSIONS.find((one) => one === protocolVersion) ?? NEWEST_LEGACY_VERSION;
  const { completions, ...rest } = CAPABILITIES;
  return {
    version,
    result: {
      protocolVersion: version,
      capabilities: {
        ...rest,
        ...(!isBefore(version, COMPLETIONS_SINCE) && { completions }),
        experimental: face.experimental,
      },
      serverInfo: { ...face.serverInfo },
      instructions: face.instructions,
    },
  };
}

/** Answers `server/discover`; the caller adds what every modern result carries. */
export function discover(face: ServerFace): JsonObject {
  return {
    supportedVersions: [MODERN_VERSION],
    capabilities: {
      ...CAPABILITIES,
      experimental: face.experimental,
      extensions: { [TASKS_EXTENSION]: {} },
    },
    instructions: face.instructions,
    ...freshFor(HOUR_MS, "public"),
  };
}

function needs(name: string, expected: string): ProtocolFault {
  return new ProtocolFault(
    ErrorCode.invalidParams,
    `Invalid params: initialize needs "${name}", ${expected}.`,
  );
}
