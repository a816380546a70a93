/** `ocs-bridge version`: the version and the build. */

import {
  type BridgeIdentity,
  buildProfile,
  gitRevision,
  NAME,
  stampedRevision,
  VERSION,
} from "../host/build.ts";
import { toolSchemaOf } from "../tools/digest.ts";
import type { Options } from "./options.ts";
import { writeOut } from "./output.ts";

/** Prints `ocs-bridge 0.1.0 (1a2b3c4, release)`, or the whole identity as JSON. */
export async function version(options: Options): Promise<number> {
  const stamped = stampedRevision();
  const profile = buildProfile();
  const identity: BridgeIdentity = {
    name: NAME,
    version: VERSION,
    build_rev: stamped ?? await gitRevision((await import("./own_source.ts")).SOURCE_ROOT),
    build_profile: profile,
    tool_schema: await toolSchemaOf(profile),
  };
  writeOut(
    options.json
      ? `${JSON.stringify(identity)}\n`
      : `${NAME} ${VERSION} (${identity.build_rev}, ${profile})\n`,
  );
  return 0;
}
