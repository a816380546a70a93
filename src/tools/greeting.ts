/** What the handshake says, apart from the rest of the face: it must not wait for anything heavier. */

import type { BridgeIdentity } from "../host/build.ts";
import type { ServerFace } from "../mcp/face.ts";
import { identityJson } from "./bridge_key.ts";
import { INSTRUCTIONS } from "./instructions.ts";

/** The part of the face that `initialize` shows. */
export type Greeting = Pick<ServerFace, "serverInfo" | "experimental" | "instructions">;

/** Exactly three keys of server info, so that strict clients accept it (bridge.md section 1). */
export function greetingOf(identity: BridgeIdentity): Greeting {
  return {
    serverInfo: { name: "OpenCADStudio", title: "Open CAD Studio", version: identity.version },
    experimental: { "opencadstudio.build": identityJson(identity) },
    instructions: INSTRUCTIONS,
  };
}
