/** Which bridge this is, from what the main thread found out (bridge.md section 1). */

import { type BridgeIdentity, type BuildProfile, NAME, VERSION } from "../host/build.ts";
import { toolSchemaOf } from "../tools/digest.ts";

/** The identity; `dev` computes the digest of the tools for it, a release knows it. */
export async function identityOf(
  build: { readonly rev: string; readonly profile: BuildProfile },
): Promise<BridgeIdentity> {
  return {
    name: NAME,
    version: VERSION,
    build_rev: build.rev,
    build_profile: build.profile,
    tool_schema: await toolSchemaOf(build.profile),
  };
}
