/** The bridge's identity inside answers, since clients do not show serverInfo to the model. */

import type { BridgeIdentity } from "../host/build.ts";
import type { Json, JsonObject } from "../host/json.ts";

/** The identity as a JSON object, in the order of bridge.md section 1. */
export function identityJson(identity: BridgeIdentity): { readonly [key: string]: Json } {
  return {
    name: identity.name,
    version: identity.version,
    build_rev: identity.build_rev,
    build_profile: identity.build_profile,
    tool_schema: identity.tool_schema,
  };
}

/** The answer with `bridge`; one that the editor put there itself is kept. */
export function withBridge(answer: JsonObject, identity: BridgeIdentity): JsonObject {
  return "bridge" in answer ? answer : { ...answer, bridge: identityJson(identity) };
}
